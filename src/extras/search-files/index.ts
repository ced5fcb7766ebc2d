import type { Extra } from "../../extra.js";
import { searchFiles as atEdge } from "./edge.js";
import { SEARCH_TREE } from "./tree.js";

/** Files from which browsers and edge workers search without loading all tables. */
export const searchFiles: Extra = {
  ...atEdge(),
  tree: SEARCH_TREE,
  beginAddition: async (start) => (await import("./addition.js")).beginSearchFiles(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./verify.js")).verifySearchFiles(snapshot, facts),
};
