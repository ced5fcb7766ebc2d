import type { Extension } from "../../contract/extensions.js";
import type { ParameterTable } from "../../contract/query.js";
import { HOST_TEXT } from "../../contract/values.js";

/** Hosts per request of `/api/batch`. */
export const BATCH_LIMITS = { getMax: 100, postMax: 1_000 } as const;

/** GET /api/batch. */
const BatchQuery = {
  host: {
    kind: HOST_TEXT,
    max: BATCH_LIMITS.getMax,
    isRequired: true,
    description: "A host, or a web address whose host is meant.",
    example: ["birchclinic.example", "nowhere.example"],
  },
} as const satisfies ParameterTable;

export const BATCH = {
  id: "readBatch",
  path: "/api/batch",
  query: BatchQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/batch?host=birchclinic.example&host=nowhere.example",
  post: { id: "readLargeBatch" },
  purged: { after: "listings", api: "/api/batch*" },
} as const satisfies Extension;
