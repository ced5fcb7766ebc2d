import { fileURLToPath } from "node:url";

/** The project's root, seen from where this file is when compiled: `dist/test/bench/engine`. */
export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
