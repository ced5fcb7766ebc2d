import type { z } from "zod";
import type { TrendsBody } from "./extension-bodies.js";
import type { ParameterTable, QueryOf } from "./query.js";
import { SLUG } from "./values.js";

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

/** The figures of one publication. */
export type TrendPoint = z.infer<typeof TrendsBody>["data"]["points"][number];
