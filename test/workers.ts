import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin, ViteUserConfig } from "vitest/config";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SRC = join(ROOT, "src/");
const CLI = join(ROOT, "cli/");

/** Modules of the compiled product: node runs them itself. */
export const COMPILED = /\/dist\//;

/**
 * Tests load the compiled product, which setup.ts has made of the sources: node runs it as its users do, and nothing
 * has to be transformed. The config must list `COMPILED` under `server.deps.external`.
 */
export function compiledSources(): Plugin {
  return {
    name: "compiled-sources",
    enforce: "pre",
    resolveId(source, importer) {
      if (importer === undefined || !/^\..*\.js$/.test(source)) return null;
      const path = fileURLToPath(new URL(source, pathToFileURL(importer)));
      if (!path.startsWith(SRC) && !path.startsWith(CLI)) return null;
      return { id: join(ROOT, "dist", path.slice(ROOT.length)), external: true };
    },
  };
}

/**
 * For tests that put another module in a module's place, and so load the sources: node reads no TypeScript, and no
 * browser does. The sources start the threads and hand out the modules of the compiled product.
 */
export function compiledWorkers(): Plugin {
  const dist = new URL("../dist/src/", import.meta.url);
  return {
    name: "compiled-workers",
    transform(code, id) {
      if (!id.startsWith(SRC)) return null;
      const folder = new URL(id.slice(SRC.length).replace(/[^/]*$/, ""), dist);
      return code.replace(
        /new URL\("\.\/([\w-]+-worker\.js)", import\.meta\.url\)/g,
        (_, name: string) => `new URL(${JSON.stringify(new URL(name, folder).href)})`,
      );
    },
  };
}

/**
 * The configuration of a suite that is longer than `npm test`: each file in a process of its own, one after the other,
 * since times are measured and machines are small.
 * @param include the pattern of its files
 * @param plugin what its tests load
 */
export function suite(
  include: string | string[],
  own: ViteUserConfig["test"],
  plugin = compiledSources(),
): ViteUserConfig {
  return {
    plugins: [plugin],
    test: {
      root: ROOT,
      include: [include].flat(),
      globalSetup: ["test/setup.ts"],
      setupFiles: ["test/extras.ts"],
      hookTimeout: 120_000,
      pool: "forks",
      server: { deps: { external: [COMPILED] } },
      maxWorkers: 1,
      ...own,
      // What commands print there depends on it.
      env: { GITHUB_ACTIONS: "", ...own?.env },
    },
  };
}
