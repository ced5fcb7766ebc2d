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
    // Bundlers for edges ask packages for their form without Node.
    conditions: ["browser"],
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

/** The modules in files of a bundle. @param files default: all of them */
function inputsIn({ outputs }: Bundle, files: Iterable<string> = Object.keys(outputs)): string[] {
  return [...files].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

describe("the script of the fetch handler (gzip -9 of a minified bundle)", () => {
  it("takes at most 48 kB without pages, and loads what writes dumps later", async () => {
    const bundle = await bundled("api", true);
    const entries = entriesOf(bundle);
    const start = loadedWith(bundle, entries.get("program.js") ?? "");
    expect(inputsIn(bundle, start).length).toBeGreaterThan(50);
    expect(sizeOf(bundle, start)).toBeLessThanOrEqual(48_000);
    expect([...entries.keys()].sort()).toEqual(["dump.js", "program.js"]);
    const pages = inputsIn(bundle, start).filter((path) => path.startsWith("dist/src/pages/"));
    expect(pages.filter((path) => !/pages\/(?:kit|feeds)\//.test(path))).toEqual([]);
  });

  it("takes at most 112 kB with pages, and loads the texts of their files later", async () => {
    const bundle = await bundled("index", true);
    const entries = entriesOf(bundle);
    const start = loadedWith(bundle, entries.get("program.js") ?? "");
    expect(sizeOf(bundle, start)).toBeLessThanOrEqual(112_000);
    expect([...entries.keys()].sort()).toEqual(["asset-texts.js", "dump.js", "program.js"]);
  });

  it("starts with one small package, and has nothing of Node, and no schema", async () => {
    for (const entry of ["api", "index"]) {
      const bundle = await bundled(entry, true);
      const start = loadedWith(bundle, entriesOf(bundle).get("program.js") ?? "");
      const isPackage = (path: string) => path.includes("node_modules");
      expect(inputsIn(bundle, start).filter(isPackage)).toEqual([
        expect.stringMatching(/node_modules\/minisearch\/dist\/es\/SearchableMap.js$/),
      ]);
      const packages = inputsIn(bundle)
        .filter(isPackage)
        .map((path) => path.split("node_modules/")[1]?.split("/")[0]);
      expect(new Set(packages)).toEqual(
        new Set(["minisearch", "fflate", "hyparquet", "hyparquet-writer"]),
      );
      const imports = Object.values(bundle.outputs).flatMap((output) => output.imports);
      expect(imports.filter(({ external = false }) => external)).toEqual([]);
    }
  });
});
