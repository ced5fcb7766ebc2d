import type { Manifest, ShardEntry } from "./format.js";

/** A listing in two snapshots; null in the one that does not have it. */
export interface ListingChange {
  readonly host: string;
  readonly before: ShardEntry | null;
  readonly after: ShardEntry | null;
}

/** What is compared: a published snapshot, or one that a build is about to publish. */
export interface ComparedSnapshot {
  readonly manifest: Pick<Manifest, "buckets">;
  readShard(bucket: number): Promise<readonly ShardEntry[]>;
}

/**
 * The listings of two snapshots, in no particular order, without those in shards that both have. Of the
 * shards that differ about one a side is held at a time.
 * @throws BadSnapshotError where a shard that differs is gone or damaged.
 */
export async function* listingPairs(
  before: ComparedSnapshot,
  after: ComparedSnapshot,
): AsyncGenerator<ListingChange, void> {
  for (const [bucketsBefore, bucketsAfter] of groups(before, after)) {
    const old = new Map<string, ShardEntry>();
    for await (const entry of entriesOf(before, bucketsBefore)) old.set(entry.host, entry);
    for await (const entry of entriesOf(after, bucketsAfter)) {
      const { host } = entry;
      yield { host, before: old.get(host) ?? null, after: entry };
      old.delete(host);
    }
    for (const [host, entry] of old) yield { host, before: entry, after: null };
  }
}

/** The listings that are not the same in two snapshots, read as `listingPairs` reads them. */
export async function* listingChanges(
  before: ComparedSnapshot,
  after: ComparedSnapshot,
): AsyncGenerator<ListingChange, void> {
  for await (const pair of listingPairs(before, after)) {
    const isSame =
      pair.before !== null &&
      pair.after !== null &&
      contentOf(pair.before) === contentOf(pair.after);
    if (!isSame) yield pair;
  }
}

/** What is served of a listing. Where its answers lie changes with their neighbours and is left out. */
export function contentOf(entry: ShardEntry): string {
  const { search, report, enrichment, publishedScan, historical, locked } = entry;
  const past = historical.map(({ scan, report: [, , hash] }) => [scan, hash]);
  return JSON.stringify([search, report[2], enrichment[2], publishedScan, past, locked]);
}

async function* entriesOf(
  snapshot: ComparedSnapshot,
  buckets: readonly number[],
): AsyncGenerator<ShardEntry, void> {
  for (const bucket of buckets) yield* await snapshot.readShard(bucket);
}

/**
 * Buckets of both sides with the same hosts in them, less those that are the same file. A host's hash
 * grows with its bucket, so that a bucket of few is a run of buckets of many.
 */
function* groups(
  { manifest: { buckets: before } }: ComparedSnapshot,
  { manifest: { buckets: after } }: ComparedSnapshot,
): Generator<[number[], number[]], void> {
  const [few, many] = [before.length, after.length].sort((a, b) => a - b) as [number, number];
  const count = many % few === 0 ? few : 1;
  for (let group = 0; group < count; group += 1) {
    const [old, next] = [run(group, before.length / count), run(group, after.length / count)];
    const file = before[old[0] ?? 0]?.shard.file;
    const isShared = few === many && file === after[next[0] ?? 0]?.shard.file;
    if (!isShared) yield [old, next];
  }
}

/** The numbers of the `place`th run of so many. */
export function run(place: number, length: number): number[] {
  return Array.from({ length }, (_, i) => place * length + i);
}
