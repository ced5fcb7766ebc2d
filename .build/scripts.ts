/**
 * Makes one file of each script that browsers load, with its imports, the images of the icon, and the fonts of cards:
 *
 *     tsx .build/compile.ts     # which compiles the sources, then imports this
 *
 * The fetch handler can read no files, so the scripts are modules of texts: see src/pages/kit/scripts.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Format } from "esbuild";
import { type Asset, hashOf } from "../src/pages/kit/assets.js";
import { drawnIcons } from "./icons.js";

const DIST = join(import.meta.dirname, "../dist/src");
const FONTS = join(import.meta.dirname, "../node_modules/@fontsource/inter/files");
/** Scripts of pages are modules, because these know their own addresses. */
const PAGES = ["explorer", "standards", "api", "report", "watch", "register"];

/** What runs before a page's first paint is no module: modules wait for the whole page. */
const EARLY = ["sought", "lost"];

async function bundled(entry: string, format: Format): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(DIST, `browser/${entry}.js`)],
    ...{ bundle: true, minify: true, format, target: "es2022", write: false },
  });
  return outputFiles[0]?.text ?? "";
}

function writeScripts(module: string, declaration: string, value: unknown): void {
  const text = `export const ${declaration} = ${JSON.stringify(value)};\n`;
  writeFileSync(join(DIST, "scripts", `${module}.js`), text);
}

const type = "text/javascript; charset=utf-8";
const texts = [
  ...PAGES.map(async (entry) => [entry, await bundled(entry, "esm")] as const),
  ...EARLY.map(async (entry) => [entry, await bundled(entry, "iife")] as const),
  bundled("search-worker", "iife").then((text) => ["search", text] as const),
];
const scripts = (await Promise.all(texts)).map(([entry, text]): [string, Asset] => [
  entry,
  { name: `${entry}-${hashOf(text)}.js`, type, text },
]);
const names = scripts.map(([entry, { name }]) => [entry, { name, type }]);
mkdirSync(join(DIST, "scripts"), { recursive: true });
writeScripts("names", "SCRIPTS", Object.fromEntries(names));
writeScripts("texts", "SCRIPT_ASSETS", Object.values(Object.fromEntries(scripts)));
const fonts = [400, 700].map((weight) =>
  readFileSync(join(FONTS, `inter-latin-${weight}-normal.woff2`), "base64"),
);
writeScripts("card-fonts", "CARD_FONTS", fonts);
writeScripts("icons", "ICON_IMAGES", drawnIcons());
// It draws pages, which name the other scripts.
writeScripts("worker", "SERVICE_WORKER", await bundled("service-worker", "iife"));
