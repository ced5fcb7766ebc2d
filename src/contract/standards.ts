import * as z from "zod";
import { Count, field, nullableText, Ordinal, Score, Slug, textField } from "./field.js";

export const CheckKind = z.enum(["achievement", "penalty", "capability"]);
export const CheckLifecycle = z.enum(["active", "experimental", "deprecated"]);
/** The block of the score in which a check counts; null if it counts in none. */
export const CheckBlock = z.int().min(1).max(2).nullable();
export const SourceLink = z
  .strictObject({
    label: textField("What the link leads to.", "RFC 9110"),
    url: textField("Its address.", "https://www.rfc-editor.org/rfc/rfc9110"),
  })
  .meta({ id: "SourceLink" });

/** A band: the scores from `min` to `max`, both included. */
export const Band = z
  .strictObject({
    band: field(Slug, "Id of the band; the filter `band` takes it.", "exemplary"),
    label: textField("Name of the band for people.", "Exemplary"),
    min: field(Score, "Lowest score of the band.", 80),
    max: field(Score, "Highest score of the band.", 100),
  })
  .meta({ id: "Band" });
export type Band = z.infer<typeof Band>;

/** The description of a check (docs/contract.md#28-standards). */
export const CheckDescription = z
  .strictObject({
    id: field(Slug, "Id of the check; reports and the filter `capability` use it.", "https"),
    name: textField("A short name.", "HTTPS"),
    title: textField("What the check looks for.", "Served over HTTPS"),
    version: field(Ordinal, "Version of the check, counted from 1.", 2),
    reviewedVersion: field(Ordinal, "The version that was reviewed last.", 2),
    reviewedOn: textField("When it was reviewed last.", "2026-08-20"),
    specificationStatus: textField(
      "How settled the underlying specification is, in a word of the publisher's.",
      "stable",
    ),
    overview: textField("What the check is about.", "The site answers over HTTPS."),
    whyItMatters: textField(
      "Why readers without a browser need it.",
      "Many crawlers do not read plain HTTP.",
    ),
    whatWeCheck: textField(
      "What the scanner does.",
      "We request the homepage over HTTPS and over HTTP.",
    ),
    results: textField(
      "What each result means.",
      "Passes if HTTPS answers and HTTP redirects to it.",
    ),
    limitations: textField(
      "What the check cannot see.",
      "Only the homepage is requested over HTTP.",
    ),
    sources: field(z.array(SourceLink), "Specifications and other sources."),
    sourceNote: nullableText(
      "A remark on the sources; null if there is none.",
      "Crawlers' own documentation differs in detail.",
    ),
    related: field(z.array(z.string()), "Ids of related checks.", ["redirects"]),
    kind: field(
      CheckKind,
      "`achievement` earns points, `penalty` takes points off, `capability` changes no score.",
      "achievement",
    ),
    checkClass: field(
      z.enum(["universal", "conditional", "capability"]),
      "`universal` applies to every site, `conditional` to some, `capability` shows what a site offers.",
      "universal",
    ),
    lifecycle: field(
      CheckLifecycle,
      "`active`, `experimental` (adds no points) or `deprecated`.",
      "active",
    ),
    block: field(CheckBlock, "The block of the score that the check counts in; null if none.", 1),
    weight: field(z.number(), "Weight within its block.", 6),
    maxPoints: field(z.number(), "The most points of the score that it can bring.", 6),
  })
  .meta({ id: "CheckDescription" });
export type CheckDescription = z.infer<typeof CheckDescription>;

const AiCrawler = z
  .strictObject({
    name: textField("Name of the crawler.", "GPTBot"),
    operator: textField("Who operates it.", "OpenAI"),
    purpose: field(
      z.enum(["training", "search", "user-fetch", "agent", "extraction"]),
      "The group in which scoring counts it.",
      "training",
    ),
  })
  .meta({
    id: "AiCrawler",
    description:
      "A compatibility projection of approved scanner identities; purpose is an engagement scoring group.",
  });

const CrawlerScanner = z.strictObject({
  recognized: field(z.boolean(), "Whether the scanner knows the crawler.", true),
  visibilityPenalty: field(z.boolean(), "Whether refusing the crawler costs points.", false),
  trainingOptOut: field(
    z.boolean(),
    "Whether refusing the crawler counts as an opt-out of training.",
    true,
  ),
});

const CrawlerRecord = z
  .strictObject({
    id: textField("Id of the crawler.", "gptbot"),
    name: textField("Name of the crawler.", "GPTBot"),
    operator: textField("Who operates it.", "OpenAI"),
    group: textField("The group under which it is listed.", "ai"),
    kind: textField("What kind of client it is.", "crawler"),
    httpIdentity: textField("How it names itself in `User-Agent`.", "GPTBot"),
    status: textField("Whether it is in use.", "active"),
    verification: textField("How a site can verify it.", "ip-list"),
    reviewed: textField("When this record was reviewed last.", "2026-08-20"),
    summary: textField("What it does.", "Collects pages for training."),
    robotsToken: nullableText("Its name in robots.txt; null if it has none.", "GPTBot"),
    aliases: field(z.array(z.string()), "Other names of it.", ["GPTBot/1.2"]),
    purposes: field(z.array(z.string()), "What it reads pages for.", ["training"]),
    sources: field(z.array(z.string()), "Addresses that document it.", [
      "https://platform.openai.com/docs/bots",
    ]),
    notes: nullableText("Remarks; null if there are none.", "Reads robots.txt once a day."),
    scanner: field(CrawlerScanner, "How the scanner treats it."),
  })
  .meta({
    id: "CrawlerRecord",
    description: "Use it for factual uses, aliases and research.",
  });

const Rubric = z.strictObject({
  version: textField("Version of the scoring methodology.", "2026.1"),
  block1Points: field(z.number(), "The most points of the first block.", 60),
  block2Points: field(z.number(), "The most points of the second block.", 40),
  bands: field(z.array(Band), "The bands, which cover all scores from 0 to 100."),
});

const BadgeExample = z.strictObject({
  ...Band.shape,
  score: field(Score, "The score on the badge.", 86),
  capabilities: field(Count, "The number of capabilities on the badge.", 4),
});

/** The scoring methodology (docs/contract.md#28-standards). */
export const Standards = z
  .strictObject({
    rubric: field(Rubric, "How scores are made up, and their bands."),
    badgeExamples: field(z.array(BadgeExample), "Badges to show, one a band for example."),
    checks: field(z.array(CheckDescription), "All checks, in the publisher's order."),
    aiCrawlers: field(z.array(AiCrawler), "The crawlers that scoring counts."),
    crawlerCatalogue: field(z.array(CrawlerRecord), "What is known about each crawler."),
  })
  .meta({ id: "Standards" });
export type Standards = z.infer<typeof Standards>;
