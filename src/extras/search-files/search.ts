import type { AnswerExtra } from "../../answer/extra.js";
import { SEARCH_FILES } from "./format.js";
import { openSearchFiles } from "./open.js";

/** The search of a tree's workers. The tree and its scripts come from one place, so only accidents are looked for. */
export const SEARCH: AnswerExtra = {
  name: SEARCH_FILES,
  searchEngine: (source) => openSearchFiles(source, false),
};
