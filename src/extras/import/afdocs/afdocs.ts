import { z } from "zod";
import { STANDARDS } from "#extras/import/standards";
import { DateTime, FreeForm, Score } from "../../../contract/field.js";
import { hostAt, partOf, type RunCheck, type ScannerFormat } from "../scanner.js";

/*
 * The report of afdocs (`--format json`), which has a score only with `--score`. The score is the share of the weights
 * that the checks earn, or a cap if a critical check fails. The file does not say which version wrote it.
 */

const Report = z.object({
  url: z.string(),
  timestamp: DateTime,
  specUrl: z.string(),
  testedPages: z.number().optional(),
  samplingStrategy: z.string().optional(),
  results: z.array(
    z.object({
      id: z.string(),
      category: z.string(),
      status: z.enum(["pass", "warn", "fail", "skip", "error"]),
      message: z.string(),
      details: FreeForm.optional(),
    }),
  ),
  scoring: z
    .object({
      overall: Score,
      grade: z.string(),
      cap: z.object({ cap: z.number(), reason: z.string() }).optional(),
      checkScores: FreeForm,
      resolutions: FreeForm,
    })
    .optional(),
});
type Report = z.infer<typeof Report>;

const CheckScore = z.object({
  earnedScore: z.number(),
  maxScore: z.number(),
  scoreDisplayMode: z.string(),
});

const STATUS = { pass: "pass", warn: "warn", fail: "fail", skip: "na", error: "na" } as const;

export const afdocs: ScannerFormat = {
  name: "afdocs",
  scanner: "afdocs",
  standards: STANDARDS.afdocs,
  runs: (document) => {
    const report = partOf(Report, document);
    const { scoring } = report;
    return {
      host: hostAt(report.url, ["url"]),
      url: report.url,
      finishedAt: report.timestamp,
      score: scoring?.overall ?? null,
      scoreVersion: scoring === undefined ? null : "afdocs-0",
      summary: scoring === undefined ? null : summaryOf(scoring),
      profile: {
        specification: report.specUrl,
        pages: report.testedPages ?? null,
        sampling: report.samplingStrategy ?? null,
      },
      checks: checksOf(report),
    };
  },
};

function summaryOf({ grade, cap }: NonNullable<Report["scoring"]>): string {
  const capped = cap === undefined ? "" : ` The score is capped at ${cap.cap}: ${cap.reason}`;
  return `Grade ${grade}.${capped}`;
}

function checksOf({ results, scoring }: Report): RunCheck[] {
  const weights = results.map(({ id }) => {
    const found = scoring?.checkScores[id];
    if (found === undefined) return NO_WEIGHT;
    const weight = partOf(CheckScore, found, ["scoring", "checkScores", id]);
    // Too few pages were looked at. The check has a result, but does not count.
    return weight.scoreDisplayMode === "notApplicable" ? NO_WEIGHT : weight;
  });
  const total = weights.reduce((sum, { maxScore }) => sum + maxScore, 0);
  const points = (weight: number) => (total === 0 ? 0 : (100 * weight) / total);
  return results.map(({ id, category, status, message, details }, at) => {
    const { earnedScore, maxScore } = weights[at] ?? NO_WEIGHT;
    const fix = scoring?.resolutions[id];
    return {
      id,
      title: id,
      status: STATUS[status],
      points: points(earnedScore),
      maxPoints: points(maxScore),
      summary: status === "error" ? `The check could not be finished: ${message}` : message,
      details: { category, ...details },
      fix: typeof fix === "string" ? fix : undefined,
    };
  });
}

const NO_WEIGHT = { earnedScore: 0, maxScore: 0 };
