import { byCodeUnit } from "../contract/order.js";
import { tableOf } from "../contract/tables.js";
import type { Warnings } from "../published/checking/problem.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { type ListingChange, listingChanges } from "../store/changes.js";
import type { ListingEntry } from "../store/format.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import type { StoredSegments } from "../store/snapshot-reader.js";
import type { ChangeLog } from "./change-log.js";
import { Tombstone, type TombstoneReason } from "./erasure.js";
import { firstHosts, type LossLimits, type MaxRemoved } from "./removal-limit.js";
import type { FormerEntries } from "./segments.js";

/** The published directory of a refused build, and its warnings: they may say why listings are missing. */
export interface RefusedInput extends Warnings {
  /** The folder as the caller passed it. */
  readonly folder: string;
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
    const { reports, searchable } = lost;
    const hosts = [...reports, ...searchable].sort(byCodeUnit);
    super(
      `this build would remove ${hosts.length} of ${published} published listings ` +
        `(${reports.length} would lose their report, ${searchable.length} would leave search), ` +
        `more than --max-removed ${maxRemoved} allows: ${firstHosts(hosts)}. ` +
        "Nothing was written; if these listings are meant to disappear, build with --max-removed 100%",
    );
    this.published = published;
    this.hosts = hosts;
    this.reportsLost = reports.length;
    this.maxRemoved = maxRemoved;
    this.input = input;
  }
}

/**
 * More listings would lose their score in a build than its limit allows, as after an outage of the scanner. No snapshot
 * was published.
 */
export class TooManyUnscoredError extends Error {
  override readonly name = "TooManyUnscoredError";
  /** The number of listings that have a score in the current snapshot. */
  readonly scored: number;
  /** Hosts that have a score, and would stay in search without one, sorted. */
  readonly hosts: readonly string[];
  /** The limit that applied. */
  readonly maxUnscored: MaxRemoved;
  /** The build's input. */
  readonly input: RefusedInput;

  /** @param lost hosts that would lose their score */
  constructor(
    lost: readonly string[],
    scored: number,
    maxUnscored: MaxRemoved,
    input: RefusedInput,
  ) {
    const hosts = [...lost].sort(byCodeUnit);
    super(
      `this build would leave ${hosts.length} of ${scored} scored listings without a score, ` +
        `more than --max-unscored ${maxUnscored} allows: ${firstHosts(hosts)}. ` +
        "Nothing was written; a listing's publishedScan can name its last good scan; " +
        "if these scores are meant to disappear, build with --max-unscored 100%",
    );
    this.scored = scored;
    this.hosts = hosts;
    this.maxUnscored = maxUnscored;
    this.input = input;
  }
}

/**
 * More listings would keep their score but lose its band than a build's limit allows, as when the rubric gets another
 * version. No snapshot was published.
 */
export class TooManyUnbandedError extends Error {
  override readonly name = "TooManyUnbandedError";
  /** The number of listings that have a band in the current snapshot. */
  readonly banded: number;
  /** Hosts that have a band, and would stay in search with a score but without a band, sorted. */
  readonly hosts: readonly string[];
  /** The limit that applied. */
  readonly maxUnbanded: MaxRemoved;
  /** The build's input. */
  readonly input: RefusedInput;

  /** @param lost hosts that would lose their band */
  constructor(
    lost: readonly string[],
    banded: number,
    maxUnbanded: MaxRemoved,
    input: RefusedInput,
  ) {
    const hosts = [...lost].sort(byCodeUnit);
    super(
      `this build would leave ${hosts.length} of ${banded} listings with a band without one, ` +
        `more than --max-unbanded ${maxUnbanded} allows: ${firstHosts(hosts)}. ` +
        "Nothing was written; the rubric gives bands only to scores of its own version: other scans keep " +
        "the band that " +
        "they state in band; if these bands are meant to disappear, build with --max-unbanded 100%",
    );
    this.banded = banded;
    this.hosts = hosts;
    this.maxUnbanded = maxUnbanded;
    this.input = input;
  }
}

/** What a build would remove from the current snapshot. Each host is in at most one of the lists. */
export interface Losses {
  /** Hosts that have a report and would have none. */
  readonly reports: readonly string[];
  /** Hosts that are in search and would leave it, but would keep their report. */
  readonly searchable: readonly string[];
  /** Hosts that stay in search, but would lose their score. */
  readonly scores: readonly string[];
  /** Hosts that keep their score, but would lose its band. */
  readonly bands: readonly string[];
  /** The number of listings with a report in the current snapshot. */
  readonly published: number;
  /**
   * The numbers of listings with a score and with a band in the current snapshot. They count changed listings alone if
   * these already allow the loss of `scores` and `bands`, and are too high if the snapshot is damaged.
   */
  readonly scored: number;
  readonly banded: number;
  /** Null if the current snapshot is damaged. */
  readonly changes: BuildChanges | null;
  /** Why the comparison is incomplete, if the current snapshot is damaged; else null. */
  readonly unchecked: string | null;
}

/**
 * Compares a build's segments with the current snapshot, without reading the tables that both share. If
 * `current.json` is lost or damaged, compares with the snapshot that was published last. Damage does not stop a build,
 * because the build replaces the damaged snapshot.
 * @param after the segments of the snapshot to be published
 * @param former the last build, with the entries that have been read already, by host
 * @param publications ids of the published snapshots that the builder's notes list, oldest first
 * @param limits for lost scores and bands
 * @param log receives all changes
 */
export async function lossesIn(
  store: string,
  after: StoredSegments,
  former: FormerEntries | null,
  publications: readonly string[],
  limits: LossLimits,
  log: ChangeLog,
): Promise<Losses> {
  const lost: FoundLosses = {
    reports: [],
    searchable: [],
    scores: [],
    bands: [],
    published: 0,
    scored: 0,
    banded: 0,
  };
  const changes = noChanges();
  let inSearch = 0;
  let current: StoredSnapshot | null = null;
  try {
    const id = await idToCompare(store, publications);
    if (id === null) {
      changes.added = after.segments.reduce((sum, { live }) => sum + live, 0);
      return { ...lost, changes, unchecked: null };
    }
    current = await StoredSnapshot.openManifest(store, id);
    log.begin(current.manifest);
    lost.published = current.manifest.counts.reports;
    inSearch = current.manifest.counts.searchable;
    const known = id === former?.id ? former.entries : undefined;
    for await (const change of listingChanges(current.listings, after, known)) {
      addLoss(lost, change);
      addChange(changes, change);
      log.add(change);
    }
    // All tables are read only if the scores of the changed listings are too few to allow the loss.
    if (isBeyond(lost, limits)) Object.assign(lost, await scoredListings(current));
    return { ...lost, changes, unchecked: null };
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    log.forget();
    const reports = current === null ? [] : await goneHosts(current.listings, after);
    // Every listing in search may have a score and a band.
    const counts = { scored: inSearch, banded: inSearch };
    return { ...lost, reports, ...counts, changes: null, unchecked: error.message };
  }
}

type FoundLosses = {
  -readonly [K in Exclude<keyof Losses, "unchecked" | "changes">]: Losses[K] extends number
    ? number
    : string[];
};

function isBeyond({ scores, scored, bands, banded }: FoundLosses, limits: LossLimits): boolean {
  const { unscored, unbanded } = limits;
  return scores.length > unscored.allowed(scored) || bands.length > unbanded.allowed(banded);
}

/** @throws TooManyRemovedError, TooManyUnscoredError, TooManyUnbandedError */
export function requireFewLost(
  losses: Losses,
  { removed, unscored, unbanded }: LossLimits,
  input: RefusedInput,
): void {
  const { reports, searchable, scores, bands, published, scored, banded } = losses;
  if (reports.length + searchable.length > removed.allowed(published)) {
    throw new TooManyRemovedError(losses, published, removed.max, input);
  }
  if (scores.length > unscored.allowed(scored)) {
    throw new TooManyUnscoredError(scores, scored, unscored.max, input);
  }
  if (bands.length > unbanded.allowed(banded)) {
    throw new TooManyUnbandedError(bands, banded, unbanded.max, input);
  }
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

/** @param lost receives the listing if a build loses it, and counts it if it had a score or a band */
function addLoss(lost: FoundLosses, { host, before, after: now }: ListingChange): void {
  if (before === null) return;
  if (isScored(before)) lost.scored += 1;
  if (isBanded(before)) lost.banded += 1;
  if (now === null) lost.reports.push(host);
  else if (before.search !== null && now.search === null) lost.searchable.push(host);
  else if (isScored(before) && !isScored(now)) lost.scores.push(host);
  else if (isBanded(before) && isScored(now) && !isBanded(now)) lost.bands.push(host);
}

/** The hosts that would lose their report, by the directories alone: a table may be damaged. None if a directory is. */
async function goneHosts(before: StoredSegments, after: StoredSegments): Promise<string[]> {
  try {
    const gone: string[] = [];
    for (const host of await before.hosts()) if ((await after.find(host)) === null) gone.push(host);
    return gone;
  } catch (error) {
    if (error instanceof BadSnapshotError) return [];
    throw error;
  }
}

function isScored(entry: ListingEntry): boolean {
  return latestScoreOf(entry) !== null;
}

function isBanded({ search }: ListingEntry): boolean {
  return search !== null && search.summary.latestBand !== null;
}

/** How many listings of a snapshot have a score, and a band. */
async function scoredListings({
  listings,
}: StoredSnapshot): Promise<Pick<Losses, "scored" | "banded">> {
  let scored = 0;
  let banded = 0;
  for await (const entry of listings.allEntries()) {
    if (isScored(entry)) scored += 1;
    if (isBanded(entry)) banded += 1;
  }
  return { scored, banded };
}

/** How many listings and scores change from one snapshot to the next. */
export interface BuildChanges {
  /** Listings that have a report now and had none. */
  readonly added: number;
  /** Listings with another answer, or other data in search. */
  readonly changed: number;
  /** Listings that have no report any more. */
  readonly gone: number;
  /** The scores of the changed listings. A listing out of search has none. */
  readonly scores: {
    readonly up: number;
    readonly down: number;
    /** Listings that had a score and have none now, though they keep a report. */
    readonly lost: number;
    /** Listings that had a report without a score and have a score now. */
    readonly gained: number;
  };
}

type Tallying<T> = { -readonly [K in keyof T]: T[K] extends number ? number : Tallying<T[K]> };

export function noChanges(): Tallying<BuildChanges> {
  return { added: 0, changed: 0, gone: 0, scores: { up: 0, down: 0, lost: 0, gained: 0 } };
}

/** @param counts receives the change */
export function addChange(counts: Tallying<BuildChanges>, { before, after }: ListingChange): void {
  if (before === null) counts.added += 1;
  else if (after === null) counts.gone += 1;
  else {
    counts.changed += 1;
    const was = latestScoreOf(before);
    const is = latestScoreOf(after);
    if (was === null) counts.scores.gained += is === null ? 0 : 1;
    else if (is === null) counts.scores.lost += 1;
    else if (is > was) counts.scores.up += 1;
    else if (is < was) counts.scores.down += 1;
  }
}

/** The score of a listing in search; null if it has none. */
function latestScoreOf({ search }: ListingEntry): number | null {
  return search?.summary.latestScore ?? null;
}

export const LEFT_OUT_REASONS = [
  ...Tombstone.shape.why.options,
  "moved",
] as const satisfies readonly LeftOutReason[];
/** A reason that keeps a listing of the input out of search, in the words of `explain`. */
export type LeftOutReason = TombstoneReason | "moved";

/** How many listings of the input are not in search, by reason. Reasons with a count of 0 are included. */
export type LeftOutCounts = Readonly<Record<LeftOutReason, number>>;

/**
 * Counts the listings that a build left out of search. Each listing counts once.
 * @param tombstones with one entry for each host
 * @param listings how many listings the input has
 * @param searchable how many of them are in search
 */
export function leftOutCounts(
  tombstones: readonly Tombstone[],
  listings: number,
  searchable: number,
): LeftOutCounts {
  const counts = tableOf(LEFT_OUT_REASONS, () => 0);
  for (const { why } of tombstones) counts[why] += 1;
  // A listing without a tombstone is listed and scanned, so only a move can keep it out of search.
  counts.moved = listings - tombstones.length - searchable;
  return counts;
}

/**
 * Selects the hosts that lose their report only because their listing has no scan any more.
 * @param tombstones of the build that removes the reports
 */
export function withoutScans(
  hosts: readonly string[],
  tombstones: readonly Tombstone[],
): readonly string[] {
  const reasons = new Map(tombstones.map(({ host, why }) => [host, why]));
  // A removed or deleted listing has no report in any case, and one without a tombstone has left the input.
  const other: readonly unknown[] = ["removed", "deleted", undefined];
  return hosts.filter((host) => !other.includes(reasons.get(host)));
}
