import type { Extra } from "../../extra.js";
import { COMPARE, partialGist } from "./gist.js";
import { PAGES } from "./pages.js";

/** Sites side by side, the checks of a category's sites in a table, and charts as files to download. */
export const compare: Extra = {
  name: COMPARE,
  pages: PAGES,
  gistOf: partialGist,
  beginAddition: async (start) => (await import("./addition.js")).partialFile.begin(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./addition.js")).partialFile.verify(snapshot, facts),
};
