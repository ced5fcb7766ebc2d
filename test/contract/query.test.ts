import { describe, expect, it } from "vitest";
import { ISSUES_MAX } from "../../src/contract/error.js";
import {
  ListingFilters,
  type ParameterTable,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../src/contract/query.js";

/*
 * What a query may hold is an example of test/oracle/query.test.ts, which asks the service too. Here is what a reader
 * gets: values, and the order and the words of the issues.
 */

/** What a search has where its query says nothing. */
const DEFAULTS = { sort: "score", page: 1, limit: 24 };

/** The read value without the parameters that were not given. */
function valueRead(table: ParameterTable, raw: string): object {
  const read = readQuery(table, raw);
  expect(read, raw).toMatchObject({ ok: true });
  return JSON.parse(JSON.stringify(read.ok ? read.value : {}));
}

/** The issues in their order; none where the query is right. */
function issuesOf(table: ParameterTable, raw: string) {
  const read = readQuery(table, raw);
  return read.ok ? [] : read.issues;
}

const pathsOf = (raw: string) => issuesOf(SearchQuery, raw).map(({ path }) => path);

describe("a query that is right", () => {
  it("has the defaults: score, page 1 and 24 listings a page", () => {
    expect(valueRead(SearchQuery, "")).toEqual(DEFAULTS);
    expect(valueRead(ListingFilters, "")).toEqual({});
  });

  it("has numbers, texts without white space at their ends, and repeated values in their order and number", () => {
    const raw =
      "minScore=0&maxScore=100&page=10000&limit=7&q=%C3%84pfel++UND+&tag=b&category=x&tag=a&tag=b";
    const numbers = { minScore: 0, maxScore: 100, page: 10_000, limit: 7 };
    const texts = { q: "Äpfel  UND", tag: ["b", "a", "b"], category: ["x"] };
    expect(valueRead(SearchQuery, raw)).toEqual({ ...DEFAULTS, ...numbers, ...texts });
  });
});

describe("every violation of a request is reported at once", () => {
  it("names each of them by its path, with a message of its own", () => {
    const raw =
      "colour=red&%zz=1&q=&category=a&category=B&category=%ff&tag=&band=x&status=sold&minScore=5.5&maxScore=101&sort=best&page=0&limit=1&limit=1";
    expect(readQuery(SearchQuery, raw)).toEqual({
      ok: false,
      issues: [
        { path: "%zz", message: "is not valid percent-encoded UTF-8" },
        { path: "colour", message: "is not a parameter of this address" },
        {
          path: "q",
          message: "must have 1 to 120 characters, not counting white space at its ends",
        },
        { path: "category[1]", message: expect.stringMatching(/^must be a slug: /) },
        { path: "category[2]", message: "is not valid percent-encoded UTF-8" },
        { path: "tag[0]", message: expect.stringMatching(/^must be a slug: /) },
        { path: "status", message: "must be unclaimed or claimed" },
        { path: "minScore", message: "must be a whole number from 0 to 100" },
        { path: "maxScore", message: "must be a whole number from 0 to 100" },
        { path: "sort", message: "must be one of score, score-asc, host, recent" },
        { path: "page", message: "must be a whole number from 1 to 10000" },
        { path: "limit", message: "may be given only once" },
      ],
    });
  });

  it("all invalid values of many are named, as far as an answer lists them", () => {
    const bad = (places: readonly number[]) =>
      Array.from({ length: 100 }, (_, at) => `tag=${places.includes(at) ? "A" : "a"}`).join("&");
    const named = (places: readonly number[]) => places.map((at) => `tag[${at}]`);
    expect(pathsOf(bad([]))).toEqual(["tag"]);
    expect(pathsOf(bad([0, 20, 21, 22, 99]))).toEqual([...named([0, 20, 21, 22, 99]), "tag"]);
    const last = Array.from({ length: 25 }, (_, at) => 75 + at);
    expect(pathsOf(bad(last))).toEqual(named(last.slice(0, ISSUES_MAX + 1)));
  });

  it("reading stops at one issue more than an answer lists, of whatever kind", () => {
    const many = (pair: (n: number) => string) => Array.from({ length: 90 }, (_, n) => pair(n));
    for (const pairs of [
      many((n) => `%zz${n}=1`),
      many((n) => `name${n}=1`),
      many(() => "tag=%ff"),
      many((n) => `${["tag", "band", "category", "platform"][n % 4]}=A`),
      [...many((n) => (n % 2 === 0 ? "%" : "x")), "page=0", "limit=0"],
    ]) {
      expect(pathsOf(pairs.join("&")).length, pairs[0]).toBeGreaterThan(0);
      expect(pathsOf(pairs.join("&")).length, pairs[0]).toBeLessThanOrEqual(ISSUES_MAX + 1);
    }
    expect(pathsOf(many((n) => `name${n}=1`).join("&"))).toHaveLength(ISSUES_MAX + 1);
  });

  it("reading leaves every object's prototype as it was", () => {
    readQuery(SearchQuery, "__proto__=polluted&__proto__[polluted]=1&constructor=1");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

const REPEAT = "; to give several values, repeat the key: ";

describe("an issue tells what the client probably meant", () => {
  it.each([
    ["category=a,b", "category[0]", `${REPEAT}category=a&category=b`],
    ["tag=x&tag=open-data,%20maps,more", "tag[1]", `${REPEAT}tag=open-data&tag=maps`],
    ["band=Good,Bad", "band[0]", `${REPEAT}band=a&band=b`],
    ["category[]=a", "category[]", `${REPEAT}category=a&category=b`],
    ["platform%5B0%5D=a", "platform[0]", `${REPEAT}platform=a&platform=b`],
    ["min_score=5", "min_score", '; did you mean "minScore"?'],
    ["Category=a", "Category", '; did you mean "category"?'],
    ["MaxScore=5", "MaxScore", '; did you mean "maxScore"?'],
    ["q[]=a", "q[]", '; did you mean "q"?'],
  ])("%s", (query, path, hint) => {
    const issues = issuesOf(SearchQuery, query);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.path).toBe(path);
    expect(issues[0]?.message.endsWith(hint)).toBe(true);
  });

  it.each(["category=A", "colour=red", "[]=a", "category=", `category=${"a,".repeat(150)}`])(
    "%s has no hint",
    (query) => {
      expect(issuesOf(SearchQuery, query).map(({ message }) => message.includes("; "))).toEqual([
        false,
      ]);
    },
  );

  it("a parameter that another read has is not proposed", () => {
    const [issue] = issuesOf(SuggestionsQuery, "q=ab&category[]=a");
    expect(issue).toEqual({ path: "category[]", message: "is not a parameter of this address" });
  });
});
