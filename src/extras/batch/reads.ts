import type { Extension } from "../../contract/extensions.js";
import { hostsParameter, type ParameterTable } from "../../contract/query.js";

/** Hosts per request of `/api/batch`. */
export const BATCH_LIMITS = { getMax: 100, postMax: 1_000 } as const;

/** GET /api/batch. */
const BatchQuery = {
  host: hostsParameter(BATCH_LIMITS.getMax),
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
