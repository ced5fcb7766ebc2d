import { z } from "zod";
import type { Report } from "../contract/report.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import type { StoredSnapshot } from "./reader.js";

/** Whose a snapshot is, and where its answers and pages are found, without a slash at the end. */
export interface Addresses {
  /** The directory's name. */
  readonly name: string;
  readonly baseUrl: string;
  /** Null where there is no listing, and so no page. */
  readonly siteUrl: string | null;
}

const Description = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  servers: z.tuple([z.looseObject({ url: z.string() })]),
});

/**
 * Reads a snapshot's name and addresses off its answers: nothing else in it has them.
 * @param answer the answer of any of its reports, where one is at hand; null where it has none
 * @throws BadSnapshotError
 */
export async function addressesOf(
  snapshot: StoredSnapshot,
  answer?: Uint8Array | null,
): Promise<Addresses> {
  const { document } = ROUTES.openapi;
  const body = await readDocumentOf(snapshot, document);
  const description = Description.safeParse(body);
  if (!description.success) {
    throw new BadSnapshotError(`${snapshot.id}/public/${document} does not name one server`);
  }
  const { info, servers } = description.data;
  const any = answer === undefined ? await anyAnswer(snapshot) : answer;
  return {
    name: info.title,
    baseUrl: servers[0].url,
    siteUrl: any === null ? null : siteUrlIn(any),
  };
}

async function anyAnswer(snapshot: StoredSnapshot): Promise<Uint8Array | null> {
  for (const bucket of snapshot.manifest.buckets.keys()) {
    const [entry] = await snapshot.readShard(bucket);
    if (entry !== undefined) return await snapshot.readAnswer(bucket, entry.report);
  }
  return null;
}

function siteUrlIn(answer: Uint8Array): string {
  const { links, site } = (JSON.parse(Buffer.from(answer).toString("utf8")) as { data: Report })
    .data;
  return links.canonical.slice(0, -`/sites/${site.host}`.length);
}

/** What pages know of the directory that they belong to. */
interface DirectoryFacts extends Addresses {
  readonly siteUrl: string;
  readonly rubric: Standards["rubric"];
  readonly checkIds: readonly string[];
}

/**
 * What a snapshot's pages say of their directory: whose it is, where it is found, its rubric and which checks its
 * methodology has. Where there is no listing, pages are taken to lie beside the API.
 * @param answer as of `addressesOf`
 * @throws BadSnapshotError
 */
export async function directoryOf(
  snapshot: StoredSnapshot,
  answer?: Uint8Array | null,
): Promise<DirectoryFacts> {
  const { name, baseUrl, siteUrl } = await addressesOf(snapshot, answer);
  const { rubric, checks } = await standardsOf(snapshot);
  const checkIds = checks.map(({ id }) => id);
  return { name, baseUrl, siteUrl: siteUrl ?? baseUrl, rubric, checkIds };
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
