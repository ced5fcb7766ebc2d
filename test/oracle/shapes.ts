/** Any JSON value, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Takes a value as given (undefined: the key is absent) and returns what the API serves of it. */
export type Shape = (given: Json | undefined) => Json;

/** A required value, kept as given. Throws when it is absent. */
const given: Shape = (value) => {
  if (value === undefined) throw new Error("a required key is missing");
  return value;
};

/** Absent means null. */
function nullable(inner: Shape = given): Shape {
  return (value) => (value === undefined || value === null ? null : inner(value));
}

/** Absent means empty. */
function list(inner: Shape = given): Shape {
  return (value) => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw new Error("not an array");
    return value.map((item) => inner(item));
  };
}

/** Absent means the default; null is kept. */
function orElse(fallback: Json, inner: Shape = given): Shape {
  return (value) => inner(value === undefined ? fallback : value);
}

/**
 * An object of exactly these keys, which come out in this order whatever order they were given
 * in. Throws on an unknown key: the oracle reads valid directories only.
 */
function object(keys: Record<string, Shape>): Shape {
  return (value) => {
    if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value))
      throw new Error("not an object");
    for (const key of Object.keys(value))
      if (!Object.hasOwn(keys, key)) throw new Error(`unknown key ${key}`);
    const ordered: [string, Json][] = Object.entries(keys).map(([key, shape]) => [
      key,
      shape(Object.hasOwn(value, key) ? value[key] : undefined),
    ]);
    return Object.fromEntries(ordered);
  };
}

const link = object({ label: given, url: given });

// --- standards.json: contract section 2, Standards ---

const bandKeys = { band: given, label: given, min: given, max: given };

const checkDescription = object({
  id: given,
  name: given,
  title: given,
  version: given,
  reviewedVersion: given,
  reviewedOn: given,
  specificationStatus: given,
  overview: given,
  whyItMatters: given,
  whatWeCheck: given,
  results: given,
  limitations: given,
  sources: list(link),
  sourceNote: nullable(),
  related: list(),
  kind: given,
  checkClass: given,
  lifecycle: given,
  block: nullable(),
  weight: given,
  maxPoints: given,
});

const crawlerRecord = object({
  id: given,
  name: given,
  operator: given,
  group: given,
  kind: given,
  httpIdentity: given,
  status: given,
  verification: given,
  reviewed: given,
  summary: given,
  robotsToken: nullable(),
  aliases: list(),
  purposes: list(),
  sources: list(),
  notes: nullable(),
  scanner: object({ recognized: given, visibilityPenalty: given, trainingOptOut: given }),
});

export const standardsShape = object({
  rubric: object({
    version: given,
    block1Points: given,
    block2Points: given,
    bands: list(object(bandKeys)),
  }),
  badgeExamples: list(object({ ...bandKeys, score: given, capabilities: given })),
  checks: list(checkDescription),
  aiCrawlers: list(object({ name: given, operator: given, purpose: given })),
  crawlerCatalogue: list(crawlerRecord),
});

// --- directory.json, taxonomy.json and listings: the published format's own tables ---

export const directoryShape = object({
  format: given,
  name: given,
  baseUrl: given,
  siteUrl: nullable(),
  description: nullable(),
  contact: nullable(),
  license: nullable(),
});

const taxonomyEntry = object({
  slug: given,
  name: given,
  group: given,
  order: given,
  active: orElse(true),
});

export const taxonomyShape = object({
  categories: list(taxonomyEntry),
  tags: list(taxonomyEntry),
  platforms: list(object({ slug: given, name: given })),
});

export const listingShape = object({
  host: given,
  url: given,
  name: nullable(),
  tagline: nullable(),
  description: nullable(),
  status: given,
  visibility: orElse("listed"),
  category: nullable(),
  tags: list(),
  platforms: list(),
  hosting: nullable(),
  linkRel: orElse("nofollow"),
  logoUrl: nullable(),
  ogImageUrl: nullable(),
  entitlements: orElse(
    {},
    object({
      history: orElse(false),
      fixPrompts: orElse(0),
      starterFiles: orElse(false),
      highlight: orElse(false),
    }),
  ),
  publishedScan: nullable(),
});

// --- scans: contract section 2, Report and what it holds ---

const check = object({
  checkId: given,
  checkVersion: given,
  title: given,
  label: given,
  kind: given,
  block: nullable(),
  status: given,
  points: given,
  maxPoints: given,
  lifecycle: nullable(),
  summary: nullable(),
  details: given,
});

const observation = object({
  key: given,
  url: given,
  finalUrl: nullable(),
  status: nullable(),
  contentType: nullable(),
  durationMs: given,
  rung: given,
  redirects: given,
  byteLength: given,
});

const sampledPage = object({
  url: given,
  kind: given,
  sources: list(),
  reasons: list(),
  outcome: given,
  status: nullable(),
  finalUrl: nullable(),
});

const fix = object({
  checkId: given,
  title: given,
  kind: given,
  status: given,
  summary: nullable(),
  recoverablePoints: given,
  scoreAfter: nullable(),
  prompt: nullable(),
  promptStatus: given,
});

const finding = object({
  subjects: list(),
  state: given,
  explanation: given,
  source: given,
  url: given,
  scope: given,
  raw: list(),
  checkIds: list(),
});

const accessPolicy = object({
  version: given,
  url: given,
  summary: given,
  notes: list(),
  identities: list(object({ token: given, operator: given, purpose: given })),
  rows: list(object({ id: given, title: given, summary: given, findings: list(finding) })),
});

const prerender = object({
  version: given,
  platform: given,
  markdownOnRequest: given,
  title: given,
  paragraphs: list(),
  sources: list(link),
});

const enrichmentState = object({ state: given, nextRetryAt: nullable() });

export const scanShape = object({
  host: given,
  id: given,
  status: given,
  finishedAt: given,
  score: nullable(),
  band: nullable(),
  scoreVersion: nullable(),
  block1: nullable(),
  block2: nullable(),
  penalties: nullable(),
  cappedAt: nullable(),
  robotsVerdict: nullable(),
  summary: nullable(),
  redirect: nullable(object({ host: nullable(), status: nullable() })),
  stats: orElse(
    {},
    object({
      pagesScanned: nullable(),
      requestCount: nullable(),
      bytesFetched: nullable(),
      durationMs: nullable(),
    }),
  ),
  profile: nullable(),
  checks: list(check),
  observations: list(observation),
  pages: nullable(
    object({
      version: given,
      completeness: given,
      stopped: nullable(),
      pages: list(sampledPage),
    }),
  ),
  fixes: list(fix),
  accessPolicy: nullable(accessPolicy),
  prerender: nullable(prerender),
  starterFiles: nullable(),
  enrichment: nullable(
    object({
      copy: enrichmentState,
      starterFiles: nullable(enrichmentState),
      revision: nullable(),
    }),
  ),
});
