/**
 * Makes one file of each script of a page and its imports, for browsers:
 *
 *     tsx .build/scripts.ts     # after the sources are compiled into dist
 *
 * The fetch handler can read no files, so the scripts are modules of texts: see src/pages/kit/scripts.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { type Asset, hashOf } from "../src/pages/kit/assets.js";

const DIST = join(import.meta.dirname, "../dist/src");
const ENTRIES = ["explorer", "standards", "api", "copy", "watch"];

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(DIST, `browser/${entry}.js`)],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", write: false },
  });
  return outputFiles[0]?.text ?? "";
}

function writeScripts(module: string, declaration: string, value: unknown): void {
  const text = `export const ${declaration} = ${JSON.stringify(value)};\n`;
  writeFileSync(join(DIST, "scripts", `${module}.js`), text);
}

const type = "text/javascript; charset=utf-8";
const scripts = await Promise.all(
  ENTRIES.map(async (entry): Promise<[string, Asset]> => {
    const text = await bundled(entry);
    return [entry, { name: `${entry}-${hashOf(text)}.js`, type, text }];
  }),
);
const names = scripts.map(([entry, { name }]) => [entry, { name, type }]);
mkdirSync(join(DIST, "scripts"), { recursive: true });
writeScripts("names", "SCRIPTS", Object.fromEntries(names));
writeScripts("texts", "SCRIPT_ASSETS", Object.values(Object.fromEntries(scripts)));
