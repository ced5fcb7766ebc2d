import { BucketWriter, countsOf } from "../build/writer.js";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { itemAt } from "../contract/tables.js";
import { BucketFiles } from "../store/bucket-files.js";
import type { SearchRows } from "../store/columns/search-file.js";
import type { Manifest, ShardEntry } from "../store/format.js";
import { checkHash, type StoredSnapshot } from "../store/reader.js";
import { type BucketFigures, figuresOf } from "../store/tally.js";
import type { LatestBuild } from "./latest-build.js";
import { choose, hasSameAnswers, type KeptBack } from "./rollback-rule.js";

/** A listing that does not get the former snapshot's answers, and why. */
export interface KeptBackListing {
  /** In canonical form. */
  readonly host: string;
  /** The reason. */
  readonly why: KeptBack;
}

/** How a rollback changes listings. A listing with the same answers in both snapshots is in none of the lists. */
export interface RollbackListings {
  /** Hosts that get the former snapshot's answers, in place of other answers or of none. */
  readonly back: string[];
  /** Listings that keep the withheld report of the last build. */
  readonly withheld: KeptBackListing[];
  /** Listings that have no report. */
  readonly away: KeptBackListing[];
}

/** A former bucket in the form that a rollback publishes. */
export interface RolledBackBucket {
  readonly files: Manifest["buckets"][number];
  readonly counts: Manifest["counts"];
  readonly figures: BucketFigures;
  /** The bucket's rows of its group's search file; null if the bucket keeps its files. */
  readonly rows: SearchRows | null;
}

/** What applies to every bucket of a rollback. */
export interface RollbackTerms {
  /** Whether listings that the last build's input does not have come back. */
  readonly restoreMissing: boolean;
  /** The version of the former snapshot's methodology. */
  readonly scoreVersion: string;
}

/** A listing that is published, with its entry in the snapshot that its answers are copied from. */
interface Chosen {
  readonly from: "former" | "today";
  readonly entry: ShardEntry;
}

/**
 * Applies the rule of a rollback to a former bucket, and writes the result to the store.
 * @param told receives what happens to the bucket's listings
 * @throws BadSnapshotError, StoreWriteError
 */
export async function rollBackBucket(
  former: StoredSnapshot,
  bucket: number,
  today: LatestBuild,
  { restoreMissing, scoreVersion }: RollbackTerms,
  told: RollbackListings,
): Promise<RolledBackBucket> {
  const { store, manifest } = former;
  const named = itemAt(manifest.buckets, bucket);
  for (const file of [named.pack, named.columns, named.details]) await checkHash(store, file);
  const files = BucketFiles.open(store, named);
  try {
    const { entries } = files;
    const figures = figuresOf(entries, scoreVersion);
    const kept = { files: named, counts: countsOf(entries), figures, rows: null };
    if (today.sharesBucket(former, bucket)) return kept;
    const todays = await today.entriesIn(former, bucket);
    const chosen = chosenOf(entries, todays, today, restoreMissing, told);
    const isSame =
      chosen.length === entries.length && chosen.every(({ from }) => from === "former");
    if (isSame) return kept;
    const writer = new BucketWriter(store, bucket, scoreVersion);
    try {
      for (const { from, entry } of chosen) {
        writer.copy(entry, from === "former" ? files.lines(entry) : await today.lines(entry));
      }
    } catch (error) {
      writer.discard();
      throw error;
    }
    // Leaves good files untouched: they may belong to the last build, and the next one keeps only
    // untouched files.
    return await writer.finish(true);
  } finally {
    files.close();
  }
}

/** The listings to publish, in the order of a shard. */
function chosenOf(
  entries: readonly ShardEntry[],
  todays: ReadonlyMap<string, ShardEntry>,
  { tombstones, remembered }: LatestBuild,
  restoreMissing: boolean,
  { back, withheld, away }: RollbackListings,
): Chosen[] {
  const formers = new Map(entries.map((entry) => [entry.host, entry]));
  const chosen: Chosen[] = [];
  for (const host of inShardOrder([...formers.keys(), ...todays.keys()])) {
    const [former, today] = [formers.get(host), todays.get(host)];
    const [tombstone, last] = [tombstones.get(host), remembered.get(host)];
    const listing = { former, today, tombstone, remembered: last };
    if (former !== undefined && hasSameAnswers(listing)) {
      chosen.push({ from: "former", entry: former });
      continue;
    }
    const { from, keptBack: why } = choose(listing, restoreMissing);
    const entry = from === null ? undefined : listing[from];
    if (from !== null && entry !== undefined) chosen.push({ from, entry });
    if (why !== null) (from === null ? away : withheld).push({ host, why });
    else if (from === "former") back.push(host);
  }
  return chosen;
}

/** Each host once, in the order of a shard: by hash, then by host. */
function inShardOrder(hosts: readonly string[]): string[] {
  return [...new Set(hosts)]
    .map((host) => ({ host, hash: hostHash(host) }))
    .sort((a, b) => a.hash - b.hash || byCodeUnit(a.host, b.host))
    .map(({ host }) => host);
}
