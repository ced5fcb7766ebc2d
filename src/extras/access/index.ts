import type { Extra } from "../../extra.js";
import { access as atEdge } from "./edge.js";
import { accessGist } from "./gist.js";
import { ACCESS_TREE } from "./tree.js";

/** What reports say about access: for many hosts, and for one crawler. */
export const access: Extra = {
  ...atEdge(),
  tree: ACCESS_TREE,
  gistOf: accessGist,
  descriptions: async () => (await import("./bodies.js")).ACCESS_DESCRIPTIONS,
  beginAddition: async (start) => (await import("./addition.js")).accessFile.begin(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./addition.js")).accessFile.verify(snapshot, facts),
};
