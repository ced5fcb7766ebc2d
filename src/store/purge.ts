import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { byCodeUnit } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { ROUTES, type Route } from "../contract/routes.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { type ListingChange, listingChanges } from "./changes.js";
import { disk, StoreWriteError } from "./disk.js";
import type { ShardEntry } from "./format.js";
import { StoredSnapshot } from "./reader.js";

/** Where a snapshot's answers and pages are found, without a slash at the end. */
interface Addresses {
  readonly baseUrl: string;
  /** Null where there is no listing, and so no page. */
  readonly siteUrl: string | null;
}

/**
 * Writes the list of what caches must forget when one snapshot follows another, an absolute address a
 * line, sorted: answers and pages that changed or went (contract section 8, removal invalidates the
 * reuse). A line that ends in `*` stands for every address that begins so. An answer that is new is not
 * among them: what was there before, an error, no cache has kept. The file is written whole, and empty
 * where nothing changed.
 * @param beforeId null where nothing was published before; empty where that cannot be told. A snapshot
 * that cannot be read any more may have had any answer: all addresses are listed then, as prefixes.
 * @param afterId its folder, shards and packs must be in the store; it need not be current yet.
 * @throws StoreWriteError; BadSnapshotError where the newer snapshot cannot be read.
 */
export async function writePurgeList(
  file: string,
  store: string,
  beforeId: string | null,
  afterId: string,
): Promise<void> {
  const lines =
    beforeId === null || beforeId === afterId ? [] : await purgeLines(store, beforeId, afterId);
  await disk.writeFile(file, lines.map((line) => `${line}\n`).join(""));
  await disk.syncFolder(dirname(file));
}

/**
 * Says early that a list cannot be written. It is renamed into its place: a device, a link or a folder there
 * would be replaced, not written to.
 * @throws StoreWriteError where its folder is not there, or something that is no file is in its place.
 */
export function requirePlaceOf(file: string): void {
  if (!existsSync(dirname(file))) {
    throw new StoreWriteError(
      `${file} cannot be written: ENOENT, its folder is not there; make it`,
    );
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new StoreWriteError(
      `${file} cannot be written: what is in its place is not a plain file; give another one`,
    );
  }
}

async function purgeLines(store: string, beforeId: string, afterId: string): Promise<string[]> {
  const after = await StoredSnapshot.openManifest(store, afterId);
  try {
    const addresses = await addressesOf(after);
    const lines = await changesOf(store, beforeId, after, addresses).catch((error: unknown) => {
      if (error instanceof BadSnapshotError) return everything(addresses);
      throw error;
    });
    return [...lines].sort(byCodeUnit);
  } finally {
    after.close();
  }
}

async function changesOf(
  store: string,
  beforeId: string,
  after: StoredSnapshot,
  addresses: Addresses,
): Promise<Iterable<string>> {
  const before = await StoredSnapshot.openManifest(store, beforeId);
  try {
    const lines = new Set<string>();
    await addChanges(lines, before, after, addresses);
    return lines;
  } finally {
    before.close();
  }
}

async function addChanges(
  lines: Set<string>,
  before: StoredSnapshot,
  after: StoredSnapshot,
  { baseUrl }: Addresses,
): Promise<void> {
  // Caches have what was published under the former addresses.
  const former = await addressesOf(before);
  const isMoved = former.baseUrl !== baseUrl;
  const kept = new Map(isMoved ? [] : after.manifest.public.map((one) => [one.file, one.sha256]));
  for (const { file, sha256 } of before.manifest.public) {
    if (kept.get(file) !== sha256) lines.add(`${former.baseUrl}${documentPath(file)}`);
  }
  let changed = isMoved;
  for await (const change of isMoved ? allGone(before) : listingChanges(before, after)) {
    changed = true;
    addListing(lines, change, former);
  }
  const facets = `${former.baseUrl}${ROUTES.facets.path}*`;
  if (changed) {
    const search = `${former.baseUrl}${ROUTES.search.path}`;
    for (const line of [search, `${search}?*`, facets]) lines.add(line);
    lines.add(`${former.baseUrl}${ROUTES.suggestions.path}*`);
  }
  // Labels and empty categories are in the facets without any listing.
  const { vocabulary } = before.manifest;
  if (JSON.stringify(vocabulary) !== JSON.stringify(after.manifest.vocabulary)) lines.add(facets);
}

/** Adds the addresses of a listing whose answers changed or went. */
function addListing(
  lines: Set<string>,
  { host, before, after }: ListingChange,
  { baseUrl, siteUrl }: Addresses,
): void {
  if (before === null) return;
  const at = ({ path }: Route) => `${baseUrl}${path.replace("{host}", host)}`;
  if (before.enrichment[2] !== after?.enrichment[2]) lines.add(at(ROUTES.enrichment));
  const isReport = before.report[2] !== after?.report[2];
  if (isReport) lines.add(at(ROUTES.report));
  const now = after === null ? new Map<string, string>() : scansOf(after);
  for (const [scan, digest] of scansOf(before)) {
    if (now.get(scan) !== digest) lines.add(`${at(ROUTES.report)}?scan=${scan}`);
  }
  const isPage = isReport || JSON.stringify(before.search) !== JSON.stringify(after?.search);
  if (siteUrl !== null && isPage) {
    for (const page of ["", "/report.md"]) lines.add(`${siteUrl}/sites/${host}${page}`);
  }
}

/** Digests of the reports that answer to a scan's id. */
function scansOf({ publishedScan, report, historical }: ShardEntry): Map<string, string> {
  const past = historical.map(({ scan, report: [, , digest] }) => [scan, digest] as const);
  return new Map([[publishedScan, report[2]], ...past]);
}

async function* allGone(snapshot: StoredSnapshot): AsyncGenerator<ListingChange, void> {
  for (const bucket of snapshot.manifest.buckets.keys()) {
    for (const before of await snapshot.readShard(bucket)) {
      yield { host: before.host, before, after: null };
    }
  }
}

/** Prefixes of all that a directory has under its addresses. */
function everything({ baseUrl, siteUrl }: Addresses): string[] {
  const api = [`${baseUrl}/api/*`, `${baseUrl}${ROUTES.catalog.path}`];
  return siteUrl === null ? api : [...api, `${siteUrl}/sites/*`];
}

/** The address of a public document below the base address. */
function documentPath(file: string): string {
  const routes: readonly Route[] = Object.values(ROUTES);
  return routes.find(({ document }) => document === file)?.path ?? `/${file}`;
}

const Description = z.looseObject({ servers: z.tuple([z.looseObject({ url: z.string() })]) });

/** Reads a snapshot's addresses off its answers: nothing else in it has them. @throws BadSnapshotError */
async function addressesOf(snapshot: StoredSnapshot): Promise<Addresses> {
  const { document } = ROUTES.openapi;
  const file = snapshot.manifest.public.find((one) => one.file === document);
  if (file === undefined)
    throw new BadSnapshotError(`${snapshot.id} names no document ${document}`);
  const body: unknown = JSON.parse((await snapshot.readDocument(file)).toString("utf8"));
  const description = Description.safeParse(body);
  if (!description.success) {
    throw new BadSnapshotError(`${snapshot.id}/public/${document} does not name one server`);
  }
  return { baseUrl: description.data.servers[0].url, siteUrl: await siteUrlOf(snapshot) };
}

async function siteUrlOf(snapshot: StoredSnapshot): Promise<string | null> {
  for (const bucket of snapshot.manifest.buckets.keys()) {
    const [entry] = await snapshot.readShard(bucket);
    if (entry === undefined) continue;
    const report = await snapshot.readAnswer(bucket, entry.report);
    const { data } = JSON.parse(report.toString("utf8")) as { data: Report };
    return data.links.canonical.slice(0, -`/sites/${entry.host}`.length);
  }
  return null;
}
