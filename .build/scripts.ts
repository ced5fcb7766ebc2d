/**
 * Makes one file of each script that browsers load, with its imports, and small stylesheets; and the images of the
 * icon, and the fonts of cards:
 *
 *     tsx .build/compile.ts     # which compiles the sources, then imports this
 *
 * The fetch handler can read no files, so these are modules of texts: see src/pages/kit/scripts.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { inflateSync } from "node:zlib";
import { build, type Format, transform } from "esbuild";
import glob from "fast-glob";
import { type Asset, hashOf } from "../src/pages/kit/page-names.js";
import { drawnIcons } from "./icons.js";

const DIST = join(import.meta.dirname, "../dist/src");
const ASSETS = join(import.meta.dirname, "../src/pages/assets");
const FONTS = join(import.meta.dirname, "../node_modules/@fontsource/inter/files");
/** Scripts of pages by their entries in `src/browser`. They are modules, because these know their own addresses. */
const PAGES = {
  explorer: "explorer",
  standards: "standards",
  api: "api",
  report: "report",
  quote: "quote",
  watch: "watch-enrichment",
  register: "register",
};

/** Scripts of the pages of extras, by their names. Each extra has them in a folder. */
const EXTRA_PAGES = Object.fromEntries(
  glob
    .sync("extras/*/browser/*.js", { cwd: DIST })
    .map((path) => [basename(path, ".js"), `../${path.slice(0, -3)}`]),
);

/** What runs before a page's first paint, or in a worker, is no module: modules wait for the whole page. */
const EARLY = { early: "early-search", missing: "missing-page", search: "search-worker" };

const STYLES = ["pages", "report", "explorer", "standards", "tables", "reads"];

async function bundled(entry: string, format: Format): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(DIST, `browser/${entry}.js`)],
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

async function minifiedStyle(name: string): Promise<string> {
  const css = readFileSync(join(ASSETS, `${name}.css`), "utf8");
  return (await transform(css, { loader: "css", minify: true })).code;
}

function assetOf(name: string, ending: string, type: string, text: string): Asset {
  return { name: `${name}-${hashOf(text)}.${ending}`, type, text };
}

/** The names of files, without their texts. */
function namesOf(assets: Readonly<Record<string, Asset>>): object {
  const named = Object.entries(assets).map(([entry, { name, type }]) => [entry, { name, type }]);
  return Object.fromEntries(named);
}

function writeModule(module: string, values: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(values).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`,
  );
  writeFileSync(join(DIST, "scripts", `${module}.js`), lines.join(""));
}

/**
 * Tables of a font that only other programs need: instructions for small letters, and features that names do not use.
 */
const UNUSED = ["GSUB", "GDEF", "STAT", "fpgm", "prep", "cvt ", "gasp", "meta", "DSIG"];

/**
 * Unpacks a font (WOFF to TrueType) and takes its combining marks out of its table of characters. With them, the
 * program that draws takes letters such as “ź” apart, and then finds no other font for the rest of the text.
 */
function withoutMarks(font: Buffer): Buffer {
  const tables = Array.from({ length: font.readUInt16BE(12) }, (_, index) => {
    const at = 44 + 20 * index;
    const [offset = 0, packed = 0, length = 0] = [4, 8, 12].map((to) => font.readUInt32BE(at + to));
    const stored = font.subarray(offset, offset + packed);
    const bytes = Buffer.from(packed < length ? inflateSync(stored) : stored);
    return { tag: font.toString("latin1", at, at + 4), bytes };
  }).filter(({ tag }) => !UNUSED.includes(tag));
  const head = Buffer.alloc(12 + 16 * tables.length);
  font.copy(head, 0, 4, 8);
  head.writeUInt16BE(tables.length, 4);
  const parts = [head];
  let end = head.length;
  for (const [index, { tag, bytes }] of tables.entries()) {
    if (tag === "cmap") moveMarks(bytes);
    head.write(tag, 12 + 16 * index, "latin1");
    head.writeUInt32BE(end, 20 + 16 * index);
    head.writeUInt32BE(bytes.length, 24 + 16 * index);
    parts.push(bytes, Buffer.alloc(-bytes.length & 3));
    end += bytes.length + (-bytes.length & 3);
  }
  return Buffer.concat(parts);
}

/** Moves the combining marks of a table of characters (`cmap` of format 4) to characters that no text has. */
function moveMarks(cmap: Buffer): void {
  for (let table = 0; table < cmap.readUInt16BE(2); table += 1) {
    const at = cmap.readUInt32BE(8 + 8 * table);
    if (cmap.readUInt16BE(at) !== 4) throw new Error("the font's table of characters is unknown");
    const size = cmap.readUInt16BE(at + 6);
    for (let end = at + 14; end < at + 14 + size; end += 2) {
      const start = end + 2 + size;
      const delta = end + 2 + 2 * size;
      if (cmap.readUInt16BE(start) < 0x300 || cmap.readUInt16BE(end) > 0x32f) continue;
      for (const code of [start, end]) cmap.writeUInt16BE(cmap.readUInt16BE(code) + 0x30, code);
      cmap.writeUInt16BE((cmap.readUInt16BE(delta) + 0x10000 - 0x30) % 0x10000, delta);
    }
  }
}

const script = async (name: string, entry: string, format: Format) =>
  [
    name,
    assetOf(name, "js", "text/javascript; charset=utf-8", await bundled(entry, format)),
  ] as const;
/** Bundles scripts, by name. */
async function scriptsOf(entries: Readonly<Record<string, string>>, format: Format) {
  const made = Object.entries(entries).map(([name, entry]) => script(name, entry, format));
  return Object.fromEntries(await Promise.all(made));
}
const scripts = { ...(await scriptsOf(PAGES, "esm")), ...(await scriptsOf(EARLY, "iife")) };
const extraScripts = await scriptsOf(EXTRA_PAGES, "esm");
const style = async (name: string) =>
  [name, assetOf(name, "css", "text/css; charset=utf-8", await minifiedStyle(name))] as const;
const styles = Object.fromEntries(await Promise.all(STYLES.map(style)));
const svg = readFileSync(join(ASSETS, "icon.svg"), "utf8");
const icon = assetOf("icon", "svg", "image/svg+xml", svg);

mkdirSync(join(DIST, "scripts"), { recursive: true });
writeModule("names", {
  SCRIPTS: namesOf(scripts),
  EXTRA_SCRIPTS: namesOf(extraScripts),
  STYLES: namesOf(styles),
  ICON: { name: icon.name, type: icon.type },
});
writeModule("texts", {
  ASSETS: [...Object.values(styles), icon, ...Object.values({ ...scripts, ...extraScripts })],
  ICON_IMAGES: await drawnIcons(svg),
});
// Together they have the letters that `DRAWN` in src/pages/report/card.ts names.
const fonts = [400, 700].flatMap((weight) => [
  withoutMarks(readFileSync(join(FONTS, `inter-latin-${weight}-normal.woff`))).toString("base64"),
  ...["vietnamese", "latin-ext", "cyrillic", "greek"].map((letters) =>
    readFileSync(join(FONTS, `inter-${letters}-${weight}-normal.woff2`), "base64"),
  ),
]);
writeModule("card-fonts", { CARD_FONTS: fonts });
// In a packed tree, a worker draws pages, which lead to those of extras.
const pageFiles = glob.sync("extras/*/pages.js", { cwd: DIST });
writeFileSync(
  join(DIST, "scripts/extra-pages.js"),
  [
    ...pageFiles.map((path, at) => `import { PAGES as pages${at} } from "../${path}";\n`),
    `export const EXTRA_PAGES = [${pageFiles.map((_, at) => `...pages${at}`).join(", ")}];\n`,
  ].join(""),
);
// It draws pages, which name the other scripts.
writeModule("worker", { SERVICE_WORKER: await bundled("service-worker", "iife") });
