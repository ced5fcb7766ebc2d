import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIST_FILTER_NAMES, LIST_FILTERS } from "../../../src/contract/filters.js";
import { LIMITS } from "../../../src/contract/limits.js";
import { ListingFilters, readQuery, SearchQuery } from "../../../src/contract/query.js";
import { tableOf } from "../../../src/contract/tables.js";
import {
  addressOf,
  allSites,
  changed,
  currentState,
  facetsOf,
  filtersOf,
  isFiltered,
  isStart,
  readState,
  type SearchState,
  SORT_LABELS,
  searchJson,
  searchOf,
  without,
} from "../../../src/pages/explorer/search-state.js";
import { anyText } from "../hostile.js";

const NONE = readState("");

const slugs = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/);
const values = (max: number) => fc.uniqueArray(slugs, { maxLength: max });
const score = fc.option(fc.integer({ min: 0, max: 100 }));
const states: fc.Arbitrary<SearchState> = fc
  .record({
    q: anyText,
    ...tableOf(LIST_FILTER_NAMES, (name) => values(LIST_FILTERS[name].max)),
    status: fc.constantFrom("claimed" as const, "unclaimed" as const, null),
    scores: fc.tuple(score, score),
    sort: fc.constantFrom(null, ...(Object.keys(SORT_LABELS) as SearchState["sort"][])),
    page: fc.integer({ min: 1, max: LIMITS.pageMax }),
    ignored: fc.constant([]),
  })
  .map(({ q, scores: [a, b], ...others }) => ({
    ...others,
    q: readState(new URLSearchParams({ q })).q,
    minScore: a !== null && b !== null ? Math.min(a, b) : a,
    maxScore: a !== null && b !== null ? Math.max(a, b) : b,
  }))
  .map((state) => {
    // Without a text, the order by score is a choice only where there is no other.
    const unsorted = { ...state, sort: null };
    return state.sort === "score" && state.q === "" && !isStart(unsorted) ? unsorted : state;
  });

describe("a state of the explorer and its address", () => {
  it("an address restores any state", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readState(addressOf(state).replace(/^\?/, ""))).toEqual(state);
        expect(readState(addressOf(state))).toEqual(state);
      }),
    );
  });

  it("every state is a request that the API accepts with the same meaning", () => {
    fc.assert(
      fc.property(states, (state) => {
        fc.pre(!isStart(state));
        const address = addressOf(state).slice(1);
        const read = readQuery(SearchQuery, address);
        expect(read).toEqual({ ok: true, value: searchOf(state) });
        expect(Object.keys(ListingFilters)).toEqual(
          expect.arrayContaining(Object.keys(filtersOf(state))),
        );
      }),
    );
  });

  it("any query gives a state that the API accepts", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, value) => {
        const queries = [text, `q=${text}`, `category=${value}&minScore=${text}&page=${value}`];
        for (const query of queries) {
          const state = readState(query);
          expect(readQuery(SearchQuery, addressOf(state).slice(1)).ok).toBe(true);
        }
      }),
    );
  });

  it("a state without choices has no query", () => {
    expect(addressOf(NONE)).toBe("");
    expect(addressOf(readState("q=+&category=&status=&minScore=&maxScore=&sort=&page=1"))).toBe("");
  });

  it.each([
    ["category=a&category=a&category=B&category=b-&category=c", "?category=a&category=c"],
    [`tag=${"x".repeat(81)}&tag=y`, "?tag=y"],
    ["band=a&band=b&band=c&band=d&band=e", "?band=a&band=b&band=c&band=d"],
    ["minScore=80&maxScore=50", "?minScore=80&maxScore=50"],
    ["minScore=-1&maxScore=101", ""],
    ["minScore=0", "?minScore=0"],
    ["minScore=4.5&maxScore=1e1", ""],
    ["sort=host&page=3", "?sort=host&page=3"],
    ["sort=toString&page=0", ""],
    ["page=10001&limit=5&utm_source=x", ""],
    ["status=claimed", "?status=claimed"],
    ["status=Claimed", ""],
    ["q=https%3A%2F%2Fwww.waifu.im%2Fdocs%3Fx&band=a", "?q=waifu.im&band=a"],
    ["q=%FF%ZZ+a", "?q=%EF%BF%BD%25ZZ+a"],
  ])("%s is read as %s", (query, address) => {
    const state = readState(query);
    expect(addressOf(state)).toBe(address);
    // What is read is what is left without the parts that are said to be ignored.
    const given = new URLSearchParams(query);
    for (const [name, value] of state.ignored) given.delete(name, value);
    expect([readState(given).ignored, addressOf(readState(given))]).toEqual([[], address]);
    const isLess =
      /B|[0-9]{3,}x{9}|-1|4\.5|toString|10001|Claimed/.test(query) || query.startsWith("tag");
    expect(state.ignored.length > 0).toBe(isLess);
    expect(changed(state, { page: 2 }).ignored).toEqual([]);
  });

  it("a text is cut to the API's maximum of code points, and never within one", () => {
    const long = "😀".repeat(130);
    expect([...readState(new URLSearchParams({ q: ` ${long} ` })).q]).toHaveLength(120);
    expect(readState(new URLSearchParams({ q: ` ${long} ` })).q).toBe("😀".repeat(120));
  });

  it("a change goes back to the first page, unless it changes the page", () => {
    const state = readState("q=a&category=x&category=y&page=7");
    expect(addressOf(changed(state, { q: "b" }))).toBe("?q=b&category=x&category=y");
    expect(addressOf(changed(state, { page: 3 }))).toBe("?q=a&category=x&category=y&page=3");
    expect(addressOf(without(state, "category", "x"))).toBe("?q=a&category=y");
  });

  it("a text, an order and a page are not filters; everything else is", () => {
    expect(isFiltered(readState("q=a&sort=host&page=2"))).toBe(false);
    for (const query of ["minScore=0", "maxScore=100", "status=claimed"]) {
      expect([query, isFiltered(readState(query))]).toEqual([query, true]);
    }
    for (const choice of LIST_FILTER_NAMES) expect(isFiltered(readState(`${choice}=x`))).toBe(true);
  });

  it("the start shows the sites that were scanned last; the list of all sites has an address of its own", () => {
    expect(searchOf(readState(""))).toEqual({ sort: "recent", page: 1, limit: 8 });
    expect(searchJson(readState(""))).toBe("api/sites?sort=recent&limit=8");
    expect([isStart(readState("")), isStart(readState("sort=none&page=1"))]).toEqual([true, true]);
    expect(addressOf(allSites())).toBe("?sort=score");
    expect(searchOf(allSites())).toEqual({ sort: "score", page: 1, limit: 24 });
    expect(isStart(allSites())).toBe(false);
    expect(addressOf(readState("sort=score&band=a"))).toBe("?band=a");
    expect(addressOf(readState("sort=score&page=2"))).toBe("?page=2");
    expect(searchOf(readState("page=2")).sort).toBe("score");
  });

  it("facets are read with their counts of scores", () => {
    expect(facetsOf(readState("q=a&sort=host&minScore=5"))).toEqual({
      q: "a",
      minScore: 5,
      include: "scores",
    });
  });
});

describe("a state with former slugs", () => {
  const former = { category: { news: "latest-news" }, tag: { zeta: "letters", first: "letters" } };

  it("has the present ones instead, each once, and is otherwise the same", () => {
    const query =
      "q=news&category=news&tag=zeta&tag=alpha&tag=first&platform=zeta&sort=host&page=2";
    const state = currentState(readState(query), former);
    expect(addressOf(state)).toBe(
      "?q=news&category=latest-news&tag=letters&tag=alpha&platform=zeta&sort=host&page=2",
    );
    expect(currentState(state, former)).toEqual(state);
  });

  it("is never another state where no term was renamed", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(currentState(state, undefined)).toBe(state);
        expect(currentState(state, {})).toEqual(state);
      }),
    );
  });
});
