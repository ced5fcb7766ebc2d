import { z } from "zod";
import { AccessPolicy } from "./access-policy.js";
import { Enrichment } from "./enrichment.js";
import { Count, DateTime, FreeForm, Ordinal, Score } from "./scalars.js";
import { CheckBlock, CheckKind, CheckLifecycle, SourceLink } from "./standards.js";

/** Contract section 2, Check. `points` and `maxPoints` are points of the score. */
export const Check = z
  .strictObject({
    checkId: z.string(),
    checkVersion: Ordinal,
    title: z.string(),
    label: z.string(),
    kind: CheckKind,
    block: CheckBlock,
    status: z.enum(["pass", "warn", "fail", "na"]),
    points: z.number(),
    maxPoints: z.number(),
    lifecycle: CheckLifecycle.nullable(),
    summary: z.string().nullable(),
    details: FreeForm.describe("What the check saw; the keys vary by check and version."),
  })
  .meta({ id: "Check" });
export type Check = z.infer<typeof Check>;

/** Contract section 2, Observation: one request of the scan. */
export const Observation = z
  .strictObject({
    key: z.string(),
    url: z.string(),
    finalUrl: z.string().nullable(),
    status: Count.nullable(),
    contentType: z.string().nullable(),
    durationMs: z.number(),
    rung: z.string(),
    redirects: Count,
    byteLength: Count,
  })
  .meta({ id: "Observation" });

/** Contract section 2, Report.pages: sampled content pages besides the homepage. */
export const SampledPages = z
  .strictObject({
    version: Ordinal,
    completeness: z.enum(["full", "partial", "empty"]),
    stopped: z.string().nullable(),
    pages: z.array(
      z.strictObject({
        url: z.string(),
        kind: z.string(),
        sources: z.array(z.enum(["previous", "sitemap", "homepage"])),
        reasons: z.array(z.string()),
        outcome: z.string(),
        status: Count.nullable(),
        finalUrl: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "SampledPages" });

/** Contract section 2, Fix. `scoreAfter` is the site's score once the fix is applied. */
export const Fix = z
  .strictObject({
    checkId: z.string(),
    title: z.string(),
    kind: z.string(),
    status: z.string(),
    summary: z.string().nullable(),
    recoverablePoints: z.number(),
    scoreAfter: Score.nullable(),
    prompt: z.string().nullable(),
    promptStatus: z.enum(["archived", "unavailable"]),
  })
  .meta({ id: "Fix" });
export type Fix = z.infer<typeof Fix>;

/** Contract section 2, Prerender. */
export const Prerender = z
  .strictObject({
    version: z.literal(1),
    platform: z.enum(["lovable"]),
    markdownOnRequest: z.boolean(),
    title: z.string(),
    paragraphs: z.array(z.string()),
    sources: z.array(SourceLink),
  })
  .meta({
    id: "Prerender",
    description:
      "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it verifies; the score grades what every other reader receives.",
  });

const Redirect = z.strictObject({
  host: z.string().nullable().describe("The host that the redirect leads to."),
  status: Count.nullable().describe("HTTP status of the redirect; null for a scripted navigation."),
});

const ScanStats = z.strictObject({
  pagesScanned: Count.nullable(),
  requestCount: Count.nullable(),
  bytesFetched: Count.nullable(),
  durationMs: z.number().nullable(),
});

/** Contract section 2, Report.scan. */
export const ReportScan = z
  .strictObject({
    id: z.string(),
    status: z
      .string()
      .describe("`moved`: the homepage redirects to another domain, and the scan has no score."),
    finishedAt: DateTime,
    historical: z.boolean(),
    score: Score.nullable().describe("Null if there is no score. Null never means zero."),
    band: z.string().nullable(),
    scoreVersion: z.string().nullable(),
    block1: z.number().nullable(),
    block2: z.number().nullable(),
    penalties: z.number().nullable(),
    cappedAt: Count.nullable().describe(
      "The score's ceiling when the homepage gave a crawler without a browser nothing to read; blocks minus penalties then add up to more than the score.",
    ),
    robotsVerdict: z.string().nullable(),
    summary: z.string().nullable(),
    redirect: Redirect.nullable().describe("Set when the status is `moved`."),
    stats: ScanStats,
  })
  .meta({ id: "ReportScan" });

/** Beyond the contract (decisions, Scans and history): one published scan in a report's history. */
export const HistoryEntry = z
  .strictObject({
    id: z.string(),
    finishedAt: DateTime,
    score: Score.nullable(),
    band: z.string().nullable(),
    scoreVersion: z.string().nullable(),
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Contract section 2, Report; `history` is ours (decisions, Scans and history). */
export const Report = z
  .strictObject({
    enrichment: Enrichment.nullable(),
    accessPolicy: AccessPolicy.nullable(),
    prerender: Prerender.nullable(),
    site: z.strictObject({
      host: z.string(),
      url: z.string(),
      name: z.string().nullable(),
      description: z.string().nullable(),
      status: z.string(),
      claimed: z.boolean(),
    }),
    scan: ReportScan,
    profile: FreeForm.nullable().describe(
      "Observed login, API and commerce features and their evidence.",
    ),
    checks: z.array(Check),
    observations: z.array(Observation),
    pages: SampledPages.nullable().describe("Null for scans archived before sampling."),
    fixes: z.strictObject({
      data: z.array(Fix),
      total: Count,
      limit: Count.nullable(),
      hidden: Count,
    }),
    access: z.strictObject({
      history: z.boolean(),
      highlight: z.boolean(),
      starterFiles: z.boolean(),
    }),
    starterFiles: FreeForm.nullable().describe(
      "Generated file drafts and their readiness, if the plan includes them.",
    ),
    starterFilesOffer: z.boolean(),
    links: z
      .strictObject({ canonical: z.string(), markdown: z.string() })
      .describe("Addresses of the report as a page for people and in Markdown."),
    seo: z.strictObject({ indexable: z.boolean() }),
    history: z
      .array(HistoryEntry)
      .optional()
      .describe("All published scans, newest first, if the plan includes history."),
  })
  .meta({ id: "Report" });
export type Report = z.infer<typeof Report>;
