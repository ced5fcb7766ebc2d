/**
 * Writes the hashes of the stylesheets and of the icon into their names, after one of them has changed:
 *
 *     npm run assets
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASSETS } from "../src/pages/kit/asset-texts.js";
import { hashOf } from "../src/pages/kit/assets.js";

const FILE = join(import.meta.dirname, "../src/pages/kit/assets.ts");
let source = readFileSync(FILE, "utf8");
for (const { name, text } of ASSETS) {
  source = source.replace(`"${name}"`, `"${name.replace(/[0-9a-f]{8}/, hashOf(text))}"`);
}
writeFileSync(FILE, source);
