import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { ListingFilters, SearchQuery } from "../../src/contract/query.js";
import { openEngine } from "../../src/engine/engine.js";
import { seeded, shuffled } from "../oracle/random.js";
import type { TextRead } from "../oracle/search.js";
import { repeated } from "../slow.js";
import type { IndexedListing } from "../store/columns-of.js";
import {
  aListing,
  aSearch,
  type Bodies,
  bodiesOf,
  indexOf,
  jsonOf,
  openListings,
  RUBRIC,
  randomListings,
  randomQuery,
  randomText,
} from "./directory.js";
import { matching, naiveFacets, naiveSearch, naiveSuggest } from "./naive.js";

/** Enough listings that a common value is a bitmap and a rare one an array, and both occur. */
const LISTINGS = randomListings(2026, 400);
const engine = bodiesOf(openListings(LISTINGS));

const SEARCHES = repeated(150, 2_500);
const FACETS = repeated(120, 2_000);

/**
 * Expects a body to be the model's, byte by byte, and `didYouMean` to be there if and only if the text by
 * itself matches nothing, with corrections that each match.
 */
function expectAnswer(
  body: Uint8Array,
  expected: object,
  listings: readonly IndexedListing[],
  q: string | undefined,
  read: TextRead,
): void {
  const json = jsonOf(body);
  if (q === undefined || matching(listings, q, read).length > 0) {
    expect(json).toBe(JSON.stringify(expected));
    return;
  }
  const { didYouMean } = JSON.parse(json) as { didYouMean: string[] };
  expect(json).toBe(JSON.stringify({ ...expected, didYouMean }));
  expect(didYouMean.length).toBeLessThanOrEqual(3);
  expect(new Set(didYouMean).size).toBe(didYouMean.length);
  for (const text of didYouMean) expect(matching(listings, text, read)).not.toEqual([]);
}

/** The queries of a seed, each with what it says of itself when it fails. */
function* queries(seed: number, count: number): Generator<SearchQuery> {
  const random = seeded(seed);
  for (let made = 0; made < count; made += 1) yield randomQuery(random, LISTINGS);
}

describe("the engine agrees with filtering and sorting the summaries, byte by byte", () => {
  it(`in ${SEARCHES} searches`, async () => {
    let empty = 0;
    for (const query of queries(1, SEARCHES)) {
      const body = await engine.search(query);
      const expected = naiveSearch(LISTINGS, query) as { data: unknown[] };
      if (expected.data.length === 0) empty += 1;
      expectAnswer(body, expected, LISTINGS, query.q, "search");
    }
    expect(empty).toBeGreaterThan(0.16 * SEARCHES);
    expect(empty).toBeLessThan(0.76 * SEARCHES);
  });

  it(`in ${FACETS} facets reads`, async () => {
    for (const { sort: _sort, page: _page, limit: _limit, ...query } of queries(2, FACETS)) {
      const facets: ListingFilters = query;
      expect(jsonOf(await engine.facets(facets))).toBe(
        JSON.stringify(naiveFacets(LISTINGS, query)),
      );
      const scored = naiveFacets(LISTINGS, { ...query, include: "scores" });
      expect(jsonOf(await engine.facets(facets, RUBRIC))).toBe(JSON.stringify(scored));
    }
  });

  it(`in ${SEARCHES} suggestions`, async () => {
    const random = seeded(3);
    let full = 0;
    for (let made = 0; made < SEARCHES; made += 1) {
      const q = randomText(random, LISTINGS);
      const expected = naiveSuggest(LISTINGS, { q }) as { data: { host: string }[] };
      if (expected.data.length === 5) full += 1;
      expectAnswer(await engine.suggest({ q }), expected, LISTINGS, q, "suggestions");
      const scored = { q, include: "scores" } as const;
      const answer = JSON.parse(jsonOf(await engine.suggest(scored)));
      expect(answer).toMatchObject(naiveSuggest(LISTINGS, scored));
    }
    expect(full).toBeGreaterThan(0.16 * SEARCHES);
  });

  it("in suggestions of texts that begin both the hosts and the names of listings", async () => {
    const listings = LISTINGS.map((one, place) =>
      place % 3 === 0 ? one : { ...one, summary: { ...one.summary, name: one.summary.host } },
    );
    const named = bodiesOf(openListings(listings));
    const hosts = listings.map(({ summary }) => summary.host);
    for (const q of new Set([2, 3, 4].flatMap((end) => hosts.map((host) => host.slice(0, end))))) {
      const body = await named.suggest({ q });
      expectAnswer(body, naiveSuggest(listings, { q }), listings, q, "suggestions");
    }
  });

  it("in directories of every small size, 1 to 70 listings", async () => {
    const random = seeded(4);
    for (let size = 1; size <= 70; size += repeated(6, 1)) {
      const listings = randomListings(size, size);
      const small = bodiesOf(openListings(listings));
      for (let made = 0; made < repeated(5, 40); made += 1) {
        const query = randomQuery(random, listings);
        expectAnswer(
          await small.search(query),
          naiveSearch(listings, query),
          listings,
          query.q,
          "search",
        );
        const q = randomText(random, listings);
        expectAnswer(
          await small.suggest({ q }),
          naiveSuggest(listings, { q }),
          listings,
          q,
          "suggestions",
        );
        const facets = naiveFacets(listings, { ...query, include: "scores" });
        expect(jsonOf(await small.facets(query, RUBRIC))).toBe(JSON.stringify(facets));
      }
    }
  });
});

/** Expects another engine of the same listings to answer what the one of all these tests does. */
async function expectSame(other: Bodies, query: SearchQuery): Promise<void> {
  expect(jsonOf(await other.search(query))).toBe(jsonOf(await engine.search(query)));
  expect(jsonOf(await other.facets(query))).toBe(jsonOf(await engine.facets(query)));
  const q = query.q ?? "lab";
  expect(jsonOf(await other.suggest({ q }))).toBe(jsonOf(await engine.suggest({ q })));
}

describe("the engine's index", () => {
  it("does not depend on the order in which listings come", async () => {
    const random = seeded(5);
    const index = indexOf(LISTINGS);
    for (let made = 0; made < repeated(1, 2); made += 1) {
      expect(isDeepStrictEqual(indexOf(shuffled(random, LISTINGS)), index)).toBe(true);
    }
  });

  it("gives the same answers for any number of segments", async () => {
    const opened = [1, 2, 23].map((segments) => bodiesOf(openEngine(indexOf(LISTINGS, segments))));
    for (const query of queries(8, 30)) {
      for (const one of opened) {
        await expectSame(one, query);
      }
    }
  });

  it("is not changed by answering", async () => {
    const index = indexOf(LISTINGS);
    const before = structuredClone(index);
    const opened = openEngine(index);
    for (const query of queries(7, repeated(40, 500))) {
      await opened.search(query);
      await opened.facets(query);
      await opened.suggest(query.q ?? "coffee");
    }
    expect(isDeepStrictEqual(index, before)).toBe(true);
  });

  it("gives each answer its own bytes", async () => {
    const first = await engine.search(aSearch({ limit: 3 }));
    const copy = first.slice();
    await engine.search(aSearch({ limit: 100, sort: "host" }));
    await engine.facets({});
    expect(first).toEqual(copy);
  });

  it("holds both forms of sets in these tests: bitmaps and sorted numbers", async () => {
    const { postings, filters, size } = indexOf(LISTINGS);
    const words = Math.ceil(size / 32);
    const sets = [postings.all, postings.titles];
    for (const { counts } of [...sets, filters.platform.sets]) {
      expect(counts.some((count) => count > words)).toBe(true);
    }
    for (const { counts } of sets) {
      expect(counts.some((count) => count > 0 && count <= words)).toBe(true);
    }
  });

  it("answers every read with nothing if there are no listings", async () => {
    const empty = openListings([]);
    expect(empty.size).toBe(0);
    const none = bodiesOf(empty);
    const pagination = { page: 2, limit: 24, total: 0, totalPages: 0 };
    for (const sort of ["score", "score-asc", "host", "recent"] as const) {
      const query = aSearch({ sort, page: 2 });
      expect(JSON.parse(jsonOf(await none.search(query)))).toEqual({ data: [], pagination });
    }
    const query = aSearch({ q: "coffee", minScore: 0, category: ["art"], page: 2 });
    expect(JSON.parse(jsonOf(await none.search(query)))).toEqual({
      data: [],
      pagination,
      didYouMean: [],
    });
    expect(JSON.parse(jsonOf(await none.suggest({ q: "coffee" })))).toEqual({
      data: [],
      didYouMean: [],
    });
    expect(jsonOf(await none.facets({ q: "coffee", platform: ["wp"] }))).toBe(
      JSON.stringify(naiveFacets([], {})),
    );
  });

  it("still answers correctly after a query that made it throw", async () => {
    const query = aSearch({ limit: 2 });
    const before = await engine.search(query);
    const broken = aSearch({ limit: 2 });
    Object.defineProperty(broken, "limit", { value: Symbol("no number") });
    await expect(engine.search(broken)).rejects.toThrow();
    expect(await engine.search(query)).toEqual(before);
  });
});

describe("a listing's summary by its host", () => {
  it("equals the one that a search gives for that host", async () => {
    const listings = ["a.org", "ab.org", "lab.com", "lab.com.br", "z.org"].map((host) =>
      aListing(host, { name: "lab.com", tags: [] }),
    );
    const engine = openListings(listings);
    const unknown = ["b.org", "lab.co", "lab.com.b", "lab.com.brr", "zz.org"];
    const hosts = [...unknown, ...listings.map(({ summary }) => summary.host)];
    const found = await engine.summariesOf(hosts);
    expect(found.slice(0, unknown.length)).toEqual(unknown.map(() => undefined));
    expect(found.slice(unknown.length).map((json) => JSON.parse(jsonOf(json!)))).toEqual(
      listings.map(({ summary }) => summary),
    );
    expect(await openListings([]).summariesOf(["a.org"])).toEqual([undefined]);
  });
});
