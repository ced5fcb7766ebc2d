/**
 * Makes one file of each script that browsers load, with its imports, and small stylesheets; and the images of the
 * icon:
 *
 *     tsx .build/compile.ts     # which compiles the sources, then imports this
 *
 * The fetch handler can read no files, so these are modules of texts: see src/pages/kit/scripts.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Format, transform } from "esbuild";
import glob from "fast-glob";
import { type Asset, hashOf } from "../src/pages/kit/page-names.js";
import { drawnIcons } from "./icons.js";

const DIST = join(import.meta.dirname, "../dist/src");
const SOURCES = join(import.meta.dirname, "../src");
const ASSETS = join(import.meta.dirname, "../src/pages/assets");
/** Scripts of pages by their entries in `src/browser`. They are modules, because these know their own addresses. */
const PAGES = {
  explorer: "explorer",
  standards: "standards",
  api: "api",
  report: "report",
  quote: "quote",
  categories: "categories",
  watch: "watch-enrichment",
  register: "register",
};

/** Scripts of the pages of extras, by their names. Each extra has them in a folder. */
const EXTRA_PAGES = Object.fromEntries(
  glob
    .sync("extras/*/browser/*.ts", { cwd: SOURCES })
    .map((path) => [basename(path, ".ts"), `../${path.slice(0, -".ts".length)}`]),
);

/** What runs before a page's first paint, or in a worker, is no module: modules wait for the whole page. */
const EARLY = { missing: "missing-page", search: "search-worker" };

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

/** A stylesheet, with what extras add to its end in files of the same name. */
async function minifiedStyle(name: string): Promise<string> {
  const added = glob.sync(`extras/*/assets/${name}.css`, { cwd: SOURCES, absolute: true }).sort();
  const css = [join(ASSETS, `${name}.css`), ...added].map((path) => readFileSync(path, "utf8"));
  return (await transform(css.join(""), { loader: "css", minify: true })).code;
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

/** Writes a list of what extras have. @param file the files with the value `name` @param item its part of the list */
function writeList(name: string, file: string, item: (value: string) => string): void {
  const paths = glob.sync(`extras/*/${file}.ts`, { cwd: SOURCES }).sort();
  const imports = paths.map(
    (path, at) => `import { ${name} as value${at} } from "../${path.replace(/ts$/, "js")}";\n`,
  );
  const items = paths.map((_, at) => item(`value${at}`)).join(", ");
  const text = `${imports.join("")}export const EXTRA_${name} = [${items}];\n`;
  writeFileSync(join(DIST, `browser/extra-${name.toLowerCase()}.js`), text);
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
// How workers search. In a packed tree, one also draws pages, which lead to those of extras.
writeList("SEARCH", "search", (value) => value);
writeList("PAGES", "worker", (value) => `...${value}`);
const scripts = { ...(await scriptsOf(PAGES, "esm")), ...(await scriptsOf(EARLY, "iife")) };
const extraScripts = await scriptsOf(EXTRA_PAGES, "esm");
const style = async (name: string) =>
  [name, assetOf(name, "css", "text/css; charset=utf-8", await minifiedStyle(name))] as const;
const styles = Object.fromEntries(await Promise.all(STYLES.map(style)));
const svg = readFileSync(join(ASSETS, "icon.svg"), "utf8");
const icon = assetOf("icon", "svg", "image/svg+xml", svg);

mkdirSync(join(DIST, "scripts"), { recursive: true });
const inline = (await bundled("early-search", "iife")).trim();
writeModule("names", {
  INLINE: { text: inline, sha256: createHash("sha256").update(inline).digest("base64") },
  SCRIPTS: namesOf(scripts),
  EXTRA_SCRIPTS: namesOf(extraScripts),
  STYLES: namesOf(styles),
  ICON: { name: icon.name, type: icon.type },
});
writeModule("texts", {
  ASSETS: [...Object.values(styles), icon, ...Object.values({ ...scripts, ...extraScripts })],
  ICON_IMAGES: await drawnIcons(svg),
});
// It draws pages, which name the other scripts.
writeModule("worker", { SERVICE_WORKER: await bundled("service-worker", "iife") });
