import { noFacetsBeyond } from "../facets.js";
import { REPORT_OBJECTS } from "./report-objects.js";
import {
  array,
  atLeast,
  between,
  boolean,
  dateTime,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  slug,
  string,
  uri,
} from "./shapes.js";

/** An object's keys, in the contract's order, and what it says of each. */
export type Fields = Readonly<Record<string, Shape>>;

const score = between(0, 100);
const count = atLeast(0);
const text = nullable(string);

const SourceLink = { label: string, url: string };

const Pagination = { page: atLeast(1), limit: between(1, 100), total: count, totalPages: count };

const TaxonomyEntry = { slug, name: string, group: string, order: integer };

const SiteSummary = {
  host: string,
  url: uri,
  name: text,
  tagline: text,
  status: string,
  latestScore: nullable(score),
  latestBand: text,
  latestScoreVersion: text,
  latestScannedAt: nullable(dateTime),
  platforms: array(string),
  hosting: text,
  linkRel: string,
  category: nullable(object(TaxonomyEntry)),
  tags: array(object(TaxonomyEntry)),
  capabilities: array(string),
  logoUrl: text,
  ogImageUrl: text,
  highlighted: boolean,
};

const Suggestion = {
  host: string,
  name: text,
  logoUrl: text,
  // Beyond the contract, with `include=scores`.
  latestScore: optional(nullable(score)),
  latestBand: optional(text),
  latestScoreVersion: optional(text),
  // Beyond the contract, with `include=site`.
  site: optional(object(SiteSummary)),
};

/** A score and its number of listings. */
const pair: Shape = {
  json: { type: "array", items: count.json, minItems: 2, maxItems: 2 },
};

/** Beyond the contract. */
const FacetScores = {
  bands: array(object({ band: string, count })),
  unscored: count,
  olderScoring: count,
  points: array(pair),
};

const Facets = {
  total: count,
  categories: object({ total: count, items: array(object({ ...TaxonomyEntry, count })) }),
  signals: array(
    object({
      id: string,
      label: string,
      description: string,
      kind: oneOf("achievement", "capability"),
      count,
    }),
  ),
  platforms: array(object({ slug: string, name: string, count })),
  ...Object.fromEntries(
    Object.keys(noFacetsBeyond()).map((member) => [member, array(object({ slug: string, count }))]),
  ),
  scores: optional(object(FacetScores)),
};

const Band = { band: slug, label: string, min: score, max: score };

const CheckDescription = {
  id: slug,
  name: string,
  title: string,
  version: atLeast(1),
  reviewedVersion: atLeast(1),
  reviewedOn: string,
  specificationStatus: string,
  overview: string,
  whyItMatters: string,
  whatWeCheck: string,
  results: string,
  limitations: string,
  sources: array(object(SourceLink)),
  sourceNote: text,
  related: array(string),
  kind: oneOf("achievement", "penalty", "capability"),
  checkClass: oneOf("universal", "conditional", "capability"),
  lifecycle: oneOf("active", "experimental", "deprecated"),
  block: nullable(between(1, 2)),
  weight: number,
  maxPoints: number,
};

const AiCrawler = {
  name: string,
  operator: string,
  purpose: oneOf("training", "search", "user-fetch", "agent", "extraction"),
};

const CrawlerRecord = {
  id: string,
  name: string,
  operator: string,
  group: string,
  kind: string,
  httpIdentity: string,
  status: string,
  verification: string,
  reviewed: string,
  summary: string,
  robotsToken: text,
  aliases: array(string),
  purposes: array(string),
  sources: array(string),
  notes: text,
  scanner: object({ recognized: boolean, visibilityPenalty: boolean, trainingOptOut: boolean }),
};

const Standards = {
  rubric: object({
    version: string,
    block1Points: number,
    block2Points: number,
    bands: array(object(Band)),
  }),
  badgeExamples: array(object({ ...Band, score, capabilities: count })),
  checks: array(object(CheckDescription)),
  aiCrawlers: array(object(AiCrawler)),
  crawlerCatalogue: array(object(CrawlerRecord)),
};

const Issue = { path: string, message: string };

/** Every object of the contract, by the name of its component. */
export const OBJECTS: Readonly<Record<string, Fields>> = {
  Pagination,
  TaxonomyEntry,
  SiteSummary,
  Suggestion,
  Facets,
  ...REPORT_OBJECTS,
  SourceLink,
  Band,
  CheckDescription,
  AiCrawler,
  CrawlerRecord,
  Standards,
  Issue,
  Error: { error: string, issues: optional(array(object(Issue))) },
};
