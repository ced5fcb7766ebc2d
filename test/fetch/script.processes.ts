import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.js";

const FETCH = join(ROOT, "dist/src/fetch");

/** The files of a bundle. */
interface Bundle {
  readonly outputs: Metafile["outputs"];
  /** Bytes of each file after `gzip -9`, by its path in `outputs`. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Bundles a program with a handler, as a web developer would. @param entry a module of `crawldex/fetch` */
async function bundled(entry: string, hasMcp = false, splitting = true): Promise<Bundle> {
  const mcp = hasMcp
    ? 'import { answerMcp } from "./mcp.js";'
    : "const answerMcp = () => undefined;";
  const contents = `import { createFetchHandler, httpStore } from "./${entry}.js"; ${mcp}
export default createFetchHandler({ store: httpStore(location.origin), mcp: answerMcp() });`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: FETCH, sourcefile: "program.js" },
    bundle: true,
    minify: true,
    splitting,
    format: "esm",
    platform: "neutral",
    // As bundlers for workers do.
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    outdir: "/bundle",
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
  });
  const paths = new Map(Object.keys(metafile.outputs).map((path) => [basename(path), path]));
  const sizes = outputFiles.map(({ path, contents: code }): [string, number] => [
    paths.get(basename(path)) ?? path,
    gzipSync(code, { level: 9 }).length,
  ]);
  return { outputs: metafile.outputs, sizes: new Map(sizes) };
}

/** The files that a browser loads to run a file, itself included. */
function loadedWith({ outputs }: Bundle, start: string): Set<string> {
  const loaded = new Set([start]);
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(imported);
    }
  }
  return loaded;
}

function sizeOf({ sizes }: Bundle, files: Iterable<string>): number {
  return [...files].reduce((sum, path) => sum + (sizes.get(path) ?? Number.NaN), 0);
}

/** The bundle's files by the module that each begins with, without those that only others import. */
function entriesOf({ outputs }: Bundle): Map<string, string> {
  const named = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [[basename(entryPoint), path] as const],
  );
  return new Map(named);
}

/** The reads beyond the contract, what writes the dump, and what checks signatures and bytes where it is needed. */
const LATER = [
  "batch.js",
  "change-log.js",
  "changes.js",
  "dump-files.js",
  "dump.js",
  "search-feed.js",
  "trends.js",
  "slow-sha256.js",
  "verify.js",
];
/** What draws pages. */
const PAGES = ["drawings.js", "error-pages.js", "texts.js"];

describe("the script of the fetch handler (gzip -9 of a minified bundle)", () => {
  it("takes at most 123 kB more with MCP, of which it has nothing otherwise", async () => {
    const [small, large] = await Promise.all([bundled("api"), bundled("api", true)]);
    const started = (bundle: Bundle) =>
      loadedWith(bundle, entriesOf(bundle).get("program.js") ?? "");
    const added = sizeOf(large, started(large)) - sizeOf(small, started(small));
    expect(added).toBeLessThanOrEqual(123_000);
    expect(added).toBeGreaterThan(10_000);
    const inputs = Object.values(small.outputs).flatMap((output) => Object.keys(output.inputs));
    expect(inputs.filter((path) => /extras\/mcp|modelcontext|zod/.test(path))).toEqual([]);
    const imports = Object.values(large.outputs).flatMap((output) => output.imports);
    expect(imports.filter(({ external = false }) => external)).toEqual([]);
  });

  it.each([
    ["api", 40_200, 70_300, LATER],
    ["index", 51_000, 227_200, [...PAGES, ...LATER]],
  ])(
    "of crawldex/fetch %s begins with at most %i bytes of %i, and loads the rest later",
    async (entry, bytes, all, files) => {
      const whole = await bundled(entry, false, false);
      expect(sizeOf(whole, whole.sizes.keys())).toBeLessThanOrEqual(all);
      const bundle = await bundled(entry);
      const entries = entriesOf(bundle);
      const start = loadedWith(bundle, entries.get("program.js") ?? "");
      expect([...entries.keys()].sort()).toEqual([...files, "program.js"].sort());
      expect(sizeOf(bundle, start)).toBeLessThanOrEqual(bytes);
      const inputs = [...start].flatMap((path) => Object.keys(bundle.outputs[path]?.inputs ?? {}));
      expect(inputs.length).toBeGreaterThan(50);
      const packages = inputs.flatMap((path) => /node_modules.*/.exec(path) ?? []);
      expect(packages).toEqual(["node_modules/minisearch/dist/es/SearchableMap.js"]);
      const imports = Object.values(bundle.outputs).flatMap((output) => output.imports);
      expect(imports.filter(({ external = false }) => external)).toEqual([]);
      if (entry !== "api") return;
      const pages = inputs.filter((path) => path.startsWith("dist/src/pages/"));
      expect(pages).toEqual([]);
    },
  );
});
