import type { Check, Fix } from "../../contract/report.js";
import type { Random } from "../random.js";
import { FIX_TEXTS } from "./fix-texts.js";
import { type Score, scoreAfter } from "./scoring.js";

/** More than this a report does not list. */
const FIXES_MAX = 7;

/**
 * The repairs that a scan proposes, those that recover most first.
 * @param score null where the scan has none; then no fix says what the score would be
 */
export function fixesOf(
  host: string,
  checks: readonly Check[],
  score: Score | null,
  random: Random,
): Fix[] {
  // Most of the prompts of a scan are there, or none is.
  const archived = random.chance(0.9);
  return checks
    .filter(({ status }) => status === "fail" || status === "warn")
    .map((check) => ({ check, recovered: recoverable(check) }))
    .filter(({ check, recovered }) => recovered > 0 || check.checkId === "llms-txt")
    .sort((a, b) => b.recovered - a.recovered)
    .slice(0, FIXES_MAX)
    .flatMap(({ check, recovered }): Fix[] => {
      const { checkId, status } = check;
      const texts = FIX_TEXTS[checkId];
      if (texts === undefined) return [];
      const { title, kind, summary } = texts;
      const known = archived && !random.chance(0.04);
      const fix = {
        checkId,
        title,
        kind,
        status,
        summary: random.chance(0.1) ? null : summary,
        recoverablePoints: recovered,
        scoreAfter: score === null ? null : scoreAfter(score, checkId, recovered),
      };
      if (!known) return [{ ...fix, prompt: null, promptStatus: "unavailable" }];
      return [
        { ...fix, prompt: texts.prompt.replaceAll("{host}", host), promptStatus: "archived" },
      ];
    });
}

/** What a check would add if it passed: what it misses, or what a penalty has taken. */
function recoverable({ kind, points, maxPoints }: Check): number {
  return kind === "penalty" ? 0 - points : maxPoints - points;
}
