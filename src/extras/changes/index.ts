import type { Extra } from "../../extra.js";
import { changes as atEdge } from "./edge.js";
import { CHANGES_TREE } from "./tree.js";

/** What has changed from publication to publication. */
export const changes: Extra = {
  ...atEdge(),
  tree: CHANGES_TREE,
  descriptions: async () => (await import("./bodies.js")).CHANGES_DESCRIPTIONS,
  beginAddition: async (start) => (await import("./change-log.js")).beginChanges(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./verify-changes.js")).verifyChanges(snapshot, facts),
};
