/**
 * Makes a module of the standards of each scanner, since neither Node 20 nor a bundle for it imports JSON.
 * `.build/compile.ts` runs this once it has compiled the sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import glob from "fast-glob";

const ROOT = join(import.meta.dirname, "../../../..");

for (const path of glob.sync("src/extras/import/*/standards.json", { cwd: ROOT })) {
  const module = join(ROOT, "dist", path.replace(/json$/, "js"));
  writeFileSync(module, `export default ${readFileSync(join(ROOT, path), "utf8")}`);
}
