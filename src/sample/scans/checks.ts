import type { Check } from "../../contract/report.js";
import type { CheckDescription } from "../../contract/standards.js";
import { OLDER } from "../methodology/rubric.js";
import { STANDARDS } from "../methodology/standards.js";
import { MEANING_VERDICTS } from "./meaning-verdicts.js";
import { OFFER_VERDICTS } from "./offer-verdicts.js";
import { REACH_VERDICTS } from "./reach-verdicts.js";
import type { Judge, Visit } from "./verdict.js";

/** A check as a scoring version has it. */
interface Rated {
  readonly check: CheckDescription;
  readonly judge: Judge;
  readonly version: number;
  /** Points that it can add, or that a penalty takes. */
  readonly points: number;
  readonly lifecycle: Check["lifecycle"];
}

const JUDGES = { ...REACH_VERDICTS, ...MEANING_VERDICTS, ...OFFER_VERDICTS };

const CURRENT_CHECKS = STANDARDS.checks
  .filter(({ lifecycle }) => lifecycle !== "deprecated")
  .map((check) => rated(check, check.version, check.weight, check.lifecycle));

/** Lifecycles were not recorded then. */
const OLDER_CHECKS = STANDARDS.checks.flatMap((check) => {
  const points = OLDER.points[check.id];
  return points === undefined ? [] : rated(check, Math.max(1, check.version - 1), points, null);
});

/** Checks that need no homepage. */
const WITHOUT_HOMEPAGE = new Set(["robots-txt", "crawler-access", "sitemap", "llms-txt"]);

/**
 * The results of one visit. What does not apply keeps its points; half of them for a warning; a penalty
 * takes its points when it fails and adds none.
 */
export function checksOf(
  visit: Visit,
  { older, reached }: { older: boolean; reached: boolean },
): Check[] {
  return (older ? OLDER_CHECKS : CURRENT_CHECKS)
    .filter(({ check }) => reached || WITHOUT_HOMEPAGE.has(check.id))
    .map(({ check, judge, version, points, lifecycle }) => {
      const { status, summary, details } = judge(visit);
      return {
        checkId: check.id,
        checkVersion: version,
        title: check.title,
        label: check.name,
        kind: check.kind,
        block: check.block,
        status,
        points: pointsOf(check.kind, status, points),
        maxPoints: check.kind === "penalty" ? 0 : points,
        lifecycle,
        summary,
        details,
      };
    });
}

const SHARE: Record<Check["status"], number> = { pass: 1, na: 1, warn: 0.5, fail: 0 };

function pointsOf(kind: Check["kind"], status: Check["status"], points: number): number {
  if (kind !== "penalty") return points * SHARE[status];
  return status === "fail" ? 0 - points : 0;
}

function rated(
  check: CheckDescription,
  version: number,
  points: number,
  lifecycle: Check["lifecycle"],
): Rated {
  const judge = JUDGES[check.id];
  if (judge === undefined) throw new Error(`the sample has no findings for ${check.id}`);
  return { check, judge, version, points, lifecycle };
}
