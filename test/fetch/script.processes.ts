import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.js";

const FETCH = join(ROOT, "dist/src/fetch");

/** The files of a bundle. */
interface Bundle {
  readonly outputs: Metafile["outputs"];
  /** Bytes of each file after `gzip -9`, by its path in `outputs`. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Bytes of all files after brotli at its highest level. */
  readonly brotli: number;
}

/** What a program names besides the core, and its further options for the handler. */
interface Named {
  readonly imports?: string;
  readonly options?: string;
}
const CORE: Named = {};
const WITH_MCP: Named = {
  imports: 'import { mcp } from "../extras/mcp/edge.js";',
  options: "extras: [mcp()]",
};
/** The pages, and the extras that need no program of others. */
const WITH_PAGES: Named = {
  imports: `import { pages } from "./pages.js";
import { batch } from "../extras/batch/edge.js";
import { changes } from "../extras/changes/edge.js";
import { dumps } from "../extras/dumps/edge.js";
import { trends } from "../extras/trends/edge.js";`,
  options: "pages: pages(), extras: [batch(), changes(), dumps(), trends()]",
};

/** Bundles a program with a handler, as a web developer would. */
async function bundled({ imports = "", options = "" }: Named, splitting = true): Promise<Bundle> {
  const contents = `import { createFetchHandler, httpStore } from "./index.js"; ${imports}
export default createFetchHandler({ store: httpStore(location.origin), ${options} });`;
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
  const brotli = outputFiles.reduce(
    (sum, file) => sum + brotliCompressSync(file.contents).length,
    0,
  );
  return { outputs: metafile.outputs, sizes: new Map(sizes), brotli };
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

/** What checks signatures and bytes where it is needed. */
const CORE_LATER = ["slow-sha256.js"];
/** The reads and the page beyond the contract, and what writes the dump. */
const LATER = "batch changes dump-files dump host-feeds search-feed trends watch"
  .split(" ")
  .map((name) => `${name}.js`);
/** What draws pages. */
const PAGES = ["drawings.js", "error-pages.js", "texts.js"];

describe("the script of the fetch handler (minified)", () => {
  it("has at most 40 kB after brotli with the core alone, which has no page and no extra", async () => {
    const whole = await bundled(CORE, false);
    expect(whole.brotli).toBeLessThanOrEqual(40_000);
    const inputs = Object.values(whole.outputs).flatMap((output) => Object.keys(output.inputs));
    expect(inputs.length).toBeGreaterThan(40);
    expect(
      inputs.filter((path) => /src\/(?:pages|extras|browser)\/|modelcontext|zod/.test(path)),
    ).toEqual([]);
  });

  it("takes at most 136 kB more with MCP (gzip -9)", async () => {
    const [small, large] = await Promise.all([bundled(CORE), bundled(WITH_MCP)]);
    const started = (bundle: Bundle) =>
      loadedWith(bundle, entriesOf(bundle).get("program.js") ?? "");
    const added = sizeOf(large, started(large)) - sizeOf(small, started(small));
    expect(added).toBeLessThanOrEqual(136_000);
    expect(added).toBeGreaterThan(10_000);
    const imports = Object.values(large.outputs).flatMap((output) => output.imports);
    expect(imports.filter(({ external = false }) => external)).toEqual([]);
  });

  it.each([
    ["the core", 38_500, 39_000, CORE, CORE_LATER],
    ["pages and extras", 58_000, 262_000, WITH_PAGES, [...PAGES, ...CORE_LATER, ...LATER]],
  ])(
    "of %s begins with at most %i bytes of %i (gzip -9), and loads the rest later",
    async (_, bytes, all, named, files) => {
      const whole = await bundled(named, false);
      expect(sizeOf(whole, whole.sizes.keys())).toBeLessThanOrEqual(all);
      const bundle = await bundled(named);
      const entries = entriesOf(bundle);
      const start = loadedWith(bundle, entries.get("program.js") ?? "");
      expect([...entries.keys()].sort()).toEqual([...files, "program.js"].sort());
      expect(sizeOf(bundle, start)).toBeLessThanOrEqual(bytes);
      const inputs = [...start].flatMap((path) => Object.keys(bundle.outputs[path]?.inputs ?? {}));
      expect(inputs.length).toBeGreaterThan(40);
      const packages = inputs.flatMap((path) => /node_modules.*/.exec(path) ?? []);
      expect(packages).toEqual(["node_modules/minisearch/dist/es/SearchableMap.js"]);
      const imports = Object.values(bundle.outputs).flatMap((output) => output.imports);
      expect(imports.filter(({ external = false }) => external)).toEqual([]);
    },
  );
});
