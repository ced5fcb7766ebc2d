import { z } from "zod";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { type CheckLists, checkLists } from "../contract/methodology.js";
import type { Report } from "../contract/report.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import type { Manifest } from "./format.js";
import { checkedJson, type StoredSnapshot } from "./reader.js";

/** A snapshot's directory: its name, and the addresses of its API and its pages, without a slash at the end. */
export type Addresses = Manifest["directory"];

/** Returns the name and addresses of a snapshot's directory. @throws BadSnapshotError */
export async function addressesOf(snapshot: StoredSnapshot): Promise<Addresses> {
  const { manifest } = snapshot;
  return manifest.format === 1 ? addressesOfFormat1(snapshot) : manifest.directory;
}

const Description = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  servers: z.tuple([z.looseObject({ url: z.string() })]),
});

/**
 * Finds them for a snapshot of format 1, whose manifest does not have them: the name and base address
 * are in its API description, and the pages' address is in any report. Without a report, assumes that
 * the pages are at the base address.
 */
async function addressesOfFormat1(snapshot: StoredSnapshot): Promise<Addresses> {
  const { document } = ROUTES.openapi;
  const description = Description.safeParse(checkedJson(await readDocumentOf(snapshot, document)));
  if (!description.success) {
    throw new BadSnapshotError(
      `${snapshot.id}/public/${document} does not name exactly one server`,
    );
  }
  const { info, servers } = description.data;
  const baseUrl = servers[0].url;
  const report = await anyReport(snapshot);
  const siteUrl = report?.links.canonical.slice(0, -`/sites/${report.site.host}`.length);
  return { name: info.title, baseUrl, siteUrl: siteUrl ?? baseUrl };
}

async function anyReport(snapshot: StoredSnapshot): Promise<Report | null> {
  for (const bucket of snapshot.manifest.buckets.keys()) {
    const [entry] = await snapshot.readShard(bucket);
    if (entry === undefined) continue;
    const answer = await snapshot.readAnswer(bucket, entry.report);
    return checkedJson<{ data: Report }>(answer).data;
  }
  return null;
}

/** The facts about the directory that appear on its pages. */
interface DirectoryFacts extends Addresses, CheckLists {
  readonly rubric: Standards["rubric"];
}

/**
 * The facts about the directory that a snapshot's pages show: its name and addresses, its rubric, and
 * the ids of the checks and achievements in its methodology.
 * @throws BadSnapshotError
 */
export async function directoryOf(snapshot: StoredSnapshot): Promise<DirectoryFacts> {
  const standards = await readStandards(snapshot);
  return {
    ...(await addressesOf(snapshot)),
    rubric: standards.rubric,
    ...checkLists(standards),
  };
}

/** @throws BadSnapshotError */
export async function readStandards(snapshot: StoredSnapshot): Promise<Standards> {
  const bytes = await readDocumentOf(snapshot, ROUTES.standards.document);
  return checkedJson<{ data: Standards }>(bytes).data;
}

/** The figures of a snapshot's directory; null if an older version built it. @throws BadSnapshotError */
export async function readFigures(snapshot: StoredSnapshot): Promise<Figures | null> {
  const file = snapshot.manifest.public.find((one) => one.file === FIGURES_DOCUMENT);
  return file === undefined ? null : checkedJson<Figures>(await snapshot.readDocument(file));
}

/** Reads a public document by its path. @throws BadSnapshotError */
export async function readDocumentOf(snapshot: StoredSnapshot, path: string): Promise<Buffer> {
  const file = snapshot.manifest.public.find((one) => one.file === path);
  if (file === undefined)
    throw new BadSnapshotError(`${snapshot.id} does not list the document ${path}`);
  return snapshot.readDocument(file);
}
