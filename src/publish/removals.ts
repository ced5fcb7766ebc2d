import { byCodeUnit } from "../contract/order.js";
import { tableOf } from "../contract/tables.js";
import type { Warnings } from "../input/checking/problem.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { ListingEntry } from "../store/format.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import {
  type ListingChange,
  listingChanges,
  type StoredSegments,
} from "../store/stored-segments.js";
import type { Additions } from "./additions.js";
import { Tombstone, type TombstoneReason } from "./erasure.js";
import { firstHosts, type LossLimits, type MaxRemoved } from "./removal-limit.js";
import type { FormerEntries } from "./segments.js";

/*
 * A build refuses to remove too many listings, scores or bands: each of them may be an accident of its input.
 */

/** Whether a listing has what a build may take away from it, the greatest loss first. Only that one counts. */
const HAS = {
  report: (entry: ListingEntry | null) => entry !== null,
  search: (entry: ListingEntry | null) => entry?.search != null,
  score: (entry: ListingEntry | null) => latestScoreOf(entry) !== null,
  band: (entry: ListingEntry | null) =>
    entry?.search != null && entry.search.summary.latestBand !== null,
};
type Loss = keyof typeof HAS;
const LOSSES = Object.keys(HAS) as Loss[];

/** A limit for losses. */
interface Guard {
  readonly limit: keyof LossLimits;
  /** The flag of `crawldex build` that sets the limit. */
  readonly flag: string;
  readonly losses: readonly Loss[];
  /** What is counted in the current snapshot. */
  readonly of: Loss;
  /** @param count of the listings that would lose something, of `total` */
  says(count: number, total: number, lost: Losses["lost"]): string;
  /** What the listings are meant to do if the loss is no accident, and other remedies. */
  readonly remedy: string;
}

const GUARDS: readonly Guard[] = [
  {
    limit: "maxRemoved",
    flag: "--max-removed",
    losses: ["report", "search"],
    of: "report",
    says: (count, total, { report, search }) =>
      `would remove ${count} of ${total} published listings ` +
      `(${report.length} would lose their report, ${search.length} would leave search)`,
    remedy: "if these listings are meant to disappear",
  },
  {
    limit: "maxUnscored",
    flag: "--max-unscored",
    losses: ["score"],
    of: "score",
    says: (count, total) => `would leave ${count} of ${total} scored listings without a score`,
    remedy:
      "a listing's publishedScan can name its last good scan; if these scores are meant to disappear",
  },
  {
    limit: "maxUnbanded",
    flag: "--max-unbanded",
    losses: ["band"],
    of: "band",
    says: (count, total) => `would leave ${count} of ${total} listings with a band without one`,
    remedy:
      "formerRubrics in standards.json gives bands to scores of earlier versions, and a scan can state its own in " +
      "band; if these bands are meant to disappear",
  },
];

/** The published directory of a refused build, and its warnings: they may say why listings are missing. */
export interface RefusedInput extends Warnings {
  /** The folder as the caller passed it. */
  readonly folder: string;
}

/**
 * A build would remove more listings than its limit allows, or leave more without their score or its band, as after an
 * outage of the scanner or when the rubric gets another version. No snapshot was published.
 */
export class TooManyRemovedError extends Error {
  override readonly name = "TooManyRemovedError";
  /** The option of `build` whose limit was exceeded. */
  readonly limit: "maxRemoved" | "maxUnscored" | "maxUnbanded";
  /** Its value, or the default. */
  readonly max: MaxRemoved;
  /** The number of listings in the current snapshot, or of those that have a score or a band. */
  readonly total: number;
  /** Hosts that would lose their report or leave search, or that would stay without their score or its band; sorted. */
  readonly hosts: readonly string[];
  /** How many of `hosts` would lose their report. */
  readonly reportsLost: number;
  /** The build's input. */
  readonly input: RefusedInput;

  /** @param refusal the properties of the error */
  constructor(message: string, refusal: Omit<TooManyRemovedError, keyof Error>) {
    super(message);
    this.limit = refusal.limit;
    this.max = refusal.max;
    this.total = refusal.total;
    this.hosts = refusal.hosts;
    this.reportsLost = refusal.reportsLost;
    this.input = refusal.input;
  }
}

/** What a build would remove from the current snapshot. */
export interface Losses {
  /** The hosts with each loss. A host is in at most one of the lists. */
  readonly lost: Readonly<Record<Loss, string[]>>;
  /**
   * How many listings of the current snapshot have each. Scores and bands are those of changed listings alone if these
   * already allow the loss, and too many if the snapshot is damaged.
   */
  readonly totals: Readonly<Record<Loss, number>>;
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
 * @param additions receive all changes
 */
export async function lossesIn(
  store: string,
  after: StoredSegments,
  former: FormerEntries | null,
  publications: readonly string[],
  limits: LossLimits,
  additions: Additions,
): Promise<Losses> {
  const lost: Losses["lost"] = tableOf(LOSSES, () => []);
  const totals = tableOf(LOSSES, () => 0);
  const changes = noChanges();
  let current: StoredSnapshot | null = null;
  try {
    const id = await idToCompare(store, publications);
    if (id === null) {
      changes.added = after.segments.reduce((sum, { live }) => sum + live, 0);
      return { lost, totals, changes, unchecked: null };
    }
    current = await StoredSnapshot.openManifest(store, id);
    additions.replace(current.manifest);
    const known = id === former?.id ? former.entries : undefined;
    for await (const change of listingChanges(current.listings, after, known)) {
      const { host, before, after: now } = change;
      for (const name of LOSSES) if (HAS[name](before)) totals[name] += 1;
      const loss = LOSSES.find((name) => HAS[name](before) && !HAS[name](now));
      if (loss !== undefined) lost[loss].push(host);
      addChange(changes, change);
      additions.add(change);
    }
    totals.report = current.manifest.counts.reports;
    const found = { lost, totals, changes, unchecked: null };
    // All tables are read only if the scores of the changed listings are too few to allow the loss.
    const guard = exceeded(found, limits);
    if (guard === undefined || guard.of === "report") return found;
    return { ...found, totals: await totalsOf(current) };
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    additions.forget();
    if (current !== null) {
      const { reports, searchable } = current.manifest.counts;
      // Every listing in search may have a score and a band.
      Object.assign(totals, { report: reports, score: searchable, band: searchable });
      lost.report.splice(0, Infinity, ...(await goneHosts(current.listings, after)));
    }
    return { lost, totals, changes: null, unchecked: error.message };
  } finally {
    current?.close();
  }
}

/** The first guard that refuses. */
function exceeded({ lost, totals }: Losses, limits: LossLimits): Guard | undefined {
  return GUARDS.find(({ limit, losses, of }) => {
    const count = losses.reduce((sum, loss) => sum + lost[loss].length, 0);
    return count > limits[limit].allowed(totals[of]);
  });
}

/** @throws TooManyRemovedError */
export function requireFewLost(losses: Losses, limits: LossLimits, input: RefusedInput): void {
  const guard = exceeded(losses, limits);
  if (guard === undefined) return;
  const { limit, flag } = guard;
  const { lost, totals } = losses;
  const { max } = limits[limit];
  const total = totals[guard.of];
  const hosts = guard.losses.flatMap((loss) => lost[loss]).sort(byCodeUnit);
  const reportsLost = limit === "maxRemoved" ? lost.report.length : 0;
  const message =
    `this build ${guard.says(hosts.length, total, lost)}, more than ${flag} ${max} allows: ` +
    `${firstHosts(hosts)}. Nothing was written; ${guard.remedy}, build with ${flag} 100%`;
  throw new TooManyRemovedError(message, { limit, max, total, hosts, reportsLost, input });
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

/** How many listings of a snapshot have what a build may take away. */
async function totalsOf({ listings }: StoredSnapshot): Promise<Losses["totals"]> {
  const totals = tableOf(LOSSES, () => 0);
  for await (const entry of listings.allEntries()) {
    for (const name of LOSSES) if (HAS[name](entry)) totals[name] += 1;
  }
  return totals;
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
function latestScoreOf(entry: ListingEntry | null): number | null {
  return entry?.search?.summary.latestScore ?? null;
}

export const NOT_IN_SEARCH_REASONS = [
  ...Tombstone.shape.why.options,
  "moved",
] as const satisfies readonly NotInSearchReason[];
/** A reason that keeps a listing of the input out of search, in the words of `explain`. */
export type NotInSearchReason = TombstoneReason | "moved";

/** How many listings of the input are not in search, by reason. Reasons with a count of 0 are included. */
export type NotInSearchCounts = Readonly<Record<NotInSearchReason, number>>;

/**
 * Counts the listings that a build left out of search. Each listing counts once.
 * @param tombstones with one entry for each host
 * @param listings how many listings the input has
 * @param searchable how many of them are in search
 */
export function notInSearchCounts(
  tombstones: readonly Tombstone[],
  listings: number,
  searchable: number,
): NotInSearchCounts {
  const counts = tableOf(NOT_IN_SEARCH_REASONS, () => 0);
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
