import { byCodeUnit } from "../contract/order.js";
import type { Manifest, ShardEntry } from "./format.js";
import { sha256 } from "./layout.js";
import { StoredSnapshot } from "./reader.js";
import { findSnapshot, requireCurrent } from "./snapshots.js";

/** Hosts that differ between two snapshots, each list in order. */
export interface SnapshotDiff {
  readonly added: readonly string[];
  /** Hosts of which an answer, or what search shows of them, is another. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares two snapshots of a store, without looking at what they share.
 * @param from the older one's id, or the beginning of it.
 * @param to the newer one's; the current snapshot where it is absent.
 * @throws BadSnapshotError where an id names no snapshot, or one is damaged.
 */
export async function diff(store: string, from: string, to?: string): Promise<SnapshotDiff> {
  const beforeId = await findSnapshot(store, from);
  const afterId = to === undefined ? await requireCurrent(store) : await findSnapshot(store, to);
  const before = await StoredSnapshot.openManifest(store, beforeId);
  const after = await StoredSnapshot.openManifest(store, afterId);
  const found = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  for (const [bucketsBefore, bucketsAfter] of pairs(before.manifest, after.manifest)) {
    const old = await digestsOf(before, bucketsBefore);
    for (const [host, digest] of await digestsOf(after, bucketsAfter)) {
      const known = old.get(host);
      old.delete(host);
      if (known === undefined) found.added.push(host);
      else if (known !== digest) found.changed.push(host);
    }
    for (const host of old.keys()) found.removed.push(host);
  }
  for (const hosts of Object.values(found)) hosts.sort(byCodeUnit);
  return found;
}

/** Buckets of both sides with the same hosts in them, less those that are the same file. */
function pairs(
  { buckets: before }: Manifest,
  { buckets: after }: Manifest,
): [number[], number[]][] {
  if (before.length !== after.length) return [[[...before.keys()], [...after.keys()]]];
  return [...before.keys()]
    .filter((bucket) => before[bucket]?.shard.file !== after[bucket]?.shard.file)
    .map((bucket) => [[bucket], [bucket]]);
}

/** What is served of each host of some buckets, as one digest. */
async function digestsOf(
  snapshot: StoredSnapshot,
  buckets: readonly number[],
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const bucket of buckets) {
    for (const entry of await snapshot.readShard(bucket)) digests.set(entry.host, digestOf(entry));
  }
  return digests;
}

/** Leaves out where answers lie: that changes with their neighbours. */
function digestOf({ search, report, enrichment, publishedScan, historical, locked }: ShardEntry) {
  const past = historical.map(({ scan, report: [, , hash] }) => [scan, hash]);
  return sha256(JSON.stringify([search, report[2], enrichment[2], publishedScan, past, locked]));
}
