import type { ParameterTable, QueryOf } from "./query.js";
import type { Route } from "./routes.js";
import { namesOf } from "./tables.js";
import { searchText } from "./values.js";

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
} as const satisfies Record<string, Extension>;

export type ExtensionName = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES: readonly ExtensionName[] = namesOf(EXTENSIONS);
