/**
 * Makes a module of the standards of all scanners, because Node 20 cannot import JSON. `.build/compile.ts` runs this once
 * it has compiled the sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import glob from "fast-glob";

const ROOT = join(import.meta.dirname, "../../../..");

const paths = glob.sync("src/extras/import/*/standards.json", { cwd: ROOT }).sort();
const members = paths.map((path) => {
  const standards: unknown = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  return `${basename(dirname(path))}: ${JSON.stringify(standards)}`;
});
writeFileSync(
  join(ROOT, "dist/src/extras/import/standards.js"),
  `export const STANDARDS = {${members.join(",")}};\n`,
);
