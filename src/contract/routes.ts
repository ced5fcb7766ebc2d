import { z } from "zod";
import { Enrichment } from "./enrichment.js";
import { field } from "./field.js";
import { LIMITS } from "./limits.js";
import { Facets, Pagination, SiteSummary, Suggestion, TaxonomyEntry } from "./listing.js";
import { ListingFilters, NoQuery, ReportQuery, SearchQuery, SuggestionsQuery } from "./query.js";
import { Report } from "./report.js";
import { Host } from "./scalars.js";
import { Standards } from "./standards.js";
import { namesOf } from "./tables.js";

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
const Corrections = field(
  z.array(z.string()).max(LIMITS.correctionsMax).optional(),
  "Beyond the contract: corrected queries, where q by itself matches no listing.",
  ["weather"],
);

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
      "Filters combine with AND; repeated category, tag, platform and band values with OR; repeated capability values with AND. An out-of-range page is empty and has the real total.",
    query: SearchQuery,
    body: z.strictObject({
      data: field(z.array(SiteSummary), "The listings of the page, in the order of `sort`."),
      pagination: field(Pagination, "Where the page lies among all that match."),
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
      data: field(z.array(Suggestion).max(LIMITS.suggestionsMax), "The suggestions, best first."),
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
    body: z.strictObject({ data: field(Facets, "The counts.") }),
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
      "The latest published report, or a historical one by its scan id if the listing's plan includes history. Blocked, opted-out and redirected reports show only that the host is known.",
    query: ReportQuery,
    body: z.strictObject({ data: field(Report, "The report.") }),
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
    body: z.strictObject({
      data: field(Enrichment.nullable(), "The state; null for unscored reports."),
    }),
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
    body: z.strictObject({ data: field(Standards, "The scoring methodology.") }),
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
    description: "Empty categories are included. The order is by `order`, then by slug.",
    query: null,
    body: z.strictObject({ data: field(z.array(TaxonomyEntry), "The active categories.") }),
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
    description: "Unused tags are included. The order is by `order`, then by slug.",
    query: null,
    body: z.strictObject({ data: field(z.array(TaxonomyEntry), "The active tags.") }),
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
    body: z.looseObject({
      openapi: field(z.string(), "Version of the OpenAPI format.", "3.1.0"),
      info: field(
        z.looseObject({ version: field(z.string(), "Version of the API.", "1.0.0") }),
        "About the API.",
      ),
    }),
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
    body: z.looseObject({
      linkset: field(
        z.array(
          z.looseObject({
            anchor: field(
              z.string(),
              "The API that the links are about.",
              "https://api.directory.example/api",
            ),
          }),
        ),
        "The APIs and their links.",
      ),
    }),
    contentType: "application/linkset+json",
    cache: "catalogue",
    errors: [502, 503],
    example: "/.well-known/api-catalog",
    document: ".well-known/api-catalog",
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
export const ROUTE_NAMES: readonly RouteName[] = namesOf(ROUTES);

/** Path parameters, by their name in braces. */
export const PATH_PARAMETERS = {
  host: field(
    Host,
    "Canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot.",
    "birchclinic.example",
  ),
} as const;
