import type { AssetFile } from "../page-names.js";

/*
 * The files that pages load, without their texts. `npm run build` makes this module and the others beside it: see
 * .build/scripts.ts.
 */

/**
 * The scripts that browsers load: those of pages by their entries in `src/browser`, and the worker that searches a tree
 * of files.
 */
export declare const SCRIPTS: Readonly<
  Record<
    | "explorer"
    | "standards"
    | "api"
    | "report"
    | "quote"
    | "categories"
    | "watch"
    | "register"
    | "missing"
    | "search",
    AssetFile
  >
>;

/** The script within the explorer's page in a tree of files, and its digest in base64, which policies name. */
export declare const INLINE: { readonly text: string; readonly sha256: string };

/** The scripts of extras, by their names in the folders `browser` of these. */
export declare const EXTRA_SCRIPTS: Readonly<Record<string, AssetFile>>;

/** The stylesheets, by their names in `src/pages/assets`. `pages` is the one that all pages share. */
export declare const STYLES: Readonly<
  Record<"pages" | "report" | "explorer" | "standards" | "tables" | "reads", AssetFile>
>;

/** The directory's icon. */
export declare const ICON: AssetFile;
