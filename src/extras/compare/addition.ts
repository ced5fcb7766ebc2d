import { type GistFile, gistFile } from "../../publish/additions.js";
import { COMPARE } from "./gist.js";
import { storedPartial } from "./partial.js";

/** The list of checks that are passed in part. */
export const partialFile: GistFile = gistFile(COMPARE, storedPartial);
