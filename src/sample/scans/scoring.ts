import type { Check } from "../../contract/report.js";
import { bandAt, OLDER, RUBRIC, SHELL_CEILING } from "../methodology/rubric.js";

/** What a scan's checks add up to. */
export interface Score {
  readonly block1: number;
  readonly block2: number;
  /** Points taken, as a positive number. */
  readonly penalties: number;
  readonly score: number;
  /** The ceiling, where the points would add up to more. */
  readonly cappedAt: number | null;
}

/** Adds up a scan's checks (contract section 2, Report.scan). */
export function scoreOf(checks: readonly Check[]): Score {
  const sum = (some: (check: Check) => boolean) =>
    checks.filter(some).reduce((total, { points }) => total + points, 0);
  const block1 = sum(({ block }) => block === 1);
  const block2 = sum(({ block }) => block === 2);
  const penalties = 0 - sum(({ kind }) => kind === "penalty");
  const total = rounded(block1 + block2 - penalties);
  const capped = isShell(checks) && total > SHELL_CEILING;
  return {
    block1,
    block2,
    penalties,
    score: capped ? SHELL_CEILING : total,
    cappedAt: capped ? SHELL_CEILING : null,
  };
}

/** The score that the scan would have with one check repaired; text in the HTML lifts the ceiling. */
export function scoreAfter(current: Score, checkId: string, recovered: number): number {
  const { block1, block2, penalties, cappedAt } = current;
  const total = rounded(block1 + block2 - penalties + recovered);
  const ceiling = checkId === "server-rendered" ? null : cappedAt;
  return ceiling === null ? total : Math.min(total, ceiling);
}

/** The band of a score under the current or the older scoring version. */
export function bandOf(score: number, older: boolean): string {
  return bandAt(older ? OLDER.bands : RUBRIC.bands, score).band;
}

function isShell(checks: readonly Check[]): boolean {
  return checks.some(({ checkId, status }) => checkId === "empty-shell" && status === "fail");
}

function rounded(points: number): number {
  return Math.min(100, Math.max(0, Math.round(points)));
}
