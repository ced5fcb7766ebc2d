import { byCodeUnit } from "../contract/order.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { listingPairs } from "./changes.js";
import type { Manifest } from "./format.js";
import { currentId, parseShard, readChecked, StoredSnapshot } from "./reader.js";
import type { MaxRemoved, RemovalLimit } from "./removal-limit.js";

/** Hosts that the error's message names; it has all. */
const HOSTS_NAMED = 10;

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

  constructor(lost: LostListings, published: number, maxRemoved: MaxRemoved) {
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
  }
}

interface LostListings {
  /** Hosts that have a report and would have none. */
  readonly reports: readonly string[];
  /** Hosts that are in search, would not be, and would keep a report. */
  readonly searchable: readonly string[];
}

/**
 * Compares what a build has written with the current snapshot, without reading the shards that both have.
 * @param buckets of the snapshot to be published; their files are in the store
 * @returns why the comparison could not be made, where the current snapshot cannot be read: that does not
 * hinder the build that replaces it; else null
 * @throws TooManyRemovedError
 */
export async function requireFewRemoved(
  store: string,
  buckets: Manifest["buckets"],
  limit: RemovalLimit,
): Promise<string | null> {
  if (limit.maxRemoved === "100%") return null;
  try {
    const id = await currentId(store);
    if (id === null) return null;
    const current = await StoredSnapshot.openManifest(store, id);
    const published = current.manifest.counts.reports;
    const allowed = limit.allowed(published);
    const lost = await lostListings(current, store, buckets);
    if (lost.reports.length + lost.searchable.length > allowed) {
      throw new TooManyRemovedError(lost, published, limit.maxRemoved);
    }
    return null;
  } catch (error) {
    if (error instanceof BadSnapshotError) return error.message;
    throw error;
  }
}

async function lostListings(
  current: StoredSnapshot,
  store: string,
  buckets: Manifest["buckets"],
): Promise<LostListings> {
  const next = {
    manifest: { buckets },
    async readShard(bucket: number) {
      const { shard } = buckets[bucket]!;
      return parseShard(await readChecked(store, shard), shard.file);
    },
  };
  const lost = { reports: [] as string[], searchable: [] as string[] };
  for await (const { host, before, after } of listingPairs(current, next)) {
    if (before === null) continue;
    if (after === null) lost.reports.push(host);
    else if (before.search !== null && after.search === null) lost.searchable.push(host);
  }
  return lost;
}
