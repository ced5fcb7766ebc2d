import type { Extra } from "../../extra.js";
import { changes as atEdge } from "./edge.js";

/** What has changed from publication to publication. */
export const changes: Extra = {
  ...atEdge(),
  descriptions: async () => (await import("./bodies.js")).CHANGES_DESCRIPTIONS,
};
