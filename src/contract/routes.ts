import { z } from "zod";
import { Enrichment } from "./enrichment.js";
import { LIMITS } from "./limits.js";
import { Facets, Pagination, SiteSummary, Suggestion, TaxonomyEntry } from "./listing.js";
import { ListingFilters, NoQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "./query.js";
import { Report } from "./report.js";
import { Host } from "./scalars.js";
import { Standards } from "./standards.js";

/**
 * How long an answer may be reused, and by which caches (contract section 8, catalogue read reuse; decisions,
 * HTTP). A CDN can be purged when a listing is removed; a browser's cache cannot.
 */
export const CACHE_CONTROL = {
  catalogue: "public, max-age=60",
  directory: "public, max-age=0, s-maxage=60, must-revalidate",
  polled: "no-cache",
  error: "no-store",
} as const;

/** Queries proposed if `q` alone matches nothing (decisions, Typo tolerance). */
const Corrections = z
  .array(z.string())
  .max(LIMITS.correctionsMax)
  .optional()
  .describe("Beyond the contract: corrected queries, where q by itself matches no listing.");

/** One route: its request and its answers (contract section 4). */
export interface Route {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  /** Segments in braces are path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Accepted query parameters; null if the route ignores any query. */
  readonly query: z.ZodObject | null;
  /** The schema of a 200's body. */
  readonly body: z.ZodType;
  readonly contentType: string;
  readonly cache: Exclude<keyof typeof CACHE_CONTROL, "error">;
  /** The statuses of the contract's section 7, without 304. */
  readonly errors: readonly (400 | 403 | 404 | 502 | 503)[];
  /** A typical request to the sample, below the base address. */
  readonly example: string;
  /** The body's path in the store, below a snapshot's `public/`. Absent if the body is computed or is in a pack. */
  readonly document?: string;
}

const JSON_TYPE = "application/json";

export const ROUTES = {
  search: {
    id: "searchSites",
    path: "/api/sites",
    summary: "Search published listings",
    description:
      "Filters combine with AND; repeated category, tag, platform and band values with OR; repeated capability values with AND. A page out of range is empty and has the real total.",
    query: SearchQuery,
    body: z.strictObject({
      data: z.array(SiteSummary),
      pagination: Pagination,
      didYouMean: Corrections,
    }),
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites?q=clinic&minScore=50&limit=2",
  },
  suggestions: {
    id: "suggestSites",
    path: "/api/sites/suggestions",
    summary: "Suggest listings",
    description: `At most ${LIMITS.suggestionsMax} listings: exact hosts, then exact names, then prefixes, then substrings; ties by host. Scores and payments do not affect the order.`,
    query: SuggestionsQuery,
    body: z.strictObject({
      data: z.array(Suggestion).max(LIMITS.suggestionsMax),
      didYouMean: Corrections,
    }),
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites/suggestions?q=clin",
  },
  facets: {
    id: "getFacets",
    path: "/api/sites/facets",
    summary: "Count listings by category, signal and platform",
    description:
      "Category counts ignore the selected category, platform counts the selected platform; signal counts keep every filter and add the candidate signal.",
    query: ListingFilters,
    body: z.strictObject({ data: Facets }),
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites/facets?minScore=50",
  },
  report: {
    id: "getReport",
    path: "/api/sites/{host}/report",
    summary: "Read a listing's report",
    description:
      "The latest published report, or a historical one by its scan id where the listing's plan has history. Blocked, opted-out and redirected reports say no more than that the host is known.",
    query: ReportQuery,
    body: z.strictObject({ data: Report }),
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 403, 404, 502, 503],
    example: "/api/sites/birchclinic.example/report",
  },
  enrichment: {
    id: "getEnrichment",
    path: "/api/sites/{host}/enrichment",
    summary: "Read the state of a report's enrichment",
    description:
      "Null for unscored reports. Poll only while a state is queued, generating or delayed, and back off on errors.",
    query: NoQuery,
    body: z.strictObject({ data: Enrichment.nullable() }),
    contentType: JSON_TYPE,
    cache: "polled",
    errors: [400, 404, 502, 503],
    example: "/api/sites/birchclinic.example/enrichment",
  },
  standards: {
    id: "getStandards",
    path: "/api/standards",
    summary: "Read the scoring methodology",
    description:
      "Rubric, bands, checks and crawlers. Historical reports keep the scoring version they were scored with.",
    query: null,
    body: z.strictObject({ data: Standards }),
    contentType: JSON_TYPE,
    cache: "catalogue",
    errors: [502, 503],
    example: "/api/standards",
    document: "api/standards.json",
  },
  categories: {
    id: "listCategories",
    path: "/api/categories",
    summary: "List the active categories",
    description: "Empty ones included, ordered by order, then slug.",
    query: null,
    body: z.strictObject({ data: z.array(TaxonomyEntry) }),
    contentType: JSON_TYPE,
    cache: "catalogue",
    errors: [502, 503],
    example: "/api/categories",
    document: "api/categories.json",
  },
  tags: {
    id: "listTags",
    path: "/api/tags",
    summary: "List the active tags",
    description: "Unused ones included, ordered by order, then slug.",
    query: null,
    body: z.strictObject({ data: z.array(TaxonomyEntry) }),
    contentType: JSON_TYPE,
    cache: "catalogue",
    errors: [502, 503],
    example: "/api/tags",
    document: "api/tags.json",
  },
  openapi: {
    id: "getDescription",
    path: "/api/openapi.json",
    summary: "Read this description",
    description: "The OpenAPI 3.1 description of this API.",
    query: null,
    body: z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) }),
    contentType: JSON_TYPE,
    cache: "catalogue",
    errors: [502, 503],
    example: "/api/openapi.json",
    document: "api/openapi.json",
  },
  catalog: {
    id: "getApiCatalog",
    path: "/.well-known/api-catalog",
    summary: "Read the API catalogue",
    description: "An RFC 9264 linkset of the APIs published here, found at RFC 9727's address.",
    query: null,
    body: z.looseObject({ linkset: z.array(z.looseObject({ anchor: z.string() })) }),
    contentType: "application/linkset+json",
    cache: "catalogue",
    errors: [502, 503],
    example: "/.well-known/api-catalog",
    document: ".well-known/api-catalog",
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** Path parameters, by their name in braces. */
export const PATH_PARAMETERS = {
  host: Host.describe(
    "Canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot.",
  ),
} as const;
