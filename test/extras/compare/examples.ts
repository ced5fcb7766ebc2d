import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: (hosts) => {
    const sites = hosts.slice(0, 20).join(",");
    return {
      compare: [`/compare?sites=${sites}`],
      compareCsv: [`/compare.csv?sites=${sites}`],
      matrix: ["/matrix/news"],
      table: ["/tables/news.csv"],
      figure: ["/figures/checks.svg", "/figures/news--scores.csv"],
    };
  },
  treeFiles: (pages, slugs) => {
    const groups = ["", ...slugs.map((slug) => `${slug}--`)];
    const charts = groups.flatMap((group) => [`${group}scores`, `${group}checks`]);
    return [
      ...pages.flatMap((name) => [`matrix/${name}.html`, `tables/${name}.csv`]),
      ...charts.flatMap((name) => [`figures/${name}.svg`, `figures/${name}.csv`]),
    ];
  },
  scriptedFiles: ["compare.html"],
  scoredFiles: (slug) => [
    "figures/scores.csv",
    `figures/${slug}--scores.csv`,
    `matrix/${slug}.html`,
    `tables/${slug}.csv`,
  ],
};
