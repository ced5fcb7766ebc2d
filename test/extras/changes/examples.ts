import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: (hosts) => ({
    changes: ["/changes"],
    changedList: ["/changed/last-risen"],
    watchBadge: [`/watch.svg?host=${hosts.slice(0, 100).join("&host=")}`],
    watch: ["/watch", `/watch?host=${hosts.slice(0, 100).join("&host=")}`],
  }),
  treeFiles: () => [],
  scriptedFiles: [],
  scoredFiles: () => ["changes.html", "changes/index.json", "search-feed.json", "search-feed.xml"],
};
