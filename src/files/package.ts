import { createRequire } from "node:module";
import { dirname } from "node:path";

/** This package's `package.json`, found by the package's own name: from a file of any depth. */
export const PACKAGE_FILE = createRequire(import.meta.url).resolve("crawldex/package.json");

/** The package's folder. */
export const PACKAGE_FOLDER = dirname(PACKAGE_FILE);
