import type { Examples } from "../examples.js";

const FILES = ["median", "top-band", "sites"].flatMap((name) => [
  `charts/${name}.svg`,
  `charts/${name}.csv`,
]);

export const EXAMPLES: Examples = {
  targets: () => ({
    trendsPage: ["/trends"],
    categoryTrends: ["/trends/news"],
    trendFile: ["/charts/median.svg", "/charts/sites.csv"],
  }),
  treeFiles: () => FILES,
  scriptedFiles: [],
  scoredFiles: () => [
    ...FILES,
    "api/trends.json",
    "api/trends/news.json",
    "api/trends/weather.json",
    // The list of categories has a change since the publication before.
    "categories.html",
    "trends.html",
    "trends/news.html",
    "trends/weather.html",
  ],
};
