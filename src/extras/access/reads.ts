import type { Extension } from "../../contract/extensions.js";
import {
  hostsParameter,
  type ParameterTable,
  type QueryOf,
  SearchQuery,
} from "../../contract/query.js";
import { oneOf, searchText } from "../../contract/values.js";
import { DECLARED, SERVED } from "./crawlers.js";

/** Hosts per request of `/api/preflight`. */
export const PREFLIGHT_LIMITS = { getMax: 100, postMax: 1_000 } as const;

/** The name of a crawler, in any case. */
export const CRAWLER = searchText(1, 100);

/** GET /api/preflight. */
const PreflightQuery = {
  host: hostsParameter(PREFLIGHT_LIMITS.getMax),
  crawler: {
    kind: CRAWLER,
    description: "A crawler's name, as in robots.txt. Default: all that the scan looked at.",
    example: "GPTBot",
  },
} as const satisfies ParameterTable;

export const PREFLIGHT = {
  id: "preflight",
  path: "/api/preflight",
  query: PreflightQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/preflight?host=birchclinic.example&host=nowhere.example&crawler=GPTBot",
  post: { id: "largePreflight" },
  purged: { after: "publication", api: "/api/preflight*" },
} as const satisfies Extension;

/** GET /api/access. */
export const AccessQuery = {
  crawler: {
    kind: CRAWLER,
    description: "A crawler's name, as in robots.txt. Default: the figures of all crawlers.",
    example: "GPTBot",
  },
  declared: {
    kind: oneOf(DECLARED),
    description: "Only sites that declare this to the crawler.",
    example: "allowed",
  },
  served: {
    kind: oneOf(SERVED),
    description: "Only sites whose server did this with the crawler's requests.",
    example: "refused",
  },
  page: SearchQuery.page,
  limit: SearchQuery.limit,
} as const satisfies ParameterTable;
export type AccessQuery = QueryOf<typeof AccessQuery>;

export const ACCESS_READ = {
  id: "readAccess",
  path: "/api/access",
  query: AccessQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/access?crawler=GPTBot&declared=allowed&served=refused",
  purged: { after: "publication", api: "/api/access*", pages: "/api/access*" },
} as const satisfies Extension;
