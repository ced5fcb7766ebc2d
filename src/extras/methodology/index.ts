import type { Extra } from "../../extra.js";
import { methodology as atEdge } from "./edge.js";

/** What changed from the former methodology to the current one, and how scores moved. */
export const methodology: Extra = {
  ...atEdge(),
  beginAddition: async (start) => (await import("./comparison-file.js")).beginComparison(start),
};
