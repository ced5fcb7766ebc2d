import { DUMP_FILE_NAMES, DumpQuery, dumpAddress } from "./dump.js";
import { NoQuery, type ParameterTable, type QueryOf } from "./query.js";
import type { Route } from "./routes.js";
import { namesOf } from "./tables.js";
import { SLUG, searchText } from "./values.js";

/**
 * An address beyond the contract. `"extensions": false` in directory.json switches all of them off.
 * `EXTENSION_BODIES` has the schemas of their answers.
 */
export interface Extension extends Omit<Route, "errors" | "document"> {
  readonly errors: readonly (Route["errors"][number] | 410 | 413 | 415)[];
  /** The document of the store that answers. Absent if the body is computed. */
  readonly document?: string;
}

/** Bounds of requests beyond the contract, with their units. */
export const EXTENSION_LIMITS = {
  /** hosts per GET of `/api/batch` */
  batchMax: 100,
  /** code points of a pasted address */
  pastedMax: 500,
} as const;

/** GET /api/batch. */
export const BatchQuery = {
  host: {
    kind: searchText(1, EXTENSION_LIMITS.pastedMax),
    max: EXTENSION_LIMITS.batchMax,
    isRequired: true,
    description: "A host, or a web address whose host is meant.",
    example: ["birchclinic.example", "nowhere.example"],
  },
} as const satisfies ParameterTable;
export type BatchQuery = QueryOf<typeof BatchQuery>;

/** GET /api/trends. */
export const TrendsQuery = {
  category: {
    kind: SLUG,
    description: "Only the listings of this category. Default: all listings.",
    example: "health",
  },
  check: {
    kind: SLUG,
    description:
      "An achievement or a capability, whose share of passing sites each point then has.",
    example: "llms-txt",
  },
} as const satisfies ParameterTable;
export type TrendsQuery = QueryOf<typeof TrendsQuery>;

export const EXTENSIONS = {
  batch: {
    id: "readBatch",
    path: "/api/batch",
    summary: "Read the summaries of many hosts",
    description:
      "One item for each host, in the order of the request. A host that is not in search is said not to be listed.",
    query: BatchQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/batch?host=birchclinic.example&host=nowhere.example",
  },
  trends: {
    id: "getTrends",
    path: "/api/trends",
    summary: "Read how the figures have changed",
    description:
      "A point for each publication, oldest first: for 90 days the last one of each day, before that of each week. Unknown but well-formed slugs match nothing.",
    query: TrendsQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/trends?category=health&check=llms-txt",
  },
  dump: {
    id: "getDump",
    path: "/api/dump/",
    summary: "Read which files have all listings",
    description: `All listings in search as files: ${DUMP_FILE_NAMES.join(", ")}, with the bytes and the sha256 of each, and lists of the hosts of each band, category and capability.`,
    query: NoQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/dump/",
  },
  dumpFile: {
    id: "getDumpFile",
    path: "/api/dump/{file}",
    summary: "Download all listings, or a list of hosts",
    description:
      "A file that the dump's index names. The addresses there are of one publication: once another has replaced it, they answer 410.",
    query: DumpQuery,
    contentType: "application/octet-stream",
    cache: "directory",
    errors: [400, 404, 410, 502, 503],
    example: `/${dumpAddress("category-health.txt")}`,
  },
} as const satisfies Record<string, Extension>;

export type ExtensionName = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES: readonly ExtensionName[] = namesOf(EXTENSIONS);
