import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({}),
  treeFiles: () => [],
  scriptedFiles: [],
  scoredFiles: () => ["changes/index.json", "search-feed.json", "search-feed.xml"],
};
