import type { TreeExtra } from "../../extra.js";

export const SEARCH_TREE: TreeExtra = {
  kinds: [],
  files: async () => [],
  data: {
    // Only the next build reads the base. Handlers at an edge, unlike browsers, check pieces by their sums.
    copies: ({ kind }) => kind !== "base",
    isReadFirst: ({ kind }) => kind === "head" || kind === "delta" || kind === "scores",
    replacesTables: true,
  },
};
