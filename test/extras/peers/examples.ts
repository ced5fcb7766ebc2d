import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({ peers: ["/peers/news"] }),
  treeFiles: (_, slugs) => slugs.map((slug) => `peers/${slug}.html`),
  scriptedFiles: [],
  // No check of these sites fails.
  scoredFiles: () => [],
};
