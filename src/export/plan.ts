import { hostHash, shardBits, shardOf } from "../contract/host.js";
import { sha256 } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import { directoryHosts } from "../store/segments/directory.js";
import type { ListingRow } from "../store/snapshot-reader.js";
import { type Edition, editionOf } from "./answers.js";
import type { TreeDocument } from "./data-files.js";
import { treeDocuments } from "./documents.js";
import { type Digests, digestsOf, filesOf, pathOf } from "./files.js";
import type { TreeLayout } from "./layout.js";
import type { PartOrder } from "./part-work.js";
import { listingsText, parseListings, type SiteRecord, SiteRefusedError } from "./record.js";
import { Occupation, type SiteTree } from "./tree.js";

/** Checks a few files instead of all, so that a tree that was emptied by hand does not pass as complete. */
export function holdsDocuments(
  tree: SiteTree,
  record: SiteRecord,
  { manifest }: StoredSnapshot,
): boolean {
  return manifest.public.every(
    ({ file, bytes, sha256: hash }) =>
      !hash.startsWith(record.documents[file] ?? "-") ||
      tree.holds(file, bytes, (read) => sha256(read) === hash),
  );
}

/** The work of an export, and the state of the record during that work. */
export interface ExportPlan {
  readonly edition: Edition;
  /** The listings whose files may not all be in the tree. */
  readonly orders: readonly PartOrder[];
  /** Paths to delete. */
  readonly gone: readonly string[];
  /** How many files to check, and to write if they are wrong. */
  readonly open: number;
  /** Files that belong to no single listing, by path; null for all of them if nothing has changed. */
  readonly made: ReadonlyMap<string, TreeDocument | null>;
  /** The size of the largest file in `made`, in bytes. */
  readonly largestBytes: number;
  /** The digests of the files in `made`, and null for those to delete. */
  readonly documents: Digests;
  readonly listings: string[];
  /** Paths of files and links that are not the export's, where it would put new files. */
  readonly occupied: ReadonlySet<string>;
}

/** What `planOf` plans for. */
interface PlanTarget {
  readonly layout: TreeLayout;
  /** The tree's absolute path. */
  readonly root: string;
  /** The path of the tree's record. */
  readonly path: string;
}

/**
 * Compares a snapshot with a tree's record. Reads only the listings of new segments, or all if the edition of the pages
 * has changed. In the result, a digest means that the file is right, and null that its content is uncertain.
 * @param trusted whether the record's digests match the files.
 * @throws BadSnapshotError; SiteRefusedError
 */
export async function planOf(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  { layout, root, path }: PlanTarget,
): Promise<ExportPlan> {
  const edition = await editionOf(snapshot, layout, root);
  const listings = [...inParts(path, record.listings, partsOf(snapshot))];
  const occupation = new Occupation(root);
  const segments = trusted && record.edition === edition.id ? record.segments : [];
  const orders: PartOrder[] = [];
  const gone: string[] = [];
  let open = 0;
  for (const [part, changed] of await changedListings(snapshot, path, segments, listings)) {
    const rows = [...changed.values()].filter((row): row is ListingRow => row !== null);
    const entries = await snapshot.listings.entriesAt(rows);
    const union = parseListings(path, listings[part] ?? "{}");
    const opened = new Set<string>();
    for (const host of changed.keys()) {
      const entry = entries.get(host);
      const next = entry === undefined ? new Map() : digestsOf(filesOf(entry, edition));
      requireDistinct(Array.from(next.keys(), (name) => pathOf(host, name)));
      const joined = uniteDigests(union.get(host), next, trusted);
      occupation.lookFor(joined.added.map((name) => pathOf(host, name)));
      gone.push(...joined.gone.map((name) => pathOf(host, name)));
      open += joined.open;
      if (joined.open + joined.gone.length > 0) opened.add(host);
      // Without files, nothing in the record may name the host any more.
      if (joined.union.size > 0) union.set(host, joined.union);
      else union.delete(host);
    }
    const text = listingsText(union);
    listings[part] = text;
    const openRows = [...changed].flatMap(([host, row]) => (row && opened.has(host) ? [row] : []));
    if (opened.size > 0) orders.push({ part, rows: openRows, text });
  }
  const plan = { edition, orders, gone, open, listings };
  const documents = await planDocuments(snapshot, record, trusted, plan);
  requireDistinct(documents.made.keys());
  occupation.lookFor(documents.added);
  return { ...plan, ...documents, occupied: occupation.found };
}

/**
 * Many disks take two names that differ only in case for one file, which would then answer for both.
 * @throws SiteRefusedError if two of the paths differ only in case. Only the ids of scans have letters of both cases
 */
function requireDistinct(paths: Iterable<string>): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      throw new SiteRefusedError(
        `${other} and ${path} would differ only in case, and many disks take them for one file: give one ` +
          "of these scans another id, or use --packed",
      );
    }
    seen.set(path.toLowerCase(), path);
  }
}

/** Plans the documents, in addition to the listings. */
async function planDocuments(
  snapshot: StoredSnapshot,
  record: SiteRecord,
  trusted: boolean,
  { edition, gone, open }: Pick<ExportPlan, "edition" | "gone" | "open">,
) {
  const known: Digests = new Map(Object.entries(record.documents));
  const isSame = trusted && record.snapshot === snapshot.id && record.edition === edition.id;
  const made: ExportPlan["made"] = isSame
    ? new Map(Array.from(known.keys(), (path) => [path, null]))
    : await treeDocuments(snapshot, edition);
  const next: Digests = new Map();
  for (const [path, document] of made) {
    next.set(path, document === null ? (known.get(path) ?? null) : document.digest);
  }
  const joined = uniteDigests(known, next, trusted);
  const sizes = [...made.values()].map((document) => document?.bytes ?? 0);
  return {
    made,
    largestBytes: sizes.reduce((largest, bytes) => Math.max(largest, bytes), 0),
    added: joined.added,
    gone: [...gone, ...joined.gone],
    open: open + joined.open,
    documents: joined.union,
  };
}

/** Joins the files before and after the export. A digest means that the file stays unchanged. */
function uniteDigests(
  before: Digests = new Map(),
  next: Digests = new Map(),
  trusted: boolean,
): { union: Digests; added: string[]; gone: string[]; open: number } {
  const union: Digests = new Map();
  let open = 0;
  for (const [name, digest] of next) {
    const stays = trusted && before.get(name) === digest;
    union.set(name, stays ? digest : null);
    if (!stays) open += 1;
  }
  const gone = [...before.keys()].filter((name) => !next.has(name));
  for (const name of gone) union.set(name, null);
  const added = [...next.keys()].filter((name) => !before.has(name));
  return { union, added, gone, open };
}

/** The approximate number of listings per line of a tree's record. A changed listing rewrites the line of its part. */
const LISTINGS_A_PART = 256;

/** The number of parts into which the hashes of hosts divide a snapshot's listings. */
function partsOf({ manifest }: StoredSnapshot): number {
  return 2 ** shardBits(manifest.counts.reports, LISTINGS_A_PART);
}

function partIn(count: number, host: string): number {
  return shardOf(hostHash(host), Math.log2(count));
}

/**
 * Regroups the lines of a record into `count` parts. The count grows with the number of listings. @param record its
 * path
 */
function inParts(record: string, lines: readonly string[], count: number): readonly string[] {
  if (lines.length === count) return lines;
  const parts = Array.from({ length: count }, () => new Map());
  for (const text of lines) {
    for (const [host, files] of parseListings(record, text)) {
      parts[partIn(count, host)]?.set(host, files);
    }
  }
  return parts.map(listingsText);
}

/** By part, the hosts whose listings may have changed, with their rows; null for a listing that is gone. */
type ChangedListings = ReadonlyMap<number, ReadonlyMap<string, ListingRow | null>>;

/**
 * Finds the listings of a snapshot that may differ from those in a tree. Reads the directories of new segments only.
 * For removed segments, it takes the hosts in their hash ranges from the record.
 * @param record the record's path
 * @param segments the segments in the tree, as its record names them; empty if all listings may differ
 * @param lines the record's lines, in `partsOf(snapshot)` parts
 * @throws BadSnapshotError
 */
async function changedListings(
  snapshot: StoredSnapshot,
  record: string,
  segments: SiteRecord["segments"],
  lines: readonly string[],
): Promise<ChangedListings> {
  const { listings, manifest } = snapshot;
  const changed = new Map<number, Map<string, ListingRow | null>>();
  const add = async (host: string) => {
    const part = partIn(lines.length, host);
    const hosts = changed.get(part) ?? new Map<string, ListingRow | null>();
    changed.set(part, hosts);
    if (!hosts.has(host)) hosts.set(host, await listings.find(host));
  };
  const names = manifest.segments.map(({ pack }) => pack.file);
  const kept = new Set(keepOrder(segments, names) ? segments.map(({ pack }) => pack) : []);
  for (const [segment, name] of names.entries()) {
    if (kept.has(name)) continue;
    for (const host of directoryHosts(await listings.directory(segment))) await add(host);
  }
  const gone = segments.filter(({ pack }) => !names.includes(pack));
  for (const text of lines) {
    if (kept.size > 0 && gone.length === 0) break;
    for (const host of parseListings(record, text).keys()) {
      const hash = hostHash(host);
      const isGone = gone.some(({ firstHash, lastHash }) => firstHash <= hash && hash <= lastHash);
      if (kept.size === 0 || isGone) await add(host);
    }
  }
  return changed;
}

/** Whether the remaining segments are still in the same order: if a host has several rows, the last one counts. */
function keepOrder(segments: SiteRecord["segments"], names: readonly string[]): boolean {
  const places = segments.map(({ pack }) => names.indexOf(pack)).filter((place) => place >= 0);
  return places.every((place, index) => index === 0 || (places[index - 1] ?? 0) < place);
}
