import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({}),
  treeFiles: () => [],
  scriptedFiles: [],
  scoredFiles: () => ["api/trends.json", "api/trends/news.json", "api/trends/weather.json"],
};
