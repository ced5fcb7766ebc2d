import type { Extra } from "../../extra.js";
import { dumps as atEdge } from "./edge.js";
import { DUMP_TREE } from "./tree.js";

/** All listings as files to download. */
export const dumps: Extra = {
  ...atEdge(async (...asked) => (await import("./dump-thread.js")).dumpInThread(...asked)),
  needs: ["access"],
  tree: DUMP_TREE,
  descriptions: async () => (await import("./bodies.js")).DUMP_DESCRIPTIONS,
};
