import type { AssetFile } from "../assets.js";

/**
 * The scripts that browsers load: those of pages by their entries in `src/browser`, and the worker that searches a tree
 * of files. `npm run build` makes the module: see .build/scripts.ts.
 */
export declare const SCRIPTS: Readonly<
  Record<
    | "explorer"
    | "standards"
    | "api"
    | "report"
    | "matrix"
    | "compare"
    | "quote"
    | "watch"
    | "register"
    | "early"
    | "missing"
    | "search",
    AssetFile
  >
>;
