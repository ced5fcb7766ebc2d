import { fileURLToPath } from "node:url";

/** The project's root, from sources and from compiled files alike. */
export const ROOT = fileURLToPath(new URL(".", import.meta.resolve("crawldex/package.json")));
