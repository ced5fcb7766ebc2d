import {
  FacetsQuery,
  NoQuery,
  type Parameter,
  type ParameterTable,
  ReportQuery,
  SearchQuery,
  SuggestionsQuery,
} from "./query.js";
import { namesOf } from "./tables.js";
import { FILE_NAME, HOST } from "./values.js";

/**
 * How long an answer may be reused, and by which caches
 * (docs/contract.md#83-reuse). A CDN can be purged when a listing is removed; a browser's cache cannot.
 */
export const CACHE_CONTROL = {
  catalogue: "public, max-age=60",
  directory: "public, max-age=0, s-maxage=60, must-revalidate",
  polled: "no-cache",
  error: "no-store",
} as const;

/** One route: its request and its answers (docs/contract.md#1-the-nine-reads). `BODIES` has the schemas of the answers,
 * `READ_TEXTS` its descriptions. */
export interface Route {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  /** Segments in braces are path parameters. */
  readonly path: string;
  /** Accepted query parameters; null if the route ignores any query. */
  readonly query: ParameterTable | null;
  readonly contentType: string;
  readonly cache: Exclude<keyof typeof CACHE_CONTROL, "error">;
  /** The statuses of errors (docs/contract.md#7-errors). */
  readonly errors: readonly (400 | 403 | 404 | 502 | 503)[];
  /** A typical request to the sample, below the base address. */
  readonly example: string;
  /** The body's path in the store, below a snapshot's `public/`. Absent if the body is computed or is in a pack. */
  readonly document?: string;
}

const JSON_TYPE = "application/json";

/** What reads of stored documents share: their bodies are the same for every request. */
const STORED = {
  query: null,
  contentType: JSON_TYPE,
  cache: "catalogue",
  errors: [502, 503],
} as const;

export const ROUTES = {
  search: {
    id: "searchSites",
    path: "/api/sites",
    query: SearchQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites?q=clinic&minScore=50&limit=2",
  },
  suggestions: {
    id: "suggestSites",
    path: "/api/sites/suggestions",
    query: SuggestionsQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites/suggestions?q=clin",
  },
  facets: {
    id: "getFacets",
    path: "/api/sites/facets",
    query: FacetsQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/sites/facets?minScore=50",
  },
  report: {
    id: "getReport",
    path: "/api/sites/{host}/report",
    query: ReportQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 403, 404, 502, 503],
    example: "/api/sites/birchclinic.example/report",
  },
  enrichment: {
    id: "getEnrichment",
    path: "/api/sites/{host}/enrichment",
    query: NoQuery,
    contentType: JSON_TYPE,
    cache: "polled",
    errors: [400, 404, 502, 503],
    example: "/api/sites/birchclinic.example/enrichment",
  },
  standards: {
    id: "getStandards",
    path: "/api/standards",
    ...STORED,
    example: "/api/standards",
    document: "api/standards.json",
  },
  categories: {
    id: "listCategories",
    path: "/api/categories",
    ...STORED,
    example: "/api/categories",
    document: "api/categories.json",
  },
  tags: {
    id: "listTags",
    path: "/api/tags",
    ...STORED,
    example: "/api/tags",
    document: "api/tags.json",
  },
  openapi: {
    id: "getDescription",
    path: "/api/openapi.json",
    ...STORED,
    example: "/api/openapi.json",
    document: "api/openapi.json",
  },
  catalog: {
    id: "getApiCatalog",
    path: "/.well-known/api-catalog",
    ...STORED,
    contentType: "application/linkset+json",
    example: "/.well-known/api-catalog",
    document: ".well-known/api-catalog",
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
export const ROUTE_NAMES: readonly RouteName[] = namesOf(ROUTES);

/** Path parameters, by their name in braces. */
export const PATH_PARAMETERS = {
  host: {
    kind: HOST,
    isRequired: true,
    description:
      "Canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot.",
    example: "birchclinic.example",
  },
  file: {
    kind: FILE_NAME,
    isRequired: true,
    description: "`index.json`, or the name of a file that it lists.",
    example: "index.json",
  },
} as const satisfies Readonly<Record<string, Parameter>>;
