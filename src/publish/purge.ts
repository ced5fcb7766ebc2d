import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { PurgedAddresses } from "../contract/extensions.js";
import { byCodeUnit } from "../contract/order.js";
import { ROUTES, type Route } from "../contract/routes.js";
import { installedExtras, pageRoutes } from "../extra.js";
import { disk, StoreWriteError } from "../files/disk.js";
import type { PageRoute } from "../pages/kit/routes.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { ListingEntry, Manifest } from "../store/format.js";
import { publicationsUpTo } from "../store/publications.js";
import { StoredSnapshot } from "../store/reader.js";
import { type ListingChange, listingChanges } from "../store/stored-segments.js";

/**
 * Writes the addresses that caches must purge when one snapshot follows another: those of answers and
 * pages that changed or were removed (docs/contract.md#83-reuse). One absolute
 * address a line, sorted. A line that ends in `*` is a prefix: it stands for all addresses that begin
 * with it. New answers are not listed, because no cache has kept the error that was there before. The
 * file is replaced as a whole, and is empty if nothing changed.
 * @param beforeId null if nothing was published before; empty if unknown. A snapshot that is unknown
 * or unreadable may have had any answer, so all addresses are listed, as prefixes.
 * @param afterId its folder and segments must be in the store; it need not be current yet
 * @throws StoreWriteError; BadSnapshotError if the newer snapshot cannot be read
 */
export async function writePurgeList(
  file: string,
  store: string,
  beforeId: string | null,
  afterId: string,
): Promise<void> {
  const lines =
    beforeId === null || beforeId === afterId ? [] : await purgeLines(store, beforeId, afterId);
  await disk.writeFile(file, Buffer.from(lines.map((line) => `${line}\n`).join("")));
  await disk.syncFolder(dirname(file));
}

/**
 * Checks early that a purge list can be written. The list is renamed into place, which would replace a
 * device, link or folder there instead of writing to it.
 * @throws StoreWriteError if the file's folder does not exist, or if the path is not a regular file
 */
export function requirePlaceOf(file: string): void {
  if (!existsSync(dirname(file))) {
    throw new StoreWriteError(
      `${file} cannot be written: ENOENT, its folder does not exist; create it`,
    );
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new StoreWriteError(
      `${file} cannot be written: it exists and is not a regular file; choose another one`,
    );
  }
}

async function purgeLines(store: string, beforeId: string, afterId: string): Promise<string[]> {
  const after = await StoredSnapshot.openManifest(store, afterId);
  try {
    const lines = await changedAddresses(store, beforeId, after).catch((error: unknown) => {
      if (error instanceof BadSnapshotError) return everything(after.manifest.directory);
      throw error;
    });
    return [...new Set(lines)].sort(byCodeUnit);
  } finally {
    after.close();
  }
}

async function changedAddresses(
  store: string,
  beforeId: string,
  after: StoredSnapshot,
): Promise<string[]> {
  const before = await StoredSnapshot.openManifest(store, beforeId);
  try {
    const was = before.manifest;
    const is = after.manifest;
    const { directory } = was;
    const { baseUrl, siteUrl } = directory;
    // Caches hold answers and pages under the old addresses.
    if (baseUrl !== is.directory.baseUrl) return everything(directory);
    const lines: string[] = [];
    const histories = [was, is].map((one) => JSON.stringify([publicationsUpTo(one), one.extras]));
    if (histories[0] !== histories[1]) {
      lines.push(...extensionAddresses(["publication"], directory));
      lines.push(...numberedPages().map((path) => siteUrl + path));
    }
    const pages = pageRoutes().filter(({ path }) => path.includes("{host}"));
    const listings: string[][] = [];
    for await (const change of listingChanges(before.listings, after.listings))
      listings.push(listingAddresses(change, pages, directory));
    const renames = [was, is].map(({ vocabulary }) => JSON.stringify(vocabulary.former));
    if (listings.length > 0 || renames[0] !== renames[1]) {
      const searches = SEARCHES.map((path) => baseUrl + path);
      lines.push(...listings.flat(), ...searches, ...extensionAddresses(["listings"], directory));
      lines.push(...sharedAddresses(directory));
    }
    const documents = changedDocuments(was, is);
    const facts = [was, is].map((one) => JSON.stringify([one.directory, one.vocabulary]));
    if (documents.length > 0 || facts[0] !== facts[1]) {
      lines.push(...documents, ...sharedAddresses(directory), siteUrl + REPORTS);
      // Facets also contain labels and empty categories, which no listing has to have.
      lines.push(`${baseUrl}${ROUTES.facets.path}*`);
    }
    return lines;
  } finally {
    before.close();
  }
}

/** The addresses of the documents that changed or were removed. */
function changedDocuments(was: Manifest, is: Manifest): string[] {
  const kept = new Map(is.public.map((one) => [one.file, one.sha256]));
  const routes: readonly Route[] = Object.values(ROUTES);
  return was.public
    .filter(({ file, sha256 }) => kept.get(file) !== sha256)
    .map(({ file }) => {
      const route = routes.find(({ document }) => document === file);
      const { baseUrl, siteUrl } = was.directory;
      return route === undefined ? `${siteUrl}/${file}` : `${baseUrl}${route.path}`;
    });
}

/** The reads that look at all listings. */
const SEARCHES = [
  ROUTES.search.path,
  `${ROUTES.search.path}?*`,
  `${ROUTES.facets.path}*`,
  `${ROUTES.suggestions.path}*`,
];
/** The pages that change with every publication. */
const numberedPages = () => purgedAddresses(pageRoutes().filter(({ isNumbered }) => isNumbered));
/** The pages of all listings' reports. */
const REPORTS = "/sites/*";
/** All pages that are not about one listing: they list or count listings, or show one as an example. */
const sharedPages = () => [
  ...numberedPages(),
  ...purgedAddresses(pageRoutes().filter(({ path }) => !path.includes("{host}"))),
];

function purgedAddresses(pages: readonly PageRoute[]): string[] {
  return pages.flatMap(({ path, purged = [path.replace(/\{\w+\}$/, "*")] }) => purged);
}

type Bases = Pick<Manifest["directory"], "baseUrl" | "siteUrl">;

/** The addresses of reads beyond the contract that are purged after some kinds of publications. */
function extensionAddresses(
  kinds: readonly PurgedAddresses["after"][],
  { baseUrl, siteUrl }: Bases,
): string[] {
  return extensionPurges().flatMap(({ after, api, pages }) => {
    if (!kinds.includes(after)) return [];
    return [
      ...(api === undefined ? [] : [baseUrl + api]),
      ...(pages === undefined || pages.includes("{host}") ? [] : [siteUrl + pages]),
    ];
  });
}

/** What the reads beyond the contract purge. */
function extensionPurges(): PurgedAddresses[] {
  const reads = installedExtras().flatMap((extra) => Object.values(extra.reads ?? {}));
  return reads.flatMap(({ purged }) => purged ?? []);
}

/** The addresses of all shared pages, and of the reads beside them. Those below `/api/` are others' to list. */
function sharedAddresses(bases: Bases): string[] {
  const { baseUrl, siteUrl } = bases;
  const api = [`${baseUrl}/api/`, `${siteUrl}/api/`];
  return [
    ...sharedPages().map((path) => siteUrl + path),
    ...extensionAddresses(["publication", "directory"], bases).filter(
      (address) => !api.some((start) => address.startsWith(start)),
    ),
  ];
}

/** Prefixes of all addresses of a directory. */
function everything(addresses: Bases): string[] {
  const { baseUrl, siteUrl } = addresses;
  const api = [`${baseUrl}/api/*`, `${siteUrl}/api/*`, `${baseUrl}${ROUTES.catalog.path}`];
  return [...api, ...sharedAddresses(addresses), siteUrl + REPORTS];
}

/** The addresses of a listing whose answers changed, were added or removed. @param pages those of a listing */
function listingAddresses(
  { host, before, after }: ListingChange,
  pages: readonly PageRoute[],
  { baseUrl, siteUrl }: Bases,
): string[] {
  const lines = extensionPurges().flatMap(({ pages: some }) =>
    some?.includes("{host}") ? [siteUrl + some.replace("{host}", host)] : [],
  );
  // Reads beyond the contract may have named a site before it came back.
  if (before === null) return lines;
  const at = ({ path }: Route) => `${baseUrl}${path.replace("{host}", host)}`;
  if (before.enrichment[2] !== after?.enrichment[2]) lines.push(at(ROUTES.enrichment));
  const now = after === null ? new Map<string, string>() : scanIdsOf(after);
  const addressesOf = (some: readonly PageRoute[]) =>
    some.map(({ path }) => siteUrl + path.replace("{host}", host));
  const withScans = addressesOf(pages.filter(({ hasScan }) => hasScan));
  for (const [scan, digest] of scanIdsOf(before)) {
    if (now.get(scan) === digest) continue;
    for (const line of [at(ROUTES.report), ...withScans]) lines.push(`${line}?scan=${scan}`);
  }
  // Pages are made from the report alone.
  if (before.report[2] !== after?.report[2]) {
    lines.push(at(ROUTES.report), ...addressesOf(pages));
  }
  return lines;
}

/** Digests of the reports that are served for a scan's id. */
function scanIdsOf({ publishedScan, report, historical }: ListingEntry): Map<string, string> {
  const past = historical.map(({ scan, report: [, , digest] }) => [scan, digest] as const);
  return new Map([[publishedScan, report[2]], ...past]);
}
