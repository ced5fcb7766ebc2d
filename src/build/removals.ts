import { byCodeUnit } from "../contract/order.js";
import type { Problem } from "../published/checking/problem.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { listingPairs } from "../store/changes.js";
import type { Manifest } from "../store/format.js";
import { currentId, parseShard, readChecked, StoredSnapshot } from "../store/reader.js";
import type { MaxRemoved, RemovalLimit } from "./removal-limit.js";

/** Hosts that the error's message names; it has all. */
const HOSTS_NAMED = 10;

/** The published directory of a refused build, and its warnings: they may say why listings are missing. */
export interface RefusedInput {
  /** As it was given. */
  readonly folder: string;
  /** By file, line and column; of very many the first. */
  readonly warnings: readonly Problem[];
  /** How many there are in all. */
  readonly warningCount: number;
}

/** A build would take away more listings than its limit allows: nothing was written. */
export class TooManyRemovedError extends Error {
  override readonly name = "TooManyRemovedError";
  /** Listings that the current snapshot has: each has a report, and may be in search. */
  readonly published: number;
  /** Hosts that would lose their report or leave search, in order. */
  readonly hosts: readonly string[];
  /** How many of them would lose their report; the others would leave search alone. */
  readonly reportsLost: number;
  readonly maxRemoved: MaxRemoved;
  readonly input: RefusedInput;

  constructor(lost: LostListings, published: number, maxRemoved: MaxRemoved, input: RefusedInput) {
    const hosts = [...lost.reports, ...lost.searchable].sort(byCodeUnit);
    const first = hosts.slice(0, HOSTS_NAMED).join(", ");
    const more = hosts.length > HOSTS_NAMED ? ` and ${hosts.length - HOSTS_NAMED} more` : "";
    super(
      `this build would take away ${hosts.length} of ${published} published listings ` +
        `(${lost.reports.length} would lose their report, ${lost.searchable.length} would leave search), ` +
        `more than --max-removed ${maxRemoved} allows: ${first}${more}. ` +
        "Nothing was written; if they are meant to go, build with --max-removed 100%",
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
  /** Hosts that are in search, would not be, and would keep a report. */
  readonly searchable: readonly string[];
}

/** What a build is compared with. */
interface Comparison {
  readonly limit: RemovalLimit;
  /** Ids of the published snapshots that the builder's notes list, oldest first. */
  readonly publications: readonly string[];
  readonly input: RefusedInput;
}

/**
 * Compares a build's new files with the current snapshot, without reading the shards that both have. Where
 * `current.json` is lost or damaged, it takes the snapshot that was published last.
 * @param buckets of the snapshot to be published; their files are in the store
 * @returns why the comparison is not complete, where the current snapshot is damaged: damage alone does not
 * stop the build that replaces it; else null
 * @throws TooManyRemovedError
 */
export async function requireFewRemoved(
  store: string,
  buckets: Manifest["buckets"],
  { limit, publications, input }: Comparison,
): Promise<string | null> {
  if (limit.maxRemoved === "100%") return null;
  const lost = { reports: [] as string[], searchable: [] as string[] };
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

/** @throws BadSnapshotError where `current.json` is damaged and nothing says what was published last */
async function idToCompare(store: string, publications: readonly string[]): Promise<string | null> {
  const last = publications.at(-1) ?? null;
  try {
    return (await currentId(store)) ?? last;
  } catch (error) {
    if (last === null) throw error;
    return last;
  }
}

/** @param lost gets the listings that the new buckets take away */
async function findLost(
  lost: { readonly reports: string[]; readonly searchable: string[] },
  current: StoredSnapshot,
  store: string,
  buckets: Manifest["buckets"],
): Promise<void> {
  const next = {
    manifest: { buckets },
    async readShard(bucket: number) {
      const { shard } = buckets[bucket]!;
      return parseShard(await readChecked(store, shard), shard.file);
    },
  };
  for await (const { host, before, after } of listingPairs(current, next)) {
    if (before === null) continue;
    if (after === null) lost.reports.push(host);
    else if (before.search !== null && after.search === null) lost.searchable.push(host);
  }
}
