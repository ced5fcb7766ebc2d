import { expect } from "vitest";
import type { Check, Fix, Report } from "../../../src/contract/report.js";
import { type LeftOut, NOTHING_LEFT_OUT } from "../../../src/pages/report/excerpt.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { aCheck, aFix } from "../../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../parsed.js";
import { CONTEXT, reportsOf } from "../reports.js";

/** A report of these checks, whose score follows from them as a scanner would count it. */
export function reportOf(
  checks: readonly Partial<Check>[],
  fixes: readonly Partial<Fix>[] = [],
  cappedAt: number | null = null,
): Report {
  const made = checks.map((check, index) => aCheck({ checkId: `check-${index}`, ...check }));
  const sum = (kind: Check["kind"]) =>
    made.filter((one) => one.kind === kind).reduce((all, { points }) => all + points, 0);
  const block1 = sum("achievement");
  const penalties = -sum("penalty");
  const score = scoreOf(block1 - penalties, cappedAt);
  const { latest } = reportsOf({}, { score, block1, block2: 0, penalties, cappedAt });
  const data = fixes.map((fix) => aFix(fix));
  return {
    ...latest,
    checks: made,
    fixes: { data, total: data.length, limit: null, hidden: 0 },
  };
}

export function scoreOf(points: number, cappedAt: number | null): number {
  return Math.min(cappedAt ?? 100, Math.round(Math.min(100, Math.max(0, points))));
}

export const lost = (label: string, points: number, maxPoints: number): Partial<Check> => ({
  label,
  points,
  maxPoints,
  status: points === 0 ? "fail" : "warn",
});

/** What the page and its Markdown form say about the way to 100. */
export function textsOf(report: Report, left: LeftOut = NOTHING_LEFT_OUT): [string, string] {
  const sections = all(parsedPage(reportPage(report, CONTEXT, left)), "section");
  const section = sections.find((one) => attributeOf(one, "id") === "fixes");
  const [, markdown = ""] =
    /## What to do\n([\s\S]*?)\n## /.exec(reportMarkdown(report, CONTEXT, left)) ?? [];
  return [
    section === undefined ? "" : textOf(section),
    markdown.replace(/\\(.)/g, "$1").replace(/\s+/g, " "),
  ];
}

export function expectBoth(report: Report, text: string): void {
  for (const one of textsOf(report)) expect(one.replaceAll("**", "")).toContain(text);
}
