import type { Report } from "../../contract/report.js";
import type { Level } from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";
import type { Outlook } from "./outlook.js";

/*
 * What a score becomes once some fixes are made. The server decides whether a report says enough for that, and the
 * page's script adds up.
 */

/** A fix that a reader can tick. */
export interface TickedFix {
  /** The id of its check, which the page's address names. */
  readonly id: string;
  /** The points that its check has lost. */
  readonly points: number;
  /** Whether it lifts the cap of the score. */
  readonly isLifting: boolean;
}

/** A score, and the fixes that would raise it. */
export interface Fixable {
  readonly score: number;
  /** The blocks less the penalties, which may be below 0 or above 100. */
  readonly points: number;
  readonly cap: number | null;
  readonly fixes: readonly TickedFix[];
}

/** What the page tells its script. */
export interface FixingFacts extends Pick<Fixable, "score" | "points" | "cap"> {
  /** The bands of the score's methodology; none if it is a former one. */
  readonly bands: readonly {
    readonly label: string;
    readonly min: number;
    readonly max: number;
    readonly level: Level;
  }[];
}

/**
 * The fixes of a report that readers can tick: those that the plan shows, of checks that cost points or cap the score.
 * @returns null without any, for a historical report, and if the report's own numbers (its score, and what it says
 *   of each fix) are not what the methodology's sum gives: the sum of several would then be a guess
 */
export function fixableOf(
  { scan, fixes: { data } }: Report,
  { cap, faults }: Outlook,
  left: LeftOut,
): Fixable | null {
  const { score, block1, block2, penalties, cappedAt } = scan;
  const isWhole = left.checks === undefined && left.fixes === undefined;
  if (scan.historical || !isWhole) return null;
  if (score === null || block1 === null || block2 === null) return null;
  const fixes: TickedFix[] = [];
  for (const { check, fix, cost } of [...(cap?.causes ?? []), ...faults]) {
    if (check === null || fix === null) continue;
    const isLifting = cappedAt !== null && (fix.scoreAfter ?? 0) > cappedAt;
    if (cost > 0 || isLifting) fixes.push({ id: check.checkId, points: cost, isLifting });
  }
  const ids = new Set(fixes.map(({ id }) => id));
  const points = block1 + block2 - Math.abs(penalties ?? 0);
  const fixable = { score, points, cap: cappedAt, fixes };
  const isExplained =
    scoreWith(fixable, []) === score &&
    data.every(({ checkId, scoreAfter }) => {
      const own = fixes.filter(({ id }) => id === checkId);
      return own.length === 0 || scoreAfter === null || scoreWith(fixable, own) === scoreAfter;
    });
  return isExplained && fixes.length > 0 && ids.size === fixes.length ? fixable : null;
}

/** The score once some fixes are made: all points, rounded, from 0 to 100, up to the cap unless a fix lifts it. */
export function scoreWith(
  { points, cap }: Pick<Fixable, "points" | "cap">,
  made: readonly Pick<TickedFix, "points" | "isLifting">[],
): number {
  const sum = made.reduce((all, one) => all + one.points, points);
  // Decimals like 0.1 do not add up exactly, and half a point decides.
  const exact = Math.round(sum * 1e6) / 1e6;
  const score = Math.min(100, Math.max(0, Math.round(exact)));
  return cap === null || made.some(({ isLifting }) => isLifting) ? score : Math.min(cap, score);
}
