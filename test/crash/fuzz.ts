import { expect } from "vitest";
import {
  aCheck,
  aFix,
  aListing,
  aScan,
  type PublishedFiles,
  writeFiles,
  writePublished,
} from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import type { Product } from "./product.js";
import { chance, pick, SEED } from "./repetitions.js";

type Random = () => number;
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Values that have made readers of JSON fall. */
const STRANGE: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  100,
  101,
  2 ** 53 + 2,
  1e308,
  "",
  " ",
  "x",
  "\u0000",
  "a\u0301",
  "\u202e",
  "ß",
  "0",
  "null",
  "constructor",
  "toString",
  "hasOwnProperty",
  "example.com",
  "WWW.x",
  "https://example.com/",
  "javascript:alert(1)",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00Z",
  "2026-01-01T24:00:00+99:99",
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  "%",
  "../..",
  "a".repeat(300),
];

/** A strange value, mostly of the type of what it replaces. */
function strange(random: Random, like?: Json): Json {
  const alike = STRANGE.filter((value) => typeof value === typeof like);
  return structuredClone(pick(random, alike.length > 0 && random() < 0.7 ? alike : STRANGE));
}

const KEYS = ["constructor", "prototype", "toString", "$schema", "", "host", "id", "data", "a.b"];

/** Two records in one line, cut, turned and flipped bytes: what is no change of values. */
const BYTES: readonly ((line: string, random: Random) => string)[] = [
  (line, random) => line.slice(0, Math.floor(random() * line.length)),
  (line) => line + line,
  (line, random) => flipped(line, random),
  (line, random) =>
    inserted(line, random, pick(random, ["\u0000", "\\", '"', "{", "]", ",", "\ufeff"])),
  (line) => line.replace('"', '"__proto__":{"polluted":true},"'),
  (line) => line.replaceAll('"', "'"),
  (line) => line.replace(/"score":\d+/, '"score":1e999'),
  (line, random) => inserted(line, random, "\\ud800"),
];

function flipped(line: string, random: Random): string {
  const at = Math.floor(random() * line.length);
  const code = (line.charCodeAt(at) ^ (1 << Math.floor(random() * 7))) & 0x7f;
  // A line's end would make two records of it, which other tests are about.
  return line.slice(0, at) + String.fromCharCode(code === 10 ? 32 : code) + line.slice(at + 1);
}

function inserted(line: string, random: Random, text: string): string {
  const at = Math.floor(random() * line.length);
  return line.slice(0, at) + text + line.slice(at);
}

/** A record's line, with one or more of its values, keys or bytes changed. */
function mutant(record: object, random: Random): string {
  const copy = JSON.parse(JSON.stringify(record)) as { [key: string]: Json };
  if (random() < 0.25) return pick(random, BYTES)(JSON.stringify(copy), random);
  do changeInside(copy, random);
  while (random() < 0.3);
  return JSON.stringify(copy);
}

function changeInside(value: { [key: string]: Json } | Json[], random: Random): void {
  const keys = Object.keys(value);
  const at = value as { [key: string]: Json };
  const key = pick(random, keys.length === 0 ? ["0"] : keys);
  const inner = at[key];
  if (typeof inner === "object" && inner !== null && random() < 0.7) {
    changeInside(inner, random);
    return;
  }
  const kind = random();
  if (kind < 0.6) at[key] = strange(random, inner);
  else if (kind < 0.75) delete at[key];
  else if (kind < 0.9 && !Array.isArray(value)) at[pick(random, KEYS)] = strange(random);
  else if (inner !== undefined) at[key] = [inner, inner];
}

/**
 * I11: mutants of good listings, whose scans are good, and of good scans. Each is refused with its place or is good; what is left of
 * them is built, and every answer of it has the contract's shape.
 * @returns how many mutants were refused, and how many served
 */
export async function fuzz(
  product: Product,
  folder: string,
  mutants: number,
  batch = 0,
): Promise<{ refused: number; served: number }> {
  const random = chance(`I11 ${batch}`);
  const files = goodFiles(mutants);
  const lines = {
    "listings/all.ndjson": files.listings.map((listing, i) =>
      i % 2 === 0 ? mutant(listing, random) : JSON.stringify(listing),
    ),
    "scans/all.ndjson": files.scans.map((scan, i) =>
      i % 2 === 1 ? mutant(scan, random) : JSON.stringify(scan),
    ),
  };
  let refused = 0;
  for (let round = 0; ; round += 1) {
    const published = await writePublished(`${folder}/published`, files);
    await writeFiles(
      published,
      Object.fromEntries(Object.entries(lines).map(([file, left]) => [file, left.join("\n")])),
    );
    const built = await product
      .build(published, { store: `${folder}/store`, jobs: 1, keep: 1 })
      .catch((error: unknown) => error);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    if (!(built instanceof Error)) {
      const { bad } = await product.verify(`${folder}/store`);
      expect(bad, `SEED=${SEED}`).toEqual([]);
      return { refused, served: (built as { counts: { reports: number } }).counts.reports };
    }
    // Whatever else it may be is a crash of the reader.
    expect(built, `SEED=${SEED}: ${built.stack}`).toBeInstanceOf(product.BadPublishedError);
    const { problems } = built as InstanceType<typeof product.BadPublishedError>;
    const places = new Set(problems.map(({ file, line }) => `${file}:${line}`));
    expect(places.size, `SEED=${SEED}, round ${round}`).toBeGreaterThan(0);
    for (const [file, left] of Object.entries(lines)) {
      // An empty line keeps the numbers of those behind it.
      for (const [i, line] of left.entries()) {
        if (line === "" || !places.has(`${file}:${i + 1}`)) continue;
        left[i] = "";
        refused += 1;
      }
    }
  }
}

function goodFiles(count: number): PublishedFiles {
  const files = manyListings(1);
  const hosts = Array.from({ length: count }, (_, i) => `site-${i}.example`);
  const plan = { history: true, fixPrompts: null, starterFiles: true, highlight: true };
  files.listings = hosts.map((host) =>
    aListing({
      host,
      tagline: "A tagline",
      category: "weather",
      tags: ["zeta"],
      entitlements: plan,
    }),
  );
  files.scans = hosts.map((host, i) =>
    aScan({
      host,
      id: `scan-${i}`,
      checks: [aCheck(), aCheck({ checkId: "mcp", kind: "capability" })],
      fixes: [aFix()],
      profile: { free: { form: [1, "two", null] } },
      enrichment: {
        copy: { state: "ready", nextRetryAt: null },
        starterFiles: null,
        revision: "1",
      },
    }),
  );
  return files;
}
