import type { Extra } from "../../extra.js";
import { trends as atEdge } from "./edge.js";

/** How the figures have developed over the publications. */
export const trends: Extra = {
  ...atEdge(),
  descriptions: async () => (await import("./bodies.js")).TRENDS_DESCRIPTIONS,
  beginAddition: async (start) => (await import("./trends-file.js")).beginTrends(start),
};
