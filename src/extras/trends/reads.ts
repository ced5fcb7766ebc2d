import type { Extension } from "../../contract/extensions.js";
import type { ParameterTable, QueryOf } from "../../contract/query.js";
import { SLUG } from "../../contract/values.js";

/** GET /api/trends. */
export const TrendsQuery = {
  category: {
    kind: SLUG,
    names: "category",
    description: "Only the listings of this category. Default: all listings.",
    example: "health",
  },
  check: {
    kind: SLUG,
    names: "capability",
    description:
      "An achievement or a capability, whose share of passing sites each point then has.",
    example: "llms-txt",
  },
} as const satisfies ParameterTable;
export type TrendsQuery = QueryOf<typeof TrendsQuery>;

export const TRENDS = {
  id: "getTrends",
  path: "/api/trends",
  query: TrendsQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/trends?category=health&check=llms-txt",
  purged: { after: "publication", api: "/api/trends*", pages: "/api/trends*" },
} as const satisfies Extension;
