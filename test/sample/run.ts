/**
 * Writes a sample of any size, or packs an edited sample of 500 listings into the file that the package has:
 *
 *     npm run sample -- folder --listings 100000 --seed 2
 *     npm run sample -- folder --pack
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { HOSTS, type Written, writeSample } from "./larger.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    pack: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("which folder? npm run sample -- <folder>");
if (values.pack) pack(folder);
else {
  const sample = { listings: Number(values.listings), seed: Number(values.seed) };
  const { listings, scans } = await writeSample(folder, sample);
  process.stdout.write(`${listings} listings and ${scans} scans written to ${folder}\n`);
}

/** A line has the three documents, each other line a listing and its scans, all as pairs of path and record. */
function pack(published: string): void {
  const names = ["directory.json", "standards.json", "taxonomy.json"];
  const documents = names.map((name) => [name, JSON.parse(textOf(published, name))] as const);
  const scans = recordsIn(published, "scans");
  // Listings stay in their order: a smaller sample has the first ones.
  const rank = (host: string) => (HOSTS.includes(host) ? HOSTS.indexOf(host) : HOSTS.length);
  const wholes = recordsIn(published, "listings")
    .sort(([, a], [, b]) => rank(a.host) - rank(b.host))
    .map((listing) => [listing, ...scans.filter(([, { host }]) => host === listing[1].host)]);
  const lines = [documents, ...wholes].map((records) => `${JSON.stringify(records)}\n`);
  // The window holds all of the sample: that makes it a quarter of what gzip makes of it.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const file = join(import.meta.dirname, "../../sample/sample.ndjson.br");
  writeFileSync(file, brotliCompressSync(lines.join(""), { params }));
}

function recordsIn(published: string, kind: "listings" | "scans"): [string, Written][] {
  const entries = readdirSync(join(published, kind), { recursive: true, encoding: "utf8" }).sort();
  return entries
    .filter((name) => /json$/.test(name))
    .flatMap((name) => {
      const text = textOf(published, `${kind}/${name}`);
      const texts = name.endsWith(".ndjson") ? text.trimEnd().split("\n") : [text];
      return texts.map((one): [string, Written] => [`${kind}/${name}`, JSON.parse(one)]);
    });
}

function textOf(published: string, name: string): string {
  return readFileSync(join(published, name), "utf8");
}
