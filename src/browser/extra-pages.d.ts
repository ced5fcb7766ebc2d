import type { Page } from "../answer/page-types.js";

/** The pages of extras that a worker must know, from their files `worker.ts`: `.build/scripts.ts` writes the module. */
export declare const EXTRA_PAGES: readonly Page[];
