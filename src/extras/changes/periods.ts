import { madeOnce, type SnapshotView } from "../../answer/content.js";
import { byCodeUnit } from "../../contract/order.js";
import { addTo, namesOf } from "../../contract/tables.js";
import { changesOf, readChanges } from "./addition.js";
import { isNamed, type NamedChange, untilUnnamed } from "./changes.js";
import { withCurrentTerms } from "./current-terms.js";
import { type ChangeKind, PERIOD_DAYS, type PeriodId } from "./list-names.js";
import type { StoredChange } from "./stored-change.js";

/* What changed in the latest publications, for people: the log of changes, with each site's changes joined. */

/** A site of a list. */
export interface ChangedSite {
  readonly host: string;
  /** The score before the period; null if there was none, for a site that was not in search, or that is gone. */
  readonly from: number | null;
  /** The score now; null if there is none. */
  readonly to: number | null;
  /** When its last change was published. */
  readonly publishedAt: string;
  /** Ids of the checks that it passed only after, and only before; none unless its scores are compared. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** A check that sites passed only before or only after a period. */
export interface ChangedCheck {
  readonly checkId: string;
  /** Hosts, by falling score. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** What the publications of some days have changed. Each site is in at most one list. */
export interface Period {
  readonly id: PeriodId;
  /** The days of its publications, in UTC: `2026-01-01`; the oldest first. */
  readonly days: readonly string[];
  /**
   * Risen and fallen: scores of the same scoring version, by falling difference. Scored: those with a score now and
   * none before. Unscored: with none now, by falling score before. Scored, new and returned (removed in the last 30
   * days, and back): by falling score. Gone: by host. Equal ones by host.
   */
  readonly lists: Readonly<Record<ChangeKind, readonly ChangedSite[]>>;
  /** By the check's id. */
  readonly checks: readonly ChangedCheck[];
}

/** The periods up to the last day on which a publication changed something. */
export interface Periods {
  /** The shortest first. A period without more publications than a shorter one is left out. */
  readonly periods: readonly Period[];
  /** Whether there are periods with too many changes to list. */
  readonly isCut: boolean;
  /** When a site that is gone may no longer be named, in milliseconds since 1970. Absent if none is named. */
  readonly until?: number;
}

/** The most changes that are read. They take about a tenth of a second. */
const READ_MAX = 10_000;
const DAY_MS = 86_400_000;

/** The periods of a snapshot: many pages show them, and joining the changes is slow. */
const cachedPeriods = madeOnce(async (snapshot: SnapshotView) => ({
  periods: await joinedPeriods(snapshot),
}));

/**
 * The periods as they are now. They are joined once, and again when a removed site may no longer be named.
 * @throws BadSnapshotError if the log is damaged
 */
export async function periodsOf(snapshot: SnapshotView): Promise<Periods> {
  const cached = await cachedPeriods(snapshot);
  const { until = Number.POSITIVE_INFINITY } = cached.periods;
  if (until <= snapshot.now()) cached.periods = await joinedPeriods(snapshot);
  return cached.periods;
}

async function joinedPeriods(snapshot: SnapshotView): Promise<Periods> {
  const { changes, isWhole } = await latestChanges(snapshot);
  const days = [...new Set(changes.map(dayOfChange))];
  // Unless all changes were read, the oldest day is incomplete.
  const whole = isWhole ? days : days.slice(1);
  const end = Date.parse(days.at(-1) ?? "");
  const periods: Period[] = [];
  let isCut = !isWhole && days.length === 0;
  for (const id of namesOf(PERIOD_DAYS)) {
    const isIn = (day: string) => end - Date.parse(day) < PERIOD_DAYS[id] * DAY_MS;
    const own = whole.filter(isIn);
    if (own.length < days.filter(isIn).length) {
      isCut = true;
      break;
    }
    if (own.length > (periods.at(-1)?.days.length ?? 0)) {
      const first = own[0] ?? "";
      periods.push({ id, days: own, ...joinedChanges(changes, first) });
    }
  }
  return { periods, isCut, ...untilUnnamed(changes) };
}

function dayOfChange({ publishedAt }: StoredChange): string {
  return dayIn(publishedAt);
}

/** The day of an instant, in UTC: `2026-01-01`. */
function dayIn(instant: string): string {
  return instant.slice(0, "2026-01-01".length);
}

/** The changes of the longest period, oldest first. A site that may no longer be named has none. */
async function latestChanges(
  snapshot: SnapshotView,
): Promise<{ readonly changes: NamedChange[]; readonly isWhole: boolean }> {
  const { former } = snapshot.directory;
  const { changes: files } = changesOf(snapshot);
  const end = Date.parse(dayIn(files.at(-1)?.until ?? ""));
  const isLate = (instant: string) => end - Date.parse(dayIn(instant)) < PERIOD_DAYS.month * DAY_MS;
  const late = files.filter(({ until }) => isLate(until)).toReversed();
  const read: NamedChange[] = [];
  let filesRead = 0;
  let left = READ_MAX;
  for (const file of late) {
    left -= file.entries;
    if (left < 0) break;
    filesRead += 1;
    const named: NamedChange[] = [];
    for (const change of await readChanges(snapshot, file)) {
      if (isNamed(change, snapshot) && isLate(change.publishedAt))
        named.push(withCurrentTerms(change, former));
    }
    read.unshift(...named);
    await snapshot.pause();
  }
  return { changes: read, isWhole: filesRead === late.length };
}

/** What a period has done to a site. */
interface SiteChanges {
  readonly host: string;
  readonly publishedAt: string;
  /** Undefined for a site that was in search all the time. */
  readonly kind: "new" | "returned" | "gone" | undefined;
  /** The first change that can be compared with the last; null if there is none. */
  readonly from: StoredChange | null;
  readonly to: StoredChange | null;
  /** By check, 1 if it was gained and -1 if it was lost. */
  readonly checks: Map<string, number>;
}

/**
 * The lists of the days from `first` on.
 * @param changes oldest first, those of earlier days included: they tell which sites have returned
 */
function joinedChanges(
  changes: readonly NamedChange[],
  first: string,
): Pick<Period, "lists" | "checks"> {
  const removed = new Set<string>();
  const sites = new Map<string, SiteChanges>();
  for (const one of changes) {
    const { host, change } = one;
    if (dayOfChange(one) >= first) {
      const kind = removed.has(host) ? "returned" : "new";
      sites.set(host, changedSite(one, sites.get(host), kind));
    }
    if (change === "removed") removed.add(host);
  }
  return changeLists([...sites.values()]);
}

/** A site after one more change. @param entering what it is if the change adds it */
function changedSite(
  one: NamedChange,
  before: SiteChanges | undefined,
  entering: "new" | "returned",
): SiteChanges {
  const { host, publishedAt, change, checks } = one;
  const none = new Map<string, number>();
  const nothing = { host, publishedAt, from: null, to: null, checks: none };
  if (change === "removed") return { ...nothing, kind: "gone" };
  if (change === "added") return { ...nothing, kind: entering, to: checks === null ? null : one };
  // What former scans said is not told once they were corrected.
  if (checks === null) return { ...nothing, kind: before?.kind };
  const joined = before ?? { ...nothing, kind: undefined };
  for (const id of checks.gained) countCheck(joined.checks, id, 1);
  for (const id of checks.lost) countCheck(joined.checks, id, -1);
  return { ...joined, publishedAt, from: joined.from ?? one, to: one };
}

function countCheck(checks: Map<string, number>, id: string, by: number): void {
  checks.set(id, (checks.get(id) ?? 0) + by);
}

function changeLists(sites: readonly SiteChanges[]): Pick<Period, "lists" | "checks"> {
  const ordered = sites.toSorted(byNewScore);
  const entered = (kind: SiteChanges["kind"]) =>
    ordered
      .filter((site) => site.kind === kind)
      .map((site): ChangedSite => ({ ...changedScore(site), from: null }));
  const compared = ordered.filter(isComparable);
  const moved = compared
    .map((site): ChangedSite => ({ ...changedScore(site), ...checksOf(site) }))
    .filter(({ from, to }) => from !== null && to !== null)
    .sort(byDifference);
  const stayed = ordered.filter(({ kind }) => kind === undefined).map(changedScore);
  const lists = {
    risen: moved.filter((one) => differenceOf(one) > 0),
    fallen: moved.filter((one) => differenceOf(one) < 0),
    scored: stayed.filter(({ from, to }) => from === null && to !== null),
    unscored: stayed.filter(({ from, to }) => from !== null && to === null).sort(byDifference),
    new: entered("new"),
    returned: entered("returned"),
    gone: entered("gone"),
  };
  return { lists, checks: changedChecks(compared) };
}

function changedScore(site: SiteChanges): ChangedSite {
  const { host, publishedAt } = site;
  const from = site.from?.score?.from ?? null;
  return { host, from, to: newScoreOf(site), publishedAt, gained: [], lost: [] };
}

function checksOf({ checks }: SiteChanges): Pick<ChangedSite, "gained" | "lost"> {
  const moved = (by: number) =>
    [...checks].flatMap(([id, times]) => (Math.sign(times) === by ? id : [])).sort(byCodeUnit);
  return { gained: moved(1), lost: moved(-1) };
}

/** Whether a site's score and checks can be compared with those before. Those of different scoring versions cannot. */
function isComparable({ kind, from, to }: SiteChanges): boolean {
  return kind === undefined && from?.scoreVersion?.from === to?.scoreVersion?.to;
}

function changedChecks(sites: readonly SiteChanges[]): ChangedCheck[] {
  const gained = new Map<string, string[]>();
  const lost = new Map<string, string[]>();
  for (const { host, checks } of sites) {
    for (const [id, times] of checks) {
      if (times !== 0) addTo(times > 0 ? gained : lost, id, host);
    }
  }
  return [...new Set([...gained.keys(), ...lost.keys()])].sort(byCodeUnit).map((checkId) => ({
    checkId,
    gained: gained.get(checkId) ?? [],
    lost: lost.get(checkId) ?? [],
  }));
}

function newScoreOf({ to }: SiteChanges): number | null {
  return to?.score?.to ?? null;
}

function byNewScore(a: SiteChanges, b: SiteChanges): number {
  return (newScoreOf(b) ?? -1) - (newScoreOf(a) ?? -1) || byCodeUnit(a.host, b.host);
}

/** How far a score has moved. */
export function differenceOf({ from, to }: ChangedSite): number {
  return (to ?? 0) - (from ?? 0);
}

function byDifference(a: ChangedSite, b: ChangedSite): number {
  return Math.abs(differenceOf(b)) - Math.abs(differenceOf(a)) || byCodeUnit(a.host, b.host);
}
