import { itemAt } from "../contract/item-at.js";
import { byCodeUnit } from "../contract/order.js";
import type { Problem } from "../published/checking/problem.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { listingPairs } from "../store/changes.js";
import type { BucketNames } from "../store/format.js";
import { currentId, readShard, StoredSnapshot } from "../store/reader.js";
import { firstHosts } from "./first-hosts.js";
import type { MaxRemoved, RemovalLimit } from "./removal-limit.js";

/** The published directory of a refused build, and its warnings: they may say why listings are missing. */
export interface RefusedInput {
  /** The folder as the caller passed it. */
  readonly folder: string;
  /** Sorted by file, line and column. If there are very many, only the first are here. */
  readonly warnings: readonly Problem[];
  /** The number of all warnings. */
  readonly warningCount: number;
}

/** A build would remove more listings than its limit allows. No snapshot was published. */
export class TooManyRemovedError extends Error {
  override readonly name = "TooManyRemovedError";
  /** The number of listings in the current snapshot. Each has a report, and may be in search. */
  readonly published: number;
  /** Hosts that would lose their report or leave search, sorted. */
  readonly hosts: readonly string[];
  /** How many of `hosts` would lose their report. The others would only leave search. */
  readonly reportsLost: number;
  /** The limit that applied. */
  readonly maxRemoved: MaxRemoved;
  /** The build's input. */
  readonly input: RefusedInput;

  /** @param lost hosts that would have no report, and hosts that would have one but not be in search */
  constructor(
    lost: { readonly reports: readonly string[]; readonly searchable: readonly string[] },
    published: number,
    maxRemoved: MaxRemoved,
    input: RefusedInput,
  ) {
    const hosts = [...lost.reports, ...lost.searchable].sort(byCodeUnit);
    super(
      `this build would remove ${hosts.length} of ${published} published listings ` +
        `(${lost.reports.length} would lose their report, ${lost.searchable.length} would leave search), ` +
        `more than --max-removed ${maxRemoved} allows: ${firstHosts(hosts)}. ` +
        "Nothing was written; if these listings are meant to disappear, build with --max-removed 100%",
    );
    this.published = published;
    this.hosts = hosts;
    this.reportsLost = lost.reports.length;
    this.maxRemoved = maxRemoved;
    this.input = input;
  }
}

interface LostListings {
  /** Hosts that have a report and would have none. */
  readonly reports: readonly string[];
  /** Hosts that are in search and would leave it, but would keep their report. */
  readonly searchable: readonly string[];
}

type FoundListings = Record<keyof LostListings, string[]>;

/** The limit and the context for the comparison with the current snapshot. */
interface RemovalCheck {
  readonly limit: RemovalLimit;
  /** Ids of the published snapshots that the builder's notes list, oldest first. */
  readonly publications: readonly string[];
  readonly input: RefusedInput;
}

/**
 * Compares a build's new files with the current snapshot, without reading the shards that both share. If
 * `current.json` is lost or damaged, compares with the snapshot that was published last.
 * @param buckets of the snapshot to be published; their files are in the store
 * @returns why the comparison is incomplete, if the current snapshot is damaged; else null. Damage does
 * not stop a build, because the build replaces the damaged snapshot.
 * @throws TooManyRemovedError
 */
export async function requireFewRemoved(
  store: string,
  buckets: readonly BucketNames[],
  { limit, publications, input }: RemovalCheck,
): Promise<string | null> {
  if (limit.maxRemoved === "100%") return null;
  const lost: FoundListings = { reports: [], searchable: [] };
  let published = 0;
  let unchecked: string | null = null;
  try {
    const id = await idToCompare(store, publications);
    if (id === null) return null;
    const current = await StoredSnapshot.openManifest(store, id);
    published = current.manifest.counts.reports;
    await findLost(lost, current, store, buckets);
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    unchecked = error.message;
  }
  if (lost.reports.length + lost.searchable.length > limit.allowed(published)) {
    throw new TooManyRemovedError(lost, published, limit.maxRemoved, input);
  }
  return unchecked;
}

/** @throws BadSnapshotError if `current.json` is damaged and the notes list no publication */
async function idToCompare(store: string, publications: readonly string[]): Promise<string | null> {
  const last = publications.at(-1) ?? null;
  try {
    return (await currentId(store)) ?? last;
  } catch (error) {
    if (last === null) throw error;
    return last;
  }
}

/** @param lost receives the listings that the new buckets remove */
async function findLost(
  lost: FoundListings,
  current: StoredSnapshot,
  store: string,
  buckets: readonly BucketNames[],
): Promise<void> {
  const next = {
    manifest: { buckets },
    readShard: (bucket: number) => readShard(store, itemAt(buckets, bucket).shard),
  };
  for await (const { host, before, after } of listingPairs(current, next)) {
    if (before === null) continue;
    if (after === null) lost.reports.push(host);
    else if (before.search !== null && after.search === null) lost.searchable.push(host);
  }
}
