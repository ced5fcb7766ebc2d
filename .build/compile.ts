/**
 * Compiles the sources into `dist`, one module for each of them, then makes the scripts of pages from these modules:
 *
 *     tsx .build/compile.ts
 *
 * It checks no types: `npm run types` does. Under NODE_V8_COVERAGE the modules have source maps, so that a report of
 * what was covered names the sources.
 */
import { join } from "node:path";
import { build } from "esbuild";
import glob from "fast-glob";

const root = join(import.meta.dirname, "..");

await build({
  absWorkingDir: root,
  entryPoints: glob.sync(["{src,cli}/**/*.ts", "!**/*.d.ts"], { cwd: root }),
  outdir: "dist",
  outbase: ".",
  format: "esm",
  legalComments: "none",
  sourcemap: process.env.NODE_V8_COVERAGE === undefined ? false : "inline",
});
await import("./scripts.js");
// Extras make modules of their own, such as one of a file that an edge worker cannot read.
for (const script of glob.sync("src/extras/*/.build/*.ts", { cwd: root, dot: true })) {
  await import(join(root, script));
}
