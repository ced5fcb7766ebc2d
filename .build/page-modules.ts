/**
 * Writes the browser modules of pages as a module of the fetch handler, which can read no files:
 *
 *     tsx .build/page-modules.ts     # after the sources are compiled into dist
 *
 * page-modules.js has the names, which every page needs. It loads page-module-texts.js once a module is requested.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBrowserModules } from "../src/files/browser-modules.js";
import { modulesOf } from "../src/pages/kit/modules.js";

const FOLDER = join(import.meta.dirname, "../dist/src/fetch");

const { assets, names } = modulesOf(readBrowserModules());
const texts = assets.map(({ name, text }) => [name, text]);

writeFileSync(
  join(FOLDER, "page-module-texts.js"),
  `export const TEXTS = new Map(${JSON.stringify(texts)});\n`,
);
writeFileSync(
  join(FOLDER, "page-modules.js"),
  `export const MODULES = {
  names: ${JSON.stringify(names)},
  text: async (name) => (await import("./page-module-texts.js")).TEXTS.get(name),
};
`,
);
