import { describe, expect, it } from "vitest";
import {
  ListingFilters,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../src/contract/query.js";
import { makeAdversaries } from "../bench/engine/adversarial.js";
import { makePool, type PoolListing } from "../bench/engine/pool.js";
import { commonestTrigrams, fold, joinFolded, markHolders } from "../bench/engine/text.js";
import { makeWorkload, READS } from "../bench/engine/workload.js";
import { Random } from "../sample/generator/random.js";

const WORDS = ["Kaffee", "rösterei", "Москва", "東京", "παλιός", "cats & dogs", "🦊 lab", "alpha"];
const COUNT = 400;

/** A small directory in many scripts. */
function listings(): PoolListing[] {
  const random = new Random(7);
  return Array.from({ length: 60 }, (_, at) => ({
    fields: [
      `site-${at}.example`,
      random.chance(0.2) ? "" : `${random.pick(WORDS)} ${random.pick(WORDS)}`,
      random.chance(0.2) ? "" : `All of ${random.pick(WORDS)}`,
    ],
    category: random.some(["art", "zoo"], 1),
    tag: random.some(["ta", "tb", "tc"], 2),
    platform: random.some(["pa", "pb"], 1),
    capability: random.some(["ca", "cb", "cc"], 2),
    band: random.some(["high", "low"], 1),
  }));
}

const pool = makePool(listings());
const workload = makeWorkload(pool, 1, COUNT);
const textOf = (raw: string) => new URLSearchParams(raw).get("q");

/** Whether a listing's field, of the first so many, holds a text. */
function isHeld(text: string, fields: 2 | 3): boolean {
  return pool.listings.some((listing) =>
    listing.fields.slice(0, fields).some((field) => fold(field).includes(fold(text))),
  );
}

describe("the benchmark's workload", () => {
  it("has no request twice, and the same requests for the same seed", () => {
    for (const read of READS) expect(new Set(workload[read]).size).toBe(COUNT);
    expect(makeWorkload(pool, 1, COUNT)).toEqual(workload);
    expect(makeWorkload(pool, 2, COUNT)).not.toEqual(workload);
  });

  it("has no request that the contract refuses", () => {
    const adversaries = makeAdversaries(pool, commonestTrigrams(pool.all), 1, 20);
    for (const { search, facets, suggestions } of [workload, ...Object.values(adversaries)]) {
      expect(search.filter((raw) => !readQuery(SearchQuery, raw).ok)).toEqual([]);
      expect(facets.filter((raw) => !readQuery(ListingFilters, raw).ok)).toEqual([]);
      expect(suggestions.filter((raw) => !readQuery(SuggestionsQuery, raw).ok)).toEqual([]);
    }
    const [long] = adversaries["long q"].search;
    expect(textOf(long!)!.length).toBeGreaterThan(110);
  });

  it("has texts of 2 to 12 characters in about 55 % of its requests, of which 12 % match nothing", () => {
    for (const read of READS) {
      const texts = workload[read].map(textOf).filter((text) => text !== null);
      const share = read === "suggestions" ? 1 : 0.55;
      expect(Math.abs(texts.length / COUNT - share)).toBeLessThan(0.08);
      const lengths = texts.map((text) => Array.from(text).length);
      expect(lengths.filter((length) => length < 2 || length > 12)).toEqual([]);
      expect(new Set(lengths).size).toBe(11);
      const held = texts.filter((text) => isHeld(text, read === "suggestions" ? 2 : 3));
      expect(Math.abs(1 - held.length / texts.length - 0.12)).toBeLessThan(0.06);
    }
  });

  it("uses every order, the first five pages and every filter", () => {
    const given = (name: string) =>
      new Set(workload.search.flatMap((raw) => new URLSearchParams(raw).getAll(name)));
    expect([...given("sort")].sort()).toEqual(["host", "recent", "score-asc"]);
    expect([...given("page")].sort()).toEqual(["2", "3", "4", "5"]);
    for (const name of ["category", "tag", "platform", "capability", "band", "status"]) {
      expect(given(name).size).toBeGreaterThan(1);
    }
    expect(given("minScore").size).toBeGreaterThan(5);
  });
});

describe("the pass that bounds the slowest request", () => {
  it("marks each listing with a piece in one field once", () => {
    const texts: [string, string, string][] = [
      ["aa.b", "aaaa", ""],
      ["c.d", "a", "a"],
      ["e.f", "x", "AAA"],
    ];
    const joined = joinFolded(texts, 3);
    const marks = new Uint8Array(texts.length);
    expect(markHolders(joined, "aaa", marks)).toBe(2);
    expect([...marks]).toEqual([1, 0, 1]);
    expect(commonestTrigrams(joined)[0]).toBe("aaa");
  });
});
