import type { AnswerExtra } from "../../extra.js";
import { PAGES } from "./pages.js";

/** The pages that compare sites, and the charts as files, for the option `extras` of `createFetchHandler`. */
export function compare(): AnswerExtra {
  return { name: "compare", pages: PAGES };
}
