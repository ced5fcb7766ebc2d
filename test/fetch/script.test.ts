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
async function bundled(entry: string, splitting: boolean): Promise<Bundle> {
  const contents = `import { createFetchHandler, httpStore } from "./${entry}.js";
export default createFetchHandler({ store: httpStore(location.origin) });`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: FETCH, sourcefile: "program.js" },
    ...{ bundle: true, minify: true, splitting, format: "esm", platform: "neutral" },
    ...{ outdir: "/bundle", absWorkingDir: ROOT, write: false, metafile: true },
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

const inputsOf = ({ outputs }: Bundle) =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));

describe("the script of the fetch handler (gzip -9 of a minified bundle)", () => {
  it("takes at most 36 kB without pages, and has nothing of them", async () => {
    const bundle = await bundled("api", false);
    expect(inputsOf(bundle).length).toBeGreaterThan(50);
    expect(sizeOf(bundle, bundle.sizes.keys())).toBeLessThanOrEqual(36_000);
    const pages = inputsOf(bundle).filter((path) => path.startsWith("dist/src/pages/"));
    expect(pages).toEqual(["dist/src/pages/kit/accept.js"]);
  });

  it("takes at most 102 kB with pages, and loads the texts of their files later", async () => {
    const bundle = await bundled("index", true);
    const entries = entriesOf(bundle);
    const start = loadedWith(bundle, entries.get("program.js") ?? "");
    expect(sizeOf(bundle, start)).toBeLessThanOrEqual(102_000);
    expect([...entries.keys()].sort()).toEqual(["asset-texts.js", "program.js"]);
  });

  it("has one small package, nothing of Node, and no schema", async () => {
    for (const entry of ["api", "index"]) {
      const bundle = await bundled(entry, false);
      const packages = inputsOf(bundle).filter((path) => path.includes("node_modules"));
      expect(packages).toEqual(["node_modules/minisearch/dist/es/SearchableMap.js"]);
      const imports = Object.values(bundle.outputs).flatMap((output) => output.imports);
      expect(imports.filter(({ external = false }) => external)).toEqual([]);
    }
  });
});
