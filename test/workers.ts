import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

/**
 * Node runs worker threads itself and reads no TypeScript. So sources that tests load start the compiled worker
 * modules, which setup.ts has compiled from the same sources.
 */
export function compiledWorkers(): Plugin {
  const src = fileURLToPath(new URL("../src/", import.meta.url));
  const dist = new URL("../dist/src/", import.meta.url);
  return {
    name: "compiled-workers",
    transform(code, id) {
      if (!id.startsWith(src)) return null;
      const folder = new URL(id.slice(src.length).replace(/[^/]*$/, ""), dist);
      return code.replace(
        /new URL\("\.\/([\w-]+-worker\.js)", import\.meta\.url\)/g,
        (_, name: string) => `new URL(${JSON.stringify(new URL(name, folder).href)})`,
      );
    },
  };
}
