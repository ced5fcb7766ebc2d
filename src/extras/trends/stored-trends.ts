import {
  countExempt,
  countPassing,
  type Figures,
  type GroupFigures,
  medianScore,
} from "../../contract/figures.js";
import type { Standards } from "../../contract/standards.js";
import { own } from "../../contract/tables.js";

/*
 * How the figures of a directory have developed over its publications. A publication adds only the figures that differ
 * from those before it, so that the document grows with what changes. It names no host.
 */

/** The name of this extra, and the kind of its one file. */
export const TRENDS_EXTRA = "trends";

/** The group of all listings. No category has this slug. */
export const ALL_LISTINGS = "*";

/** Figures of a group by their names (`figureValues`). Null: there was no such figure at this time. */
type GroupValues = Readonly<Record<string, number | null>>;

/** When a publication was made, and what its scores mean. */
export interface TrendMoment {
  readonly generation: number;
  /** Null for the first publication of a store. */
  readonly publishedAt: string | null;
  /** When the last of the listings was scanned; null if none was. */
  readonly scannedTo: string | null;
  readonly scoreVersion: string;
}

export interface StoredPoint extends TrendMoment {
  /** The figures that differ from those of the point before: by group, then by name. */
  readonly set: Readonly<Record<string, GroupValues>>;
}

/** The document: points of time, oldest first. */
export interface Trends {
  readonly points: readonly StoredPoint[];
}

/** The parts of a methodology that give figures their meaning. */
type Rubric = Pick<Standards, "rubric" | "checks">;

/** Adds a publication with its figures, and drops earlier ones that are not kept. @param former null if unknown */
export function trendsWith(
  former: Trends | null,
  moment: TrendMoment,
  figures: Figures,
  standards: Rubric,
): Trends {
  const points = former?.points ?? [];
  const before = new Map<string, Record<string, number | null>>();
  for (const point of points) addValues(before, point);
  const set: Record<string, GroupValues> = {};
  const groups = { [ALL_LISTINGS]: figures.all, ...figures.categories };
  for (const group of new Set([...before.keys(), ...Object.keys(groups)])) {
    const now = figureValues(own(groups, group) ?? NO_LISTINGS, standards);
    const changed = changedValues(before.get(group) ?? {}, now);
    if (Object.keys(changed).length > 0) set[group] = changed;
  }
  return { points: thinned([...points, { ...moment, set }]) };
}

const NO_LISTINGS: GroupFigures = { listed: 0, scored: 0, scores: [], passed: {}, exempt: {} };

function figureValues(group: GroupFigures, { rubric, checks }: Rubric): GroupValues {
  const values: Record<string, number | null> = {
    listed: group.listed,
    scored: group.scored,
    median: medianScore(group),
  };
  for (const { band, min, max } of rubric.bands) {
    values[`band ${band}`] = group.scores.reduce(
      (sum, [score, count]) => sum + (score >= min && score <= max ? count : 0),
      0,
    );
  }
  for (const { id, kind } of checks) {
    if (kind === "penalty") continue;
    values[`passed ${id}`] = countPassing(group, id);
    values[`exempt ${id}`] = countExempt(group, id);
  }
  return values;
}

function changedValues(before: GroupValues, now: GroupValues): GroupValues {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changed = [...names].filter((name) => (own(before, name) ?? null) !== (now[name] ?? null));
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? null]));
}

/** Adds the figures of a point to those of the points before it. @param groups if given, only these */
export function addValues(
  into: Map<string, Record<string, number | null>>,
  { set }: Pick<StoredPoint, "set">,
  groups: readonly string[] = Object.keys(set),
): void {
  for (const group of groups) {
    const values = own(set, group);
    if (values === undefined) continue;
    const before = into.get(group);
    if (before === undefined) into.set(group, { ...values });
    else Object.assign(before, values);
  }
}

const DAY_MS = 86_400_000;
/** Days for which the last publication of each day is kept; before that, the last one of each week. */
const DAILY = 90;
/** Days from a Monday to 1 January 1970. */
const MONDAY = 3;

/** Leaves out each point that another one of the same day or week follows, and adds its figures to that one. */
function thinned(points: readonly StoredPoint[]): StoredPoint[] {
  const days = points.map(({ publishedAt, scannedTo }) => {
    const time = publishedAt ?? scannedTo;
    return time === null ? null : Math.floor(Date.parse(time) / DAY_MS);
  });
  const today = days.at(-1) ?? 0;
  const span = (day: number | null | undefined) => {
    if (day === null || day === undefined) return null;
    return today - day < DAILY ? `day ${day}` : `week ${Math.floor((day + MONDAY) / 7)}`;
  };
  const kept: StoredPoint[] = [];
  for (const [place, point] of points.entries()) {
    const last = kept.at(-1);
    const isSame =
      place > 0 && span(days[place]) !== null && span(days[place - 1]) === span(days[place]);
    if (last === undefined || !isSame) kept.push(point);
    else kept[kept.length - 1] = { ...point, set: joinedSets(last, point) };
  }
  return kept;
}

function joinedSets(...points: readonly StoredPoint[]): StoredPoint["set"] {
  const joined = new Map<string, Record<string, number | null>>();
  for (const point of points) addValues(joined, point);
  return Object.fromEntries(joined);
}
