import type { Extra } from "../../extra.js";
import { PAGES } from "./pages.js";

/** Sites side by side, the checks of a category's sites in a table, and charts as files to download. */
export const compare: Extra = { name: "compare", pages: PAGES };
