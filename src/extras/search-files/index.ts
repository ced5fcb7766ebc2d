import type { Extra } from "../../extra.js";
import { searchFiles as atEdge } from "./edge.js";

/** Files from which browsers and edge workers search without loading all tables. */
export const searchFiles: Extra = {
  ...atEdge(),
  beginAddition: async (start) => (await import("./addition.js")).beginSearchFiles(start),
};
