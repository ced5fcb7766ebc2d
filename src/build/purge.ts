import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { EXTENSIONS } from "../contract/extensions.js";
import { FIGURES_DOCUMENT } from "../contract/figures.js";
import { byCodeUnit } from "../contract/order.js";
import { ROUTES, type Route } from "../contract/routes.js";
import { disk, StoreWriteError } from "../files/disk.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { publicationsUpTo } from "../store/change-log.js";
import { type ListingChange, snapshotChanges } from "../store/changes.js";
import { type Addresses, directoryOf } from "../store/directory-facts.js";
import type { ListingEntry } from "../store/format.js";
import { StoredSnapshot } from "../store/reader.js";
import { TRENDS_DOCUMENT } from "../store/trends.js";

/**
 * Writes the addresses that caches must purge when one snapshot follows another: those of answers and
 * pages that changed or were removed (contract section 8, removal invalidates the reuse). One absolute
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
 * @throws StoreWriteError if the file's folder does not exist, or its place holds anything but a plain
 * file
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
    const addresses = after.manifest.directory;
    const lines = await changesOf(store, beforeId, after).catch((error: unknown) => {
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
): Promise<Iterable<string>> {
  const before = await StoredSnapshot.openManifest(store, beforeId);
  try {
    const lines = new Set<string>();
    await addChanges(lines, before, after);
    return lines;
  } finally {
    before.close();
  }
}

async function addChanges(
  lines: Set<string>,
  before: StoredSnapshot,
  after: StoredSnapshot,
): Promise<void> {
  const [was, is] = [await directoryOf(before), await directoryOf(after)];
  const isMoved = was.baseUrl !== is.baseUrl;
  // Caches hold answers and pages under the old addresses.
  const addPages = (paths: readonly string[]) => {
    for (const path of paths) lines.add(`${was.siteUrl}${path}`);
  };
  // Every page shows the directory's name, address and publisher and the scale of its scores.
  const facts = [was, is].map((one) =>
    JSON.stringify([one.siteUrl, one.name, one.rubric, one.publisher]),
  );
  if (isMoved || facts[0] !== facts[1]) {
    addForAgents(lines, was);
    addPages([
      "/sites/*",
      "/card.png",
      "/robots.txt",
      "/llms.txt",
      ...LISTS,
      METHODOLOGY,
      API_PAGE,
      COMPARISONS,
    ]);
  }
  // A report links to the methodology for each check that the methodology describes, and quotes it.
  const [old, own] = [was, is].map((one) => JSON.stringify([one.checkIds, one.overviews]));
  if (old !== own) addPages(["/sites/*"]);
  addDocuments(lines, before, isMoved ? null : after, addPages);
  if (isMoved || publicationOf(before) !== publicationOf(after)) {
    for (const path of NUMBERED) lines.add(`${was.baseUrl}${path}`);
    // The start page gives the number of the publication as the version of its data.
    addPages(START);
  }
  let changed = isMoved;
  for (const change of isMoved ? allGone(before) : snapshotChanges(before, after)) {
    changed = true;
    addListing(lines, change, was);
  }
  const facets = `${was.baseUrl}${ROUTES.facets.path}*`;
  if (changed) {
    for (const path of SEARCHES) lines.add(`${was.baseUrl}${path}`);
    addPages([...SITEMAP_PATHS, ...LISTS, API_PAGE, METHODOLOGY, COMPARISONS]);
  }
  // Facets also contain labels and empty categories, which no listing has to have.
  const [termsBefore, termsAfter] = [before, after].map(({ manifest: { vocabulary } }) =>
    JSON.stringify([vocabulary.categories, vocabulary.signals, vocabulary.platforms]),
  );
  if (termsBefore !== termsAfter) {
    lines.add(facets);
    addPages(LISTS);
  }
}

function publicationOf({ manifest }: StoredSnapshot): number {
  return publicationsUpTo(manifest).generation;
}

/** Adds the documents that changed or went, and the pages that show them. @param after null if all went */
function addDocuments(
  lines: Set<string>,
  { manifest: { public: documents, directory } }: StoredSnapshot,
  after: StoredSnapshot | null,
  addPages: (paths: readonly string[]) => void,
): void {
  const kept = new Map(after?.manifest.public.map((one) => [one.file, one.sha256]));
  for (const { file, sha256 } of documents) {
    if (kept.get(file) === sha256 || file === TRENDS_DOCUMENT) continue;
    if (file === FIGURES_DOCUMENT) addPages(FIGURES);
    else lines.add(`${directory.baseUrl}${documentPath(file)}`);
    if (file === ROUTES.standards.document)
      addPages([METHODOLOGY, "/checks/*", ...CATEGORIES, COMPARISONS]);
    if (file === ROUTES.tags.document) addPages(START);
  }
}

/** The reads that look at all listings. */
const SEARCHES = [
  ROUTES.search.path,
  `${ROUTES.search.path}?*`,
  `${ROUTES.facets.path}*`,
  `${ROUTES.suggestions.path}*`,
  `${EXTENSIONS.changes.path}*`,
  `${EXTENSIONS.batch.path}*`,
];
/** The reads whose answers change with every publication. */
const NUMBERED = [`${EXTENSIONS.trends.path}*`, `${EXTENSIONS.dump.path}*`];
/** The explorer, in all its states. */
const START = ["/", "/?*"];
/** The pages of the categories, which name checks. */
const CATEGORIES = ["/categories", "/categories/*", "/matrix/*", "/tables/*"];
/** Comparisons of any reports. */
const COMPARISONS = "/compare*";
/** The pages that list listings: the explorer, those of the categories and the checks, what changed, and the feeds. */
const LISTS = [
  ...START,
  ...CATEGORIES,
  "/checks/*",
  "/changes",
  "/changes/*",
  "/feed.xml",
  "/feed.json",
  "/search-feed.xml",
  "/search-feed.json",
  "/feeds/*",
];
const METHODOLOGY = "/standards";
/** The figures, and what shows them or compares with them: charts, the card, the methodology, categories and every report. */
const FIGURES = [
  `/${FIGURES_DOCUMENT}`,
  "/figures/*",
  "/card.png",
  METHODOLOGY,
  "/sites/*",
  ...CATEGORIES,
];
/** Its examples name a listing, and so does that of the methodology. */
const API_PAGE = "/api";

const SITEMAP_PATHS = ["/sitemap.xml", "/sitemaps/*"];

/** What tells agents of the directory. */
function agentAddresses({ baseUrl, siteUrl }: Pick<Addresses, "baseUrl" | "siteUrl">): string[] {
  const { ard, aiCatalog, serverCard } = EXTENSIONS;
  const catalogs = [baseUrl, siteUrl].flatMap((base) =>
    [ard, aiCatalog].map(({ path }) => base + path),
  );
  return [...catalogs, baseUrl + serverCard.path];
}

function addForAgents(lines: Set<string>, was: Addresses): void {
  for (const line of agentAddresses(was)) lines.add(line);
}

/** Adds the addresses of a listing whose answers changed or were removed. */
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
  const now = after === null ? new Map<string, string>() : scanIdsOf(after);
  const page = `${siteUrl}/sites/${host}`;
  const pages = [page, `${page}/report.md`];
  for (const [scan, digest] of scanIdsOf(before)) {
    if (now.get(scan) === digest) continue;
    for (const line of [at(ROUTES.report), ...pages]) lines.add(`${line}?scan=${scan}`);
  }
  // Pages are made from the report alone.
  if (isReport) {
    for (const line of pages) lines.add(line);
    for (const name of ["fix.md", "badge.svg", "card.png"]) lines.add(`${page}/${name}`);
  }
}

/** Digests of the reports that are served for a scan's id. */
function scanIdsOf({ publishedScan, report, historical }: ListingEntry): Map<string, string> {
  const past = historical.map(({ scan, report: [, , digest] }) => [scan, digest] as const);
  return new Map([[publishedScan, report[2]], ...past]);
}

function* allGone(snapshot: StoredSnapshot): Generator<ListingChange, void> {
  for (const before of snapshot.allEntries()) yield { host: before.host, before, after: null };
}

/** Prefixes of all addresses of a directory. */
function everything({ baseUrl, siteUrl }: Addresses): string[] {
  const api = [
    ...[`${baseUrl}/api/*`, `${baseUrl}${ROUTES.catalog.path}`],
    ...agentAddresses({ baseUrl, siteUrl }),
  ];
  const guides = ["/robots.txt", "/llms.txt", API_PAGE, COMPARISONS];
  const pages = new Set([...FIGURES, ...guides, ...SITEMAP_PATHS, ...LISTS]);
  return [...api, ...Array.from(pages, (path) => `${siteUrl}${path}`)];
}

/** The address of a public document, relative to the base address. */
function documentPath(file: string): string {
  const routes: readonly Route[] = Object.values(ROUTES);
  return routes.find(({ document }) => document === file)?.path ?? `/${file}`;
}
