import type { AnswerExtra } from "../../answer/extra.js";
import { SEARCH_FILES } from "./format.js";

/** Loaded with the first search: the script of an edge worker stays small. */
const load = () => import("./open.js");

/** Searches without loading the tables, if the snapshot has the files for it. */
export function searchFiles(): AnswerExtra {
  return {
    name: SEARCH_FILES,
    searchEngine: async (source) => (await load()).openSearchFiles(source, true),
  };
}
