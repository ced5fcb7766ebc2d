import type { Extra } from "../../../src/extra.js";
import { publication as atEdge } from "./edge.js";

/** The whole extra. It goes into the list of `src/extras/index.ts`, so it loads with every command: keep it light. */
export const publication: Extra = {
  ...atEdge(),
  descriptions: async () => (await import("./bodies.js")).DESCRIPTIONS,
};
