import type { Extra } from "../../extra.js";
import { trends as atEdge } from "./edge.js";
import { TRENDS_TREE } from "./tree.js";

/** How the figures have developed over the publications. */
export const trends: Extra = {
  ...atEdge(),
  tree: TRENDS_TREE,
  descriptions: async () => (await import("./bodies.js")).TRENDS_DESCRIPTIONS,
  beginAddition: async (start) => (await import("./trends-file.js")).beginTrends(start),
};
