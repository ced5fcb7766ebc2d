import type { Modules } from "../pages/kit/modules.js";

/** The scripts of pages, as files of this version. `npm run build` makes the module: see .build/page-modules.ts. */
export declare const MODULES: Modules;
