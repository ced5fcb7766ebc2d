import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({ peers: ["/peers/news"] }),
  treeFiles: (_, slugs) => slugs.map((slug) => `peers/${slug}.html`),
  scriptedFiles: [],
  scoredFiles: (slug) => [`peers/${slug}.html`],
};
