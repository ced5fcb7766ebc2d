import type { TreeExtra } from "../../extra.js";

export const SEARCH_TREE: TreeExtra = {
  kinds: [],
  files: async () => [],
  data: {
    // Only the next build reads the base. Handlers at an edge, unlike browsers, check pieces by their sums.
    copies: ({ kind }) => kind !== "base",
    readFirst: (files) => {
      const hasBest = files.some(({ facts }) => facts.kind === "best");
      const first: unknown[] = ["head", "delta", hasBest ? "best" : "scores"];
      return files.filter(({ facts }) => first.includes(facts.kind));
    },
    replacesTables: true,
  },
};
