import type { AssetFile } from "../assets.js";

/** The scripts of pages, by their entry in `src/browser`. `npm run build` makes the module: see .build/scripts.ts. */
export declare const SCRIPTS: Readonly<
  Record<"explorer" | "standards" | "api" | "copy" | "watch", AssetFile>
>;
