import type { TreeExtra } from "../../extra.js";

/** Files that no reader of a tree needs: nobody builds from a tree, and the host vouches for all of its bytes. */
const STORE_ONLY = new Set<unknown>(["base", "sums"]);

export const SEARCH_TREE: TreeExtra = {
  kinds: [],
  files: async () => [],
  data: {
    copies: ({ kind }) => !STORE_ONLY.has(kind),
    replacesTables: true,
  },
};
