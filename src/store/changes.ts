import type { BucketNames, ShardEntry } from "./format.js";

/** A listing in two snapshots; null in a snapshot that does not have it. */
export interface ListingChange {
  readonly host: string;
  readonly before: ShardEntry | null;
  readonly after: ShardEntry | null;
}

/** One side of a comparison: a published snapshot, or one that a build is about to publish. */
export interface ComparedSnapshot {
  readonly manifest: { readonly buckets: readonly BucketNames[] };
  readShard(bucket: number): Promise<readonly ShardEntry[]>;
}

/**
 * The listings of two snapshots, in no particular order, except for listings in shards that both share.
 * Holds about one differing shard of each side in memory at a time.
 * @throws BadSnapshotError if a shard that differs is missing or damaged
 */
export async function* listingPairs(
  before: ComparedSnapshot,
  after: ComparedSnapshot,
): AsyncGenerator<ListingChange, void> {
  for (const [bucketsBefore, bucketsAfter] of groups(before, after)) {
    const old = new Map<string, ShardEntry>();
    for await (const entry of entriesByHost(before, bucketsBefore)) old.set(entry.host, entry);
    for await (const entry of entriesByHost(after, bucketsAfter)) {
      const { host } = entry;
      yield { host, before: old.get(host) ?? null, after: entry };
      old.delete(host);
    }
    for (const [host, entry] of old) yield { host, before: entry, after: null };
  }
}

/** The listings that differ between two snapshots, read in the way of `listingPairs`. */
export async function* listingChanges(
  before: ComparedSnapshot,
  after: ComparedSnapshot,
): AsyncGenerator<ListingChange, void> {
  for await (const pair of listingPairs(before, after)) {
    const isSame =
      pair.before !== null &&
      pair.after !== null &&
      answersDigest(pair.before) === answersDigest(pair.after);
    if (!isSame) yield pair;
  }
}

/**
 * Everything that is served about a listing. Leaves out where its answers are in the pack, because that
 * changes with its neighbours.
 */
export function answersDigest(entry: ShardEntry): string {
  const { search, report, enrichment, publishedScan, historical, locked } = entry;
  const past = historical.map(({ scan, report: [, , hash] }) => [scan, hash]);
  return JSON.stringify([search, report[2], enrichment[2], publishedScan, past, locked]);
}

async function* entriesByHost(
  snapshot: ComparedSnapshot,
  buckets: readonly number[],
): AsyncGenerator<ShardEntry, void> {
  for (const bucket of buckets) yield* await snapshot.readShard(bucket);
}

/**
 * Pairs the buckets of both sides that cover the same hosts, and skips pairs with the same file. Bucket
 * numbers rise with the hosts' hashes, so one bucket of the side with fewer buckets covers a run of
 * consecutive buckets of the other.
 */
function* groups(
  { manifest: { buckets: before } }: ComparedSnapshot,
  { manifest: { buckets: after } }: ComparedSnapshot,
): Generator<[number[], number[]], void> {
  const few = Math.min(before.length, after.length);
  const many = Math.max(before.length, after.length);
  const count = many % few === 0 ? few : 1;
  for (let group = 0; group < count; group += 1) {
    const [old, next] = [run(group, before.length / count), run(group, after.length / count)];
    const file = before[old[0] ?? 0]?.shard.file;
    const isShared = few === many && file === after[next[0] ?? 0]?.shard.file;
    if (!isShared) yield [old, next];
  }
}

/** The bucket numbers of the `place`th run of `length` buckets. */
export function run(place: number, length: number): number[] {
  return Array.from({ length }, (_, i) => place * length + i);
}
