import type { Extra } from "../../extra.js";
import { changes as atEdge } from "./edge.js";
import { CHANGES_TREE } from "./tree.js";

/** What has changed from publication to publication. */
export const changes: Extra = {
  ...atEdge(),
  tree: CHANGES_TREE,
  descriptions: async () => (await import("./bodies.js")).CHANGES_DESCRIPTIONS,
};
