import { describe, expect, it } from "vitest";
import type { ListingFilters, SearchQuery } from "../../src/contract/query.js";
import { openEngine } from "../../src/engine/engine.js";
import { chance, pick, seeded, whole } from "../oracle/random.js";
import { repeated } from "../slow.js";
import type { IndexedListing } from "../store/columns-of.js";
import { aListing, aSearch, indexOf, jsonOf } from "./directory.js";
import { naiveFacets, naiveSearch, naiveSuggest } from "./naive.js";

/*
 * Requests made to cost: every filter at its limit, texts of the commonest grams, one and two characters,
 * every order, the last pages. What they cost is a benchmark's; here they have to be right.
 */

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${kind}${at}`);
const CATEGORIES = names("c", 14);
const TAGS = names("t", 16);
const PLATFORMS = names("p", 40);
const CAPABILITIES = names("a", 20);
const BANDS = ["poor", "fair", "good", "great"];

const entry = (slug: string, order: number) => ({ slug, name: slug, group: "topic", order });
const VOCABULARY = {
  categories: CATEGORIES.map(entry),
  signals: CAPABILITIES.map((id) => ({
    id,
    label: id,
    description: id,
    kind: "capability" as const,
  })),
  platforms: PLATFORMS.map((slug) => ({ slug, name: slug })),
};

/** What taglines are made of: so long a text is in a listing of some, its pieces in nearly all. */
const COMMON =
  "the best coffee in the world and the best coffee in the city, the best of the rest ";

function aTagline(random: () => number): string {
  if (chance(random, 0.2)) return COMMON.repeat(4).slice(whole(random, 0, 83), 240);
  const words = COMMON.split(" ");
  return Array.from({ length: whole(random, 5, 30) }, () => pick(random, words)).join(" ");
}

/** Values of which the first are in nearly every listing and the last in few. */
function falling(random: () => number, values: readonly string[]): string[] {
  return values.filter((_, place) => chance(random, 0.99 ** (place * place) * 0.98));
}

const COUNT = repeated(400, 1_200);
const random = seeded(41);
const LISTINGS: readonly IndexedListing[] = Array.from({ length: COUNT }, (_, at) =>
  aListing(`the-${(at * 7919) % COUNT}.com`, {
    name: chance(random, 0.2) ? null : `The ${pick(random, COMMON.split(" "))} ${at % 50}`,
    tagline: chance(random, 0.05) ? null : aTagline(random),
    status: pick(random, ["unclaimed", "claimed"]),
    latestScore: chance(random, 0.1) ? null : whole(random, 0, 100),
    latestBand: pick(random, BANDS),
    platforms: falling(random, PLATFORMS),
    category: entry(pick(random, CATEGORIES), 0),
    tags: falling(random, TAGS).map((slug) => entry(slug, 0)),
    capabilities: falling(random, CAPABILITIES),
    recent: `0639000000${whole(random, 10, 99)}.`,
  }),
);
const engine = openEngine(indexOf(LISTINGS, 7, VOCABULARY));

const first = (values: readonly string[]) => values.slice(0, 10);
/** Every filter with as many values as the contract allows. */
const EVERYTHING: ListingFilters = {
  category: first(CATEGORIES),
  tag: first(TAGS),
  platform: first(PLATFORMS),
  capability: first(CAPABILITIES),
  band: BANDS,
};
/** 120 characters, each gram of which is in nearly every listing. */
const LONG = COMMON.repeat(2).slice(0, 120);
/** As long and as common, but nowhere as a whole. */
const NOWHERE = `${COMMON.slice(0, 60)}${COMMON.slice(0, 60)}`;

const totals = new Map<string, number>();

async function expectRight(name: string, filters: ListingFilters): Promise<void> {
  const facets = naiveFacets(LISTINGS, VOCABULARY, filters);
  expect(jsonOf(await engine.facets(filters)), name).toBe(JSON.stringify(facets));
  const { total } = facets.data;
  totals.set(name, total);
  const last = Math.max(1, Math.ceil(total / 24));
  for (const sort of ["score", "score-asc", "host", "recent"] as const) {
    for (const page of new Set([1, 2, last, last + 1, 10_000])) {
      const query: SearchQuery = aSearch({ ...filters, sort, page });
      const expected = JSON.stringify(naiveSearch(LISTINGS, query)).slice(0, -1);
      expect(
        jsonOf(await engine.search(query)).startsWith(expected),
        `${name} ${sort} ${page}`,
      ).toBe(true);
    }
  }
}

describe("expensive requests are answered correctly (contract section 4)", () => {
  it("with every filter at its limit, and with each filter left out in turn", async () => {
    await expectRight("everything", EVERYTHING);
    for (const open of Object.keys(EVERYTHING) as (keyof ListingFilters)[]) {
      const { [open]: _open, ...others } = EVERYTHING;
      await expectRight(`everything but ${open}`, others);
    }
    await expectRight("and text", { ...EVERYTHING, q: "the best" });
    await expectRight("and scores", {
      ...EVERYTHING,
      minScore: 20,
      maxScore: 80,
      status: "claimed",
    });
    expect(totals.get("everything but capability")).toBeGreaterThan(COUNT / 6);
    expect(totals.get("everything but tag")).toBeGreaterThan(0);
    expect(totals.get("and text")).toBeGreaterThan(0);
  });

  it("with 120 characters of the commonest grams, found and not found", async () => {
    expect([LONG.length, NOWHERE.length]).toEqual([120, 120]);
    await expectRight("long", { q: LONG });
    await expectRight("long among everything", { ...EVERYTHING, q: LONG });
    await expectRight("nowhere", { q: NOWHERE });
    await expectRight("nowhere among everything", { ...EVERYTHING, q: NOWHERE });
    expect(totals.get("long")).toBeGreaterThan(COUNT / 30);
    expect(totals.get("nowhere")).toBe(0);
  });

  it("with one and two characters", async () => {
    for (const q of ["e", "t", "z", " ", "th", "e ", ".c", "zz", "q"]) {
      await expectRight(q, { q });
      await expectRight(`${q} among others`, {
        q,
        category: first(CATEGORIES),
        platform: ["p0", "p39"],
      });
      await expectRight(`${q} by score`, { q, minScore: 50, capability: ["a0", "a1"] });
      const suggested = JSON.stringify(naiveSuggest(LISTINGS, q)).slice(0, -1);
      expect(jsonOf(await engine.suggest({ q })).startsWith(suggested), q).toBe(true);
    }
    expect(totals.get("e")).toBeGreaterThan(COUNT * 0.8);
  });

  it("with a value that nearly every listing has, and with one that hardly any has", async () => {
    await expectRight("common", { platform: ["p0"], tag: ["t0"], capability: ["a0"] });
    await expectRight("rare", { platform: ["p9"], tag: ["t9"] });
    await expectRight("rarest", { platform: ["p20", "p22"], capability: ["a19"] });
    await expectRight("by score alone", { minScore: 1, maxScore: 99 });
    await expectRight("one score", { minScore: 50, maxScore: 50 });
    expect(totals.get("common")).toBeGreaterThan(COUNT / 2);
    expect(totals.get("rare")).toBeLessThan(COUNT / 3);
  });
});
