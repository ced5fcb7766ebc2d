import { z } from "zod";
import { Count, Ordinal, Score, Slug } from "./scalars.js";

export const CheckKind = z.enum(["achievement", "penalty", "capability"]);
export const CheckLifecycle = z.enum(["active", "experimental", "deprecated"]);
/** The block of the score in which a check counts; null if it counts in none. */
export const CheckBlock = z.int().min(1).max(2).nullable();
export const SourceLink = z
  .strictObject({ label: z.string(), url: z.string() })
  .meta({ id: "SourceLink" });

/** Contract section 2, Band: scores from `min` to `max`, both included. */
export const Band = z
  .strictObject({ band: Slug, label: z.string(), min: Score, max: Score })
  .meta({ id: "Band" });
export type Band = z.infer<typeof Band>;

/** Contract section 2, Standards: check description. */
export const CheckDescription = z
  .strictObject({
    id: Slug,
    name: z.string(),
    title: z.string(),
    version: Ordinal,
    reviewedVersion: Ordinal,
    reviewedOn: z.string(),
    specificationStatus: z.string(),
    overview: z.string(),
    whyItMatters: z.string(),
    whatWeCheck: z.string(),
    results: z.string(),
    limitations: z.string(),
    sources: z.array(SourceLink),
    sourceNote: z.string().nullable(),
    related: z.array(z.string()),
    kind: CheckKind,
    checkClass: z.enum(["universal", "conditional", "capability"]),
    lifecycle: CheckLifecycle,
    block: CheckBlock,
    weight: z.number(),
    maxPoints: z.number(),
  })
  .meta({ id: "CheckDescription" });
export type CheckDescription = z.infer<typeof CheckDescription>;

const AiCrawler = z
  .strictObject({
    name: z.string(),
    operator: z.string(),
    purpose: z.enum(["training", "search", "user-fetch", "agent", "extraction"]),
  })
  .meta({
    id: "AiCrawler",
    description:
      "A compatibility projection of approved scanner identities; purpose is an engagement scoring group.",
  });

const CrawlerRecord = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    operator: z.string(),
    group: z.string(),
    kind: z.string(),
    httpIdentity: z.string(),
    status: z.string(),
    verification: z.string(),
    reviewed: z.string(),
    summary: z.string(),
    robotsToken: z.string().nullable(),
    aliases: z.array(z.string()),
    purposes: z.array(z.string()),
    sources: z.array(z.string()),
    notes: z.string().nullable(),
    scanner: z.strictObject({
      recognized: z.boolean(),
      visibilityPenalty: z.boolean(),
      trainingOptOut: z.boolean(),
    }),
  })
  .meta({
    id: "CrawlerRecord",
    description: "Use it for factual uses, aliases and research.",
  });

/** Contract section 2, Standards: the scoring methodology. */
export const Standards = z
  .strictObject({
    rubric: z.strictObject({
      version: z.string(),
      block1Points: z.number(),
      block2Points: z.number(),
      bands: z.array(Band),
    }),
    badgeExamples: z.array(z.strictObject({ ...Band.shape, score: Score, capabilities: Count })),
    checks: z.array(CheckDescription),
    aiCrawlers: z.array(AiCrawler),
    crawlerCatalogue: z.array(CrawlerRecord),
  })
  .meta({ id: "Standards" });
export type Standards = z.infer<typeof Standards>;
