import type { Extra } from "../../extra.js";
import { dumps as atEdge } from "./edge.js";

/** All listings as files to download. */
export const dumps: Extra = {
  ...atEdge(),
  descriptions: async () => (await import("./bodies.js")).DUMP_DESCRIPTIONS,
};
