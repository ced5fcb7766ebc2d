import type { AnswerExtra } from "../../answer/extra.js";
import { METHODOLOGY_EXTRA } from "./comparison.js";
import { PAGES } from "./pages.js";

/** What changed between two methodologies, for the option `extras` of `createFetchHandler`. */
export function methodology(): AnswerExtra {
  return { name: METHODOLOGY_EXTRA, pages: PAGES };
}
