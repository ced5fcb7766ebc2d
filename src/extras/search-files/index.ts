import type { Extra } from "../../extra.js";
import { SEARCH_FILES } from "./format.js";

/** Files from which browsers and edge workers search without loading all tables. */
export const searchFiles: Extra = {
  name: SEARCH_FILES,
  beginAddition: async (start) => (await import("./addition.js")).beginSearchFiles(start),
};
