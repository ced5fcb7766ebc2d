import { z } from "zod";
import { STANDARDS } from "#extras/import/standards";
import { DateTime, FreeForm } from "../../../contract/field.js";
import { hostAt, partOf, type RunCheck, refusePart, type ScannerFormat } from "../scanner.js";

/*
 * Lighthouse's result (`--output json`). Of its categories, only the one about agents is read. Its score is the mean of
 * the audits that apply, each counted with its weight; Lighthouse writes a weight of 0 for all others.
 */

const CATEGORY = "agentic-browsing";

/** A score of Lighthouse, from 0 to 1. */
const Share = z
  .number()
  .refine((share) => share >= 0 && share <= 1, "must be a number from 0 to 1");

const Result = z.object({
  lighthouseVersion: z.string(),
  requestedUrl: z.string(),
  finalDisplayedUrl: z.string().nullish(),
  fetchTime: DateTime,
  runtimeError: z.object({ code: z.string(), message: z.string() }).optional(),
  categories: FreeForm,
  audits: FreeForm,
});

const Category = z.object({
  score: Share.nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});

const Audit = z.object({
  title: z.string(),
  score: Share.nullable(),
  scoreDisplayMode: z.string(),
  displayValue: z.string().optional(),
  explanation: z.string().optional(),
  errorMessage: z.string().optional(),
  details: FreeForm.optional(),
});
type Audit = z.infer<typeof Audit>;

export const lighthouse: ScannerFormat = {
  name: "lighthouse",
  scanner: "Lighthouse",
  standards: STANDARDS.lighthouse,
  runs: (document) => {
    const result = partOf(Result, document);
    const { [CATEGORY]: found } = result.categories;
    const error = result.runtimeError;
    if (found === undefined && error === undefined) {
      refusePart(
        ["categories"],
        `has no ${CATEGORY}; run lighthouse --only-categories=${CATEGORY}`,
      );
    }
    const { score, auditRefs } =
      found === undefined
        ? { score: null, auditRefs: [] }
        : partOf(Category, found, ["categories", CATEGORY]);
    const total = auditRefs.reduce((sum, { weight }) => sum + weight, 0);
    const major = /^\d+/.exec(result.lighthouseVersion)?.[0] ?? result.lighthouseVersion;
    return {
      host: hostAt(result.requestedUrl, ["requestedUrl"]),
      url: result.requestedUrl,
      finalUrl: result.finalDisplayedUrl ?? null,
      finishedAt: result.fetchTime,
      score: score === null ? null : Math.round(score * 100),
      scoreVersion: score === null ? null : `lighthouse-${major}`,
      scannerVersion: result.lighthouseVersion,
      checks: auditRefs.flatMap(({ id, weight }) => {
        const audit = partOf(Audit, result.audits[id], ["audits", id]);
        return UNCHECKED.includes(audit.scoreDisplayMode)
          ? []
          : [checkOf(id, audit, total === 0 ? 0 : (100 * weight) / total)];
      }),
      failure: error && `${error.code}: ${error.message}`,
    };
  },
};

/** The display modes of audits that only show something, or leave the judgement to people. */
const UNCHECKED = ["informative", "manual"];

function checkOf(id: string, audit: Audit, maxPoints: number): RunCheck {
  const { title, score, displayValue, explanation, errorMessage, details = {} } = audit;
  return {
    id,
    title,
    status: statusOf(score),
    points: (score ?? 0) * maxPoints,
    maxPoints: maxPoints,
    summary: [title, displayValue, explanation, errorMessage].filter(Boolean).join(": "),
    details,
  };
}

/** The limits are those between Lighthouse's own colours. An audit without a score does not apply, or ended early. */
function statusOf(score: number | null): RunCheck["status"] {
  if (score === null) return "na";
  return score >= 0.9 ? "pass" : score >= 0.5 ? "warn" : "fail";
}
