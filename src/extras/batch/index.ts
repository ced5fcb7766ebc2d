import type { Extra } from "../../extra.js";
import { batch as atEdge } from "./edge.js";

/** The summaries of many hosts with one request. */
export const batch: Extra = {
  ...atEdge(),
  descriptions: async () => (await import("./bodies.js")).BATCH_DESCRIPTIONS,
};
