import { hostHash, shardBits, shardOf } from "../contract/host.js";
import type { StoredSnapshot } from "../store/reader.js";
import { directoryHosts } from "../store/segments/directory.js";
import type { ListingRow } from "../store/snapshot-reader.js";
import { listingsText, parseListings, type SiteRecord } from "./record.js";

/** The approximate number of listings per line of a tree's record. A changed listing rewrites the line of its part. */
const LISTINGS_A_PART = 256;

/** The number of parts into which the hashes of hosts divide a snapshot's listings. */
export function partsOf({ manifest }: StoredSnapshot): number {
  return 2 ** shardBits(manifest.counts.reports, LISTINGS_A_PART);
}

function partIn(count: number, host: string): number {
  return shardOf(hostHash(host), Math.log2(count));
}

/**
 * Regroups the lines of a record into `count` parts. The count grows with the number of listings. @param record its
 * path
 */
export function inParts(
  record: string,
  lines: readonly string[],
  count: number,
): readonly string[] {
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
export type ChangedListings = ReadonlyMap<number, ReadonlyMap<string, ListingRow | null>>;

/**
 * Finds the listings of a snapshot that may differ from those in a tree. Reads the directories of new segments only.
 * For removed segments, it takes the hosts in their hash ranges from the record.
 * @param record the record's path
 * @param segments the segments in the tree, as its record names them; empty if all listings may differ
 * @param lines the record's lines, in `partsOf(snapshot)` parts
 * @throws BadSnapshotError
 */
export async function changedListings(
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
