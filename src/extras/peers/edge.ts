import type { AnswerExtra } from "../../answer/extra.js";
import { PAGES } from "./pages.js";

/** Which sites of a category pass each check, for the option `extras` of `createFetchHandler`. */
export function peers(): AnswerExtra {
  return { name: "peers", pages: PAGES };
}
