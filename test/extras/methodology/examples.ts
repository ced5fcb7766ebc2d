import type { Examples } from "../examples.js";

export const EXAMPLES: Examples = {
  targets: () => ({ methodologyChanges: ["/standards/changes"] }),
  treeFiles: () => ["standards/changes.html"],
  scriptedFiles: [],
  scoredFiles: () => [],
};
