import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEngine } from "./adapter.js";
import { makeAdversaries } from "./adversarial.js";
import { childInput, childOutput } from "./child.js";
import { makePool, type Pool, type PoolListing, poolListing, summariesOf } from "./pool.js";
import type { Requests } from "./requests.js";
import { commonestTrigrams, fold } from "./text.js";
import { makeWorkload, READS, type Workload } from "./workload.js";

/**
 * Draws the requests from a store's listings and leaves, in a folder, what the measuring processes need:
 * `requests.json`; `fields.ndjson`, each listing's text.
 */
export interface Preparation {
  readonly store: string;
  readonly folder: string;
  readonly seed: number;
  /** Requests of each read. */
  readonly requests: number;
}

export interface Prepared {
  /** Listings in search. */
  readonly size: number;
  /** By read, requests with a text, and those of them without a hit. */
  readonly texts: Readonly<Record<keyof Workload, number>>;
  readonly misses: Readonly<Record<keyof Workload, number>>;
}

const ADVERSARIES = 200;
/** Grams are counted in about so many listings. */
const COUNTED = 100_000;

const { store, folder, seed, requests } = childInput<Preparation>();
const warmUp = Math.ceil(requests / 4);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const engine = await loadEngine(store);
const listings = await writeListings();

const pool = makePool(listings);
const every = Math.ceil(listings.length / COUNTED);
const some = makePool(listings.filter((_, place) => place % every === 0));
const grams = commonestTrigrams(some.all);
const drawn = makeWorkload(pool, seed, requests + warmUp);
const measured = part(drawn, warmUp);
const written: Requests = {
  warmUp: part(drawn, 0, warmUp),
  measured,
  misses: missesOf(measured, pool),
  adversaries: makeAdversaries(pool, grams, seed, ADVERSARIES),
  commonest: grams[0]!,
};
writeFileSync(join(folder, "requests.json"), JSON.stringify(written));
const output: Prepared = {
  size: listings.length,
  texts: counts(measured, (raw) => textOf(raw) !== null),
  misses: counts(written.misses, () => true),
};
childOutput(output);

async function writeListings(): Promise<PoolListing[]> {
  const made = (await summariesOf(engine)).map(poolListing);
  const lines = made.map(({ fields }) => `${JSON.stringify(fields)}\n`);
  writeFileSync(join(folder, "fields.ndjson"), lines.join(""));
  return made;
}

function part(workload: Workload, from: number, to?: number): Workload {
  return map(workload, (raws) => raws.slice(from, to));
}

function missesOf(workload: Workload, { all, titles }: Pool): Workload {
  return map(workload, (raws, read) =>
    raws.filter((raw) => {
      const text = textOf(raw);
      const { text: held } = read === "suggestions" ? titles : all;
      return text !== null && !held.includes(fold(text));
    }),
  );
}

function counts(workload: Workload, counted: (raw: string) => boolean): Prepared["texts"] {
  const of = (read: keyof Workload) => workload[read].filter(counted).length;
  return { search: of("search"), facets: of("facets"), suggestions: of("suggestions") };
}

function map(
  workload: Workload,
  change: (raws: readonly string[], read: keyof Workload) => readonly string[],
): Workload {
  const [search, facets, suggestions] = READS.map((read) => change(workload[read], read));
  return { search: search!, facets: facets!, suggestions: suggestions! };
}

function textOf(raw: string): string | null {
  return new URLSearchParams(raw).get("q");
}
