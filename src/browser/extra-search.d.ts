import type { AnswerExtra } from "../answer/extra.js";

/** How workers search, from the files `search.ts` of extras: `.build/scripts.ts` writes the module. */
export declare const EXTRA_SEARCH: readonly AnswerExtra[];
