import type { Page } from "../answer/page-types.js";

/** The pages of all extras in this program, from their files `pages.ts`. */
export declare const EXTRA_PAGES: readonly Page[];
