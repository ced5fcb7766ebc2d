import type { Check } from "./report.js";
import type { Standards } from "./standards.js";
import { own } from "./tables.js";

/*
 * Figures of a whole directory, which the build counts once. They are beyond the contract: no answer of the
 * API has them, pages show them.
 */

/** The path of the figures among a snapshot's public documents. Snapshots of older versions have none. */
export const FIGURES_DOCUMENT = "figures.json";

/** What the listed sites of a directory, or of one category, have in common. */
export interface GroupFigures {
  /** The number of sites in the directory's search. */
  readonly listed: number;
  /** The number of those that have a score of the current scoring version. */
  readonly scored: number;
  /**
   * How many of the scored sites have each score: pairs of score and count, by rising score, without counts of zero.
   */
  readonly scores: readonly (readonly [score: number, count: number])[];
  /** How many of the listed sites pass each check (achievements and capabilities), by the check's id. */
  readonly passed: Readonly<Record<string, number>>;
  /** To how many of them a check does not apply, by its id. A site whose scan lacks the check counts here, too. */
  readonly exempt: Readonly<Record<string, number>>;
}

export interface Figures {
  /** When the last of the listed sites was scanned (RFC 3339); null if none was. */
  readonly lastScannedAt: string | null;
  readonly all: GroupFigures;
  /** By the category's slug; categories without listed sites are left out. */
  readonly categories: Readonly<Record<string, GroupFigures>>;
  /** The sites whose score has another scoring version, by this version ("" if it has none). Left out without any. */
  readonly otherVersions?: Readonly<Record<string, OtherVersion>>;
}

/** The sites whose score has a scoring version other than the directory's. */
export interface OtherVersion {
  readonly scored: number;
  /**
   * How many of them have no band: the rubric of their version is not known, and their scans have none of their own.
   */
  readonly unbanded: number;
}

/** The fewest sites of which a share is shown: a share of fewer would tell something about single sites. */
export const FIGURES_MIN = 5;

/** How many of a group's scored sites have a lower score than one site, the same, and a higher one. */
export interface Rank {
  readonly lower: number;
  /** The site itself is not counted. */
  readonly same: number;
  readonly higher: number;
  /** The number of scored sites. */
  readonly of: number;
}

/** @param score of a site of the group */
export function rankOf({ scored, scores }: GroupFigures, score: number): Rank {
  const lower = scores.reduce((sum, [one, count]) => sum + (one < score ? count : 0), 0);
  const own = scores.find(([one]) => one === score)?.[1] ?? 0;
  return { lower, same: Math.max(0, own - 1), higher: scored - lower - own, of: scored };
}

/** The lower median of a group's scores; null if no site is scored. */
export function medianScore({
  scored,
  scores,
}: Pick<GroupFigures, "scored" | "scores">): number | null {
  let passed = 0;
  for (const [score, count] of scores) {
    passed += count;
    if (2 * passed >= scored) return score;
  }
  return null;
}

/** Whether a check counts as passed. `capabilities` of a listing's summary has the ids of these checks. */
export function isPassed({ kind, status }: Pick<Check, "kind" | "status">): boolean {
  return kind !== "penalty" && status === "pass";
}

/** How many of a group's listed sites pass a check. */
export function countPassing({ passed }: GroupFigures, checkId: string): number {
  return own(passed, checkId) ?? 0;
}

/** To how many of a group's listed sites a check applies. */
export function countSubject({ listed, exempt }: GroupFigures, checkId: string): number {
  return listed - countExempt({ exempt }, checkId);
}

/** To how many of a group's listed sites a check does not apply. */
export function countExempt({ exempt }: Pick<GroupFigures, "exempt">, checkId: string): number {
  return own(exempt, checkId) ?? 0;
}

/**
 * The share that passes a check, of a group's listed sites to which it applies: in whole percent from 1 to 99, or `few`
 * or `most` if fewer than FIGURES_MIN sites pass or do not pass.
 * @returns null if both are that few, so that nothing can be said
 */
export function sharePassing(group: GroupFigures, checkId: string): number | "few" | "most" | null {
  const subject = countSubject(group, checkId);
  const count = countPassing(group, checkId);
  const isFew = count < FIGURES_MIN;
  const isMost = subject - count < FIGURES_MIN;
  if (isFew && isMost) return null;
  if (isFew) return "few";
  return isMost ? "most" : wholePercent(count, subject);
}

/** A share in whole percent. It is 0 or 100 only for none or all. @param of greater than 0 */
export function wholePercent(count: number, of: number): number {
  if (count === 0 || count === of) return count === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((100 * count) / of)));
}

/** What pages know about the checks of a methodology, each by its id and in the methodology's order. */
export interface CheckLists {
  readonly checkIds: readonly string[];
  /** The achievements, without experimental and deprecated ones. */
  readonly achievements: readonly string[];
  /** What each check is about, by its id. */
  readonly overviews: Readonly<Record<string, string>>;
}

export function checkLists({ checks }: Pick<Standards, "checks">): CheckLists {
  const achievements = checks.filter(
    ({ kind, lifecycle }) => kind === "achievement" && lifecycle === "active",
  );
  return {
    checkIds: checks.map(({ id }) => id),
    achievements: achievements.map(({ id }) => id),
    overviews: Object.fromEntries(checks.map(({ id, overview }) => [id, overview])),
  };
}
