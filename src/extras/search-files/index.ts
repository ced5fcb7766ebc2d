import type { Extra } from "../../extra.js";
import { SEARCH_FILES } from "./format.js";
import { SEARCH_TREE } from "./tree.js";

/** Files from which browsers and edge workers search without loading all tables. */
export const searchFiles: Extra = {
  name: SEARCH_FILES,
  tree: SEARCH_TREE,
  beginAddition: async (start) => (await import("./addition.js")).beginSearchFiles(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./verify.js")).verifySearchFiles(snapshot, facts),
};
