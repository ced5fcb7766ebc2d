import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({}),
  treeFiles: () => [],
  // A tree has no history.
  scriptedFiles: ["api/dump/index.json", "api/dump/croissant.json"],
  scoredFiles: () =>
    [
      "croissant.json",
      "index.json",
      "listings.csv.gz",
      "listings.ndjson.gz",
      "listings.parquet",
    ].map((name) => `api/dump/${name}`),
};
