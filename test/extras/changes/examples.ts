import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({ changes: ["/changes"] }),
  treeFiles: () => [],
  scriptedFiles: [],
  scoredFiles: () => ["changes.html", "changes/index.json", "search-feed.json", "search-feed.xml"],
};
