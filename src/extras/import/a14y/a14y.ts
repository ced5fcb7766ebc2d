import { z } from "zod";
import { STANDARDS } from "#extras/import/standards";
import { DateTime, Score } from "../../../contract/field.js";
import { hostAt, partOf, type RunCheck, refusePart, type ScannerFormat } from "../scanner.js";

/*
 * The result of a14y (`--output json`) under one scorecard. A check of pages has a result on each page. The score
 * counts either all results of all checks, or the share of each check.
 */

const Check = z.object({
  id: z.string(),
  name: z.string(),
  implementationVersion: z.string().optional(),
  status: z.enum(["pass", "warn", "fail", "error", "na"]),
  message: z.string().optional(),
});

const Run = z.object({
  url: z.string(),
  mode: z.string(),
  scorecardVersion: z.string(),
  scoringMethodology: z.string().optional(),
  finishedAt: DateTime,
  siteChecks: z.array(Check),
  pages: z.array(z.object({ url: z.string(), finalUrl: z.string(), checks: z.array(Check) })),
  summary: z.object({ applicable: z.number(), score: Score }),
});
type Run = z.infer<typeof Run>;

/** A result, with the page that it is about; null for one about the site. */
type Outcome = z.infer<typeof Check> & { readonly page: string | null };

export const a14y: ScannerFormat = {
  name: "a14y",
  scanner: "a14y",
  standards: STANDARDS.a14y,
  runs: (document) => {
    if (Array.isArray(document)) {
      refusePart([], "has runs under several scorecards; run a14y with one --scorecard");
    }
    const run = partOf(Run, document);
    const { finishedAt, scorecardVersion, mode, pages, summary } = run;
    return {
      host: hostAt(run.url, ["url"]),
      url: run.url,
      finalUrl: mode === "page" ? pages[0]?.finalUrl : null,
      finishedAt,
      score: summary.applicable === 0 ? null : summary.score,
      scoreVersion: `a14y-${scorecardVersion}`,
      // The file names the scorecard, which decides the checks and the score, but not the program's version.
      profile: { mode, pages: pages.length, scorecard: scorecardVersion },
      checks: checksOf(run),
    };
  },
};

function checksOf({ siteChecks, pages, scoringMethodology }: Run): RunCheck[] {
  const outcomes: Outcome[] = [
    ...siteChecks.map((check) => ({ ...check, page: null })),
    ...pages.flatMap(({ url, checks }) => checks.map((check) => ({ ...check, page: url }))),
  ];
  const byId = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const all = byId.get(outcome.id);
    if (all === undefined) byId.set(outcome.id, [outcome]);
    else all.push(outcome);
  }
  const counts = [...byId.values()].map((all) => {
    const applicable = all.filter(({ status }) => status !== "na").length;
    return { applicable, passed: all.filter(({ status }) => status === "pass").length };
  });
  const isPerCheck = scoringMethodology === "per-check-mean-v1";
  const weightOf = (applicable: number) => (isPerCheck ? Math.sign(applicable) : applicable);
  const total = counts.reduce((sum, { applicable }) => sum + weightOf(applicable), 0);
  return [...byId.entries()].map(([id, all], at) => {
    const { applicable = 0, passed = 0 } = counts[at] ?? {};
    const maxPoints = total === 0 ? 0 : (100 * weightOf(applicable)) / total;
    return {
      id,
      title: all[0]?.name ?? id,
      status: statusOf(all, applicable, passed),
      points: applicable === 0 ? 0 : (maxPoints * passed) / applicable,
      maxPoints: maxPoints,
      summary: all.length > 1 ? `Passes on ${passed} of ${applicable} pages.` : messageOf(all[0]),
      details: {
        results: all.map(({ page, status, message = null }) => ({ page, status, message })),
      },
    };
  });
}

function statusOf(all: readonly Outcome[], applicable: number, passed: number): RunCheck["status"] {
  if (all.every(({ status }) => status === "na" || status === "error")) return "na";
  if (passed === applicable) return "pass";
  return passed > 0 || all.some(({ status }) => status === "warn") ? "warn" : "fail";
}

function messageOf(outcome: Outcome | undefined): string | null {
  const message = outcome?.message ?? null;
  return outcome?.status === "error" ? `The check could not be finished: ${message}` : message;
}
