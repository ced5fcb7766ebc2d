import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({}),
  treeFiles: () => [],
  scriptedFiles: [],
  scoredFiles: () =>
    [
      "croissant.json",
      "history.ndjson.gz",
      "history.parquet",
      "index.json",
      "listings.csv.gz",
      "listings.ndjson.gz",
      "listings.parquet",
    ].map((name) => `api/dump/${name}`),
};
