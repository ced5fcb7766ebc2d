import type { Check } from "../../contract/report.js";
import type { CheckDescription } from "../../contract/standards.js";
import type { PublishedStandards } from "../../input/records.js";

/** A check as standards.json has it. */
export type PublishedCheck = PublishedStandards["checks"][number];

/** The words for the results of a check, in lower case. */
const WORDS: readonly (readonly [Check["status"], readonly string[]])[] = [
  ["pass", ["pass", "true", "yes", "1"]],
  ["warn", ["warn"]],
  ["fail", ["fail", "false", "no", "0"]],
  ["na", ["na", "n/a", "skip", "skipped"]],
];

/** What a scan says of a check. */
export type Outcome = Pick<Check, "status" | "points" | "maxPoints" | "summary" | "details">;

/** The outcome of a check from a word for it; null if the cell is no such word. */
export function outcomeIn(cell: unknown, check: CheckDescription): Outcome | null {
  const word = String(cell).trim().toLowerCase();
  const [status] = WORDS.find(([, words]) => words.includes(word)) ?? [];
  if (status === undefined) return null;
  const { kind, weight, maxPoints } = check;
  const lost = kind === "penalty" && status === "fail" ? -weight : 0;
  const points = status === "pass" ? maxPoints : lost;
  return { status, points, maxPoints, summary: null, details: {} };
}

/** The result of a check in a scan. Its facts are those of standards.json. */
export function resultOf(check: CheckDescription, outcome: Outcome): Check {
  const { id, name, title, version, kind, block, lifecycle } = check;
  const { status, points, maxPoints, summary, details } = outcome;
  return {
    checkId: id,
    checkVersion: version,
    title,
    label: name,
    kind,
    block,
    status,
    points,
    maxPoints,
    lifecycle,
    summary,
    details,
  };
}

/** A check that standards.json lacks. Without points it changes no score. */
export function draftedCheck(id: string, name: string, maxPoints: number): PublishedCheck {
  if (maxPoints === 0) return { id, name, kind: "capability", maxPoints };
  return { id, name, kind: "achievement", block: 1, maxPoints };
}
