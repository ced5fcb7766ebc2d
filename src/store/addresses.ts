import { z } from "zod";
import type { Report } from "../contract/report.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { type Manifest, STORE_FORMAT } from "./format.js";
import type { StoredSnapshot } from "./reader.js";

/** Whose a snapshot is, and where its answers and pages are found, without a slash at the end. */
export type Addresses = Manifest["directory"];

/** Says whose a snapshot is. @throws BadSnapshotError */
export async function addressesOf(snapshot: StoredSnapshot): Promise<Addresses> {
  const { manifest } = snapshot;
  return manifest.format === STORE_FORMAT ? manifest.directory : addressesOfFormat1(snapshot);
}

const Description = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  servers: z.tuple([z.looseObject({ url: z.string() })]),
});

/**
 * Of a snapshot of format 1, whose manifest does not say it: the name and base address are in its API description, the
 * pages' address is in any report. Without a report, pages are taken to lie beside the API.
 */
async function addressesOfFormat1(snapshot: StoredSnapshot): Promise<Addresses> {
  const { document } = ROUTES.openapi;
  const description = Description.safeParse(await readDocumentOf(snapshot, document));
  if (!description.success) {
    throw new BadSnapshotError(`${snapshot.id}/public/${document} does not name one server`);
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
    return (JSON.parse(answer.toString("utf8")) as { data: Report }).data;
  }
  return null;
}

/** What pages know of the directory that they belong to. */
interface DirectoryFacts extends Addresses {
  readonly rubric: Standards["rubric"];
  readonly checkIds: readonly string[];
}

/**
 * What a snapshot's pages say of their directory: whose it is, where it is found, its rubric and which checks its
 * methodology has.
 * @throws BadSnapshotError
 */
export async function directoryOf(snapshot: StoredSnapshot): Promise<DirectoryFacts> {
  const { rubric, checks } = await standardsOf(snapshot);
  return { ...(await addressesOf(snapshot)), rubric, checkIds: checks.map(({ id }) => id) };
}

/** @throws BadSnapshotError */
export async function standardsOf(snapshot: StoredSnapshot): Promise<Standards> {
  const body = await readDocumentOf(snapshot, ROUTES.standards.document);
  return (body as { data: Standards }).data;
}

/** @throws BadSnapshotError */
async function readDocumentOf(snapshot: StoredSnapshot, path: string): Promise<unknown> {
  const file = snapshot.manifest.public.find((one) => one.file === path);
  if (file === undefined) throw new BadSnapshotError(`${snapshot.id} names no document ${path}`);
  return JSON.parse((await snapshot.readDocument(file)).toString("utf8"));
}
