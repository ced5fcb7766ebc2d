import { installedExtras } from "../src/extra.js";
import type { ServeOptions } from "../src/server/options.js";

/** The options of `serve` that switch off the extra that makes pictures, for pages that have none elsewhere either. */
export const NO_PICTURES: ServeOptions = Object.fromEntries(
  installedExtras().flatMap(({ name, openRasterizer }) =>
    openRasterizer === undefined ? [] : [[name, false]],
  ),
);
