import type { Extension } from "../../../src/contract/extensions.js";
import { NoQuery } from "../../../src/contract/query.js";

/** GET /api/publication. */
export const PUBLICATION = {
  id: "getPublication",
  path: "/api/publication",
  query: NoQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/publication",
  // Caches drop it after each publication.
  purged: { after: "publication", api: "/api/publication*" },
} as const satisfies Extension;
