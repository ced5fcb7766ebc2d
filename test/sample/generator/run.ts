/**
 * Writes the sample that the package has, sample/sample.ndjson.br. With a folder, writes a sample of any size there:
 *
 *     npm run sample [-- folder --listings 100000 --seed 2]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { sampleRecords, writeSample } from "./write.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const [folder] = positionals;
if (folder !== undefined) {
  const sample = { listings: Number(values.listings), seed: Number(values.seed) };
  const { listings, scans } = await writeSample(folder, sample);
  process.stdout.write(`${listings} listings and ${scans} scans written to ${folder}\n`);
} else {
  const lines = Array.from(sampleRecords({}), (records) => `${JSON.stringify(records)}\n`);
  // The window holds all of the sample: that makes it a quarter of what gzip makes of it.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const path = join(import.meta.dirname, "../../../sample/sample.ndjson.br");
  writeFileSync(path, brotliCompressSync(lines.join(""), { params }));
}
