import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  // Scans without an access policy give no page of a crawler.
  targets: () => ({ accessPage: ["/access"], crawlerPage: [] }),
  treeFiles: () => ["access.html", "access/index.html"],
  scriptedFiles: [],
  scoredFiles: () => [],
};
