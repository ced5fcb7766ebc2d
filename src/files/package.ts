import { createRequire } from "node:module";
import { dirname } from "node:path";

/** This package's `package.json`. Resolved by the package's name, so it does not matter how deep this file is. */
export const PACKAGE_FILE = createRequire(import.meta.url).resolve("crawldex/package.json");

/** The package's folder. */
export const PACKAGE_FOLDER = dirname(PACKAGE_FILE);
