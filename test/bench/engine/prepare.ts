import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hostHash } from "../../../src/contract/host.js";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { partBits } from "../../../src/store/layout.js";
import { loadEngine } from "./adapter.js";
import { makeAdversaries } from "./adversarial.js";
import { childInput, childOutput } from "./child.js";
import { makePool, type Pool, type PoolListing, poolListing, summariesOf } from "./pool.js";
import type { Requests } from "./requests.js";
import { commonestTrigrams, fold } from "./text.js";
import { makeWorkload, READS, type Workload } from "./workload.js";

/**
 * Draws the requests from a store's listings and leaves, in a folder, what the measuring processes need:
 * `requests.json`; `fields.ndjson`, each listing's text; `listings.ndjson` and `facets.json`, the
 * directory as peers get it; `entries/`, shards with the search entries alone.
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
mkdirSync(join(folder, "entries"), { recursive: true });
const engine = await loadEngine(store);
const listings = writeListings();
writeFileSync(join(folder, "facets.json"), engine.facets({}));

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

function writeListings(): PoolListing[] {
  const made: PoolListing[] = [];
  const buckets: unknown[][] = Array.from({ length: 2 ** partBits(engine.size, 256) }, () => []);
  const summaries = openSync(join(folder, "listings.ndjson"), "w");
  const fields = openSync(join(folder, "fields.ndjson"), "w");
  for (const summary of summariesOf(engine)) {
    const listing = poolListing(summary);
    made.push(listing);
    writeSync(summaries, `${JSON.stringify(summary)}\n`);
    writeSync(fields, `${JSON.stringify(listing.fields)}\n`);
    const bucket = Math.floor((hostHash(summary.host) * buckets.length) / 2 ** 32);
    buckets[bucket]!.push(entryOf(summary));
  }
  closeSync(summaries);
  closeSync(fields);
  for (const [bucket, entries] of buckets.entries()) {
    const text = JSON.stringify({ format: 1, entries });
    writeFileSync(join(folder, "entries", `${bucket}.json`), text);
  }
  return made;
}

/** A shard's entry with nothing but what search needs. */
function entryOf(summary: SiteSummary): object {
  return { host: summary.host, search: { summary, recent: summary.latestScannedAt ?? "" } };
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
