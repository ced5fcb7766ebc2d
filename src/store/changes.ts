import { hostHash } from "../contract/host.js";
import { addTo } from "../contract/tables.js";
import type { Segment } from "./format.js";
import type { StoredListing, StoredSnapshot } from "./reader.js";
import { contentAt, type DirectoryEntry, directoryHosts } from "./segments/directory.js";
import type { ListingRow, StoredSegments } from "./segments/set.js";

/** A listing in two snapshots; null in a snapshot that does not have it. */
export interface ListingChange {
  readonly host: string;
  readonly before: DirectoryEntry | null;
  readonly after: DirectoryEntry | null;
}

/** Listings whose entries are in memory at the same time. */
const IN_MEMORY = 4_096;

/**
 * The listings that differ between two snapshots, in no particular order. Reads the directories of both, and only the
 * tables of segments that have a changed listing.
 * @param known entries of `before` that have been read already, by host
 * @throws BadSnapshotError if a file is missing or damaged
 */
export function* listingChanges(
  before: StoredSegments,
  after: StoredSegments,
  known: ReadonlyMap<string, DirectoryEntry> = new Map(),
): Generator<ListingChange, void> {
  const shared = sharedFiles(before.segments, after.segments);
  const hosts = new Set([...hostsOf(before, shared), ...hostsOf(after, shared)]);
  const changed: Changed[] = [];
  for (const host of hosts) {
    const hash = hostHash(host);
    const old = before.find(host, hash);
    const now = after.find(host, hash);
    if (contentAtRow(before, old) !== contentAtRow(after, now))
      changed.push({ host, hash, old, now });
  }
  // Segments of a full build have neighbouring hashes, so that each table is read about once.
  changed.sort((a, b) => a.hash - b.hash);
  for (let at = 0; at < changed.length; at += IN_MEMORY) {
    const some = changed.slice(at, at + IN_MEMORY);
    const olds = entriesOf(
      before,
      some.flatMap(({ host, old }) => (known.has(host) ? [] : (old ?? []))),
    );
    const nows = entriesOf(
      after,
      some.flatMap(({ now }) => now ?? []),
    );
    for (const { host } of some) {
      yield {
        host,
        before: known.get(host) ?? olds.get(host) ?? null,
        after: nows.get(host) ?? null,
      };
    }
  }
}

/** Like `listingChanges`, for two snapshots. */
export function snapshotChanges(before: StoredSnapshot, after: StoredSnapshot) {
  return listingChanges(before.listings, after.listings);
}

interface Changed {
  readonly host: string;
  readonly hash: number;
  readonly old: ListingRow | null;
  readonly now: ListingRow | null;
}

/** The packs that both sides have. */
function sharedFiles(before: readonly Segment[], after: readonly Segment[]): Set<string> {
  const files = new Set(before.map(({ pack }) => pack.file));
  return new Set(after.map(({ pack }) => pack.file).filter((file) => files.has(file)));
}

/** The hosts of the segments that are not shared. */
function* hostsOf(set: StoredSegments, shared: ReadonlySet<string>): Generator<string> {
  for (const [segment, { pack }] of set.segments.entries()) {
    if (!shared.has(pack.file)) yield* directoryHosts(set.directory(segment));
  }
}

function contentAtRow(set: StoredSegments, found: ListingRow | null): string | null {
  return found === null ? null : contentAt(set.directory(found.segment), found.row);
}

/** The entries at some rows, by host. */
export function entriesOf(
  set: StoredSegments,
  rows: readonly ListingRow[],
): Map<string, StoredListing> {
  const bySegment = new Map<number, number[]>();
  for (const { segment, row } of rows) addTo(bySegment, segment, row);
  const entries = new Map<string, StoredListing>();
  for (const [segment, some] of bySegment) {
    for (const entry of set.entries(segment, Uint32Array.from(some)))
      entries.set(entry.host, { ...entry, segment });
  }
  return entries;
}
