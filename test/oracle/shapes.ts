import { OBJECTS } from "../contract/objects.js";

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

/** An object of the contract by its table, which test/contract/objects.ts writes down: absent means null or empty. */
function inContract(name: string, ...without: readonly string[]): Shape {
  const fields = Object.entries(OBJECTS[name] ?? {}).filter(([key]) => !without.includes(key));
  return object(Object.fromEntries(fields.map(([key, { json }]) => [key, byRules(json)])));
}

function byRules(rules: Rules): Shape {
  const { anyOf, type, items, properties } = rules;
  if (anyOf !== undefined) return nullable(byRules(anyOf[0] ?? {}));
  if (type === "array") return list(byRules(items ?? {}));
  if (properties === undefined) return given;
  const keys = Object.entries(properties).map(([key, own]): [string, Shape] => [key, byRules(own)]);
  return object(Object.fromEntries(keys));
}

/** What is looked at of a JSON Schema. */
interface Rules {
  anyOf?: readonly Rules[];
  type?: string;
  items?: Rules;
  properties?: Readonly<Record<string, Rules>>;
}

export const standardsShape = inContract("Standards");

// --- directory.json, taxonomy.json and listings: as publishers write them ---

export const directoryShape = object({
  format: given,
  name: given,
  baseUrl: given,
  siteUrl: nullable(),
  description: nullable(),
  lang: nullable(),
  headline: nullable(),
  contact: nullable(),
  license: nullable(),
  contactUrl: nullable(),
  claimUrl: nullable(),
  rescanUrl: nullable(),
  correctionUrl: nullable(),
});

const taxonomyEntry = object({
  slug: given,
  name: given,
  group: given,
  order: given,
  active: orElse(true),
  formerly: list(),
});

export const taxonomyShape = object({
  categories: list(taxonomyEntry),
  tags: list(taxonomyEntry),
  platforms: list(object({ slug: given, name: given, formerly: list() })),
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
  checks: list(inContract("Check")),
  observations: list(inContract("Observation")),
  pages: nullable(inContract("SampledPages")),
  fixes: list(inContract("Fix")),
  accessPolicy: nullable(inContract("AccessPolicy")),
  prerender: nullable(inContract("Prerender")),
  starterFiles: nullable(),
  enrichment: nullable(
    object({
      copy: inContract("EnrichmentState"),
      starterFiles: nullable(inContract("EnrichmentState")),
      revision: nullable(),
    }),
  ),
});
