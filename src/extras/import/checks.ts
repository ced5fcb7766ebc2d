import type { Check } from "../../contract/report.js";
import type { CheckDescription } from "../../contract/standards.js";
import { own } from "../../contract/tables.js";
import type { PublishedStandards } from "../../input/records.js";

/** A check as standards.json has it. */
export type PublishedCheck = PublishedStandards["checks"][number];

/** The words for the results of a check, in lower case. */
const WORDS: Readonly<Record<string, Check["status"]>> = {
  pass: "pass",
  true: "pass",
  yes: "pass",
  1: "pass",
  warn: "warn",
  fail: "fail",
  false: "fail",
  no: "fail",
  0: "fail",
  na: "na",
  "n/a": "na",
  skip: "na",
  skipped: "na",
};

/** What a scan says of a check. */
export type Outcome = Pick<Check, "status" | "points" | "maxPoints" | "summary" | "details">;

/** The outcome of a check from a word for it; null if the cell is no such word. */
export function outcomeIn(cell: unknown, check: CheckDescription): Outcome | null {
  const status = own(WORDS, String(cell).trim().toLowerCase());
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
