import type { Asset } from "../page-names.js";

/** All files that pages load, with their texts: stylesheets, the icon and scripts. */
export declare const ASSETS: readonly Asset[];

/** The images of the directory's icon, in base64. */
export declare const ICON_IMAGES: Readonly<Record<"favicon" | "touchIcon", string>>;
