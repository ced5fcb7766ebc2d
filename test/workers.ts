import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

/**
 * Threads are started by node itself, which reads no TypeScript, and no browser does: sources that tests load start the
 * threads and hand out the modules of the compiled product, which setup.ts has made of the same sources.
 */
export function compiledWorkers(): Plugin {
  const src = fileURLToPath(new URL("../src/", import.meta.url));
  const dist = new URL("../dist/src/", import.meta.url);
  const browser = new URL("../dist/browser/", import.meta.url);
  return {
    name: "compiled-workers",
    transform(code, id) {
      if (!id.startsWith(src)) return null;
      const folder = new URL(id.slice(src.length).replace(/[^/]*$/, ""), dist);
      return code
        .replace(
          'new URL("../../browser/", import.meta.url)',
          `new URL(${JSON.stringify(browser.href)})`,
        )
        .replace(
          /new URL\("\.\/([\w-]+-worker\.js)", import\.meta\.url\)/g,
          (_, name: string) => `new URL(${JSON.stringify(new URL(name, folder).href)})`,
        );
    },
  };
}
