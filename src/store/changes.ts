import { hostHash } from "../contract/host.js";
import type { Segment } from "./format.js";
import { contentAt, type DirectoryEntry, directoryHosts } from "./segments/directory.js";
import type { ListingRow, SnapshotReader, StoredSegments } from "./snapshot-reader.js";

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
export async function* listingChanges(
  before: StoredSegments,
  after: StoredSegments,
  known: ReadonlyMap<string, DirectoryEntry> = new Map(),
): AsyncGenerator<ListingChange, void> {
  const shared = sharedFiles(before.segments, after.segments);
  const hosts = new Set([...(await hostsOf(before, shared)), ...(await hostsOf(after, shared))]);
  const changed: Changed[] = [];
  for (const host of hosts) {
    const hash = hostHash(host);
    const old = await before.find(host, hash);
    const now = await after.find(host, hash);
    if ((await contentAtRow(before, old)) !== (await contentAtRow(after, now)))
      changed.push({ host, hash, old, now });
  }
  // Segments of a full build have neighbouring hashes, so that each table is read about once.
  changed.sort((a, b) => a.hash - b.hash);
  for (let at = 0; at < changed.length; at += IN_MEMORY) {
    const some = changed.slice(at, at + IN_MEMORY);
    const olds = await before.entriesAt(
      some.flatMap(({ host, old }) => (known.has(host) ? [] : (old ?? []))),
    );
    const nows = await after.entriesAt(some.flatMap(({ now }) => now ?? []));
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
export function snapshotChanges(before: SnapshotReader, after: SnapshotReader) {
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
async function hostsOf(set: StoredSegments, shared: ReadonlySet<string>): Promise<string[]> {
  const hosts: string[][] = [];
  for (const [segment, { pack }] of set.segments.entries()) {
    if (!shared.has(pack.file)) hosts.push(directoryHosts(await set.directory(segment)));
  }
  return hosts.flat();
}

async function contentAtRow(set: StoredSegments, found: ListingRow | null): Promise<string | null> {
  return found === null ? null : contentAt(await set.directory(found.segment), found.row);
}
