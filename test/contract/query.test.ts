import { describe, expect, it } from "vitest";
import { ISSUES_MAX } from "../../src/contract/error.js";
import {
  ListingFilters,
  NoQuery,
  type ParameterTable,
  ReportQuery,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../src/contract/query.js";
import { DEFAULTS, pathsOf, times, valueRead } from "./reading.js";

describe("contract section 8, limits: each bound holds, and the next value does not", () => {
  const text = (length: number) => "x".repeat(length);
  it.each<[name: string, table: ParameterTable, allowed: string[], refused: string[]]>([
    ["q", SearchQuery, [text(1), text(120)], ["", text(121)]],
    ["q", ListingFilters, [text(1), text(120)], ["", text(121)]],
    ["q", SuggestionsQuery, [text(2), text(120)], ["", text(1), text(121)]],
    ["minScore", SearchQuery, ["0", "1", "99", "100"], ["-1", "101"]],
    ["maxScore", SearchQuery, ["0", "1", "99", "100"], ["-1", "101"]],
    ["minScore", ListingFilters, ["0", "100"], ["-1", "101"]],
    ["maxScore", ListingFilters, ["0", "100"], ["-1", "101"]],
    ["page", SearchQuery, ["1", "2", "9999", "10000"], ["0", "10001"]],
    ["limit", SearchQuery, ["1", "2", "99", "100"], ["0", "101"]],
    ["scan", ReportQuery, [text(1), text(128)], ["", text(129)]],
    ["status", SearchQuery, ["unclaimed", "claimed"], ["", "Claimed", "claimed%20", "other"]],
    [
      "sort",
      SearchQuery,
      ["score", "score-asc", "host", "recent"],
      ["", "Score", "score-desc", "constructor"],
    ],
  ])("%s", (name, table, allowed, refused) => {
    for (const value of allowed) expect(pathsOf(table, `${name}=${value}`), value).toEqual([]);
    for (const value of refused) {
      expect(pathsOf(table, `${name}=${value}`), value).toEqual([name]);
    }
  });

  it.each([
    ["category", 10],
    ["tag", 10],
    ["platform", 10],
    ["capability", 10],
    ["band", 4],
  ])("%s may be given %i times, each a slug of at most 80 characters", (name, most) => {
    for (const table of [SearchQuery, ListingFilters]) {
      expect(valueRead(table, times(most, `${name}=a`))).toMatchObject({
        [name]: new Array(most).fill("a"),
      });
      expect(pathsOf(table, times(most + 1, `${name}=a`))).toEqual([name]);
      expect(pathsOf(table, `${name}=${text(80)}`)).toEqual([]);
      expect(pathsOf(table, `${name}=${text(81)}`)).toEqual([`${name}[0]`]);
    }
  });

  it("contract section 4, GET /api/sites: score, page 1 and 24 listings a page are the defaults", () => {
    expect(valueRead(SearchQuery, "")).toEqual(DEFAULTS);
    expect(valueRead(ListingFilters, "")).toEqual({});
  });

  it("contract section 4, suggestions: q is required", () => {
    expect(readQuery(SuggestionsQuery, "")).toEqual({
      ok: false,
      issues: [{ path: "q", message: "is required" }],
    });
  });
});

describe("contract section 4: the parameters of each read", () => {
  it.each<[name: string, table: ParameterTable, foreign: string[]]>([
    ["facets accept no sort, page or limit", ListingFilters, ["sort", "page", "limit", "scan"]],
    ["suggestions accept q only", SuggestionsQuery, ["category", "status", "minScore", "limit"]],
    ["a report accepts scan only", ReportQuery, ["q", "host", "page"]],
    ["enrichment accepts no query parameter", NoQuery, ["q", "scan", "host", "data"]],
    ["search has no parameter of another read", SearchQuery, ["scan", "host"]],
    [
      "names of Object.prototype are unknown",
      SearchQuery,
      ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"],
    ],
    ["names are case-sensitive", SearchQuery, ["Q", "minscore", "category[]", "category[0]"]],
    ["an empty name is unknown", SearchQuery, [""]],
  ])("%s", (_, table, foreign) => {
    const required = table === SuggestionsQuery ? "q=ab&" : "";
    for (const name of foreign) {
      const read = readQuery(table, `${required}${name}=1`);
      const message = expect.stringMatching(/^is not a parameter of this address(?:; |$)/);
      expect(read).toEqual({ ok: false, issues: [{ path: name, message }] });
    }
  });

  it("an unknown name given twice is one violation", () => {
    expect(pathsOf(SearchQuery, "colour=red&colour=blue")).toEqual(["colour"]);
  });

  it("contract section 4, shared filters: repeated values keep their order and number", () => {
    expect(valueRead(ListingFilters, "tag=b&category=x&tag=a&tag=b")).toEqual({
      tag: ["b", "a", "b"],
      category: ["x"],
    });
  });

  it("contract section 4, shared filters: slugs are lowercase words joined by single hyphens", () => {
    const good = ["a", "0", "a-b", "a1-2b-c", "open-data"];
    const bad = ["A", "-a", "a-", "a--b", "a_b", "a.b", "a%20b", "%C3%A9", "a%0A", "%20a", "a+"];
    for (const name of ["category", "tag", "platform", "capability", "band"]) {
      for (const slug of good) expect(pathsOf(SearchQuery, `${name}=${slug}`)).toEqual([]);
      for (const slug of bad) {
        expect(pathsOf(SearchQuery, `${name}=${slug}`), slug).toEqual([`${name}[0]`]);
      }
    }
  });

  it("contract section 4, report: a scan id has letters, digits, _ and - only", () => {
    for (const id of ["a", "Z", "0", "_", "-", "scan_2026-08-09"]) {
      expect(valueRead(ReportQuery, `scan=${id}`)).toEqual({ scan: id });
    }
    for (const id of ["a.b", "a%2Fb", "..", "a%20", "+a", "%C3%A9", "a%0A"]) {
      expect(pathsOf(ReportQuery, `scan=${id}`), id).toEqual(["scan"]);
    }
  });
});

describe("decisions, Reading a query string: every violation of a request is reported at once", () => {
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

  it("too many values do not hide which of them are invalid", () => {
    const raw = `category=A&${times(10, "category=a")}&category=%ff`;
    expect(pathsOf(SearchQuery, raw)).toEqual(["category[0]", "category[11]", "category"]);
  });

  it("all invalid values of many are named, as far as an answer lists them", () => {
    const bad = (places: readonly number[]) =>
      Array.from({ length: 100 }, (_, at) => `tag=${places.includes(at) ? "A" : "a"}`).join("&");
    const named = (places: readonly number[]) => places.map((at) => `tag[${at}]`);
    expect(pathsOf(SearchQuery, bad([]))).toEqual(["tag"]);
    expect(pathsOf(SearchQuery, bad([0, 20, 21, 22, 99]))).toEqual([
      ...named([0, 20, 21, 22, 99]),
      "tag",
    ]);
    const last = Array.from({ length: 25 }, (_, at) => 75 + at);
    expect(pathsOf(SearchQuery, bad(last))).toEqual(named(last.slice(0, ISSUES_MAX + 1)));
  });

  it("one violation is one issue, however many rules it breaks", () => {
    expect(pathsOf(SearchQuery, `category=${"A".repeat(200)}`)).toEqual(["category[0]"]);
    expect(pathsOf(ReportQuery, `scan=${".".repeat(200)}`)).toEqual(["scan"]);
  });

  it("contract section 7, 400: minScore above maxScore is an invalid value of minScore", () => {
    expect(readQuery(SearchQuery, "minScore=51&maxScore=50")).toEqual({
      ok: false,
      issues: [{ path: "minScore", message: "must not exceed maxScore" }],
    });
    expect(pathsOf(ListingFilters, "maxScore=0&minScore=100")).toEqual(["minScore"]);
    expect(pathsOf(SearchQuery, "minScore=50&maxScore=50")).toEqual([]);
    // As numbers, not as texts.
    expect(pathsOf(SearchQuery, "minScore=9&maxScore=10")).toEqual([]);
    expect(pathsOf(SearchQuery, "minScore=100&maxScore=20")).toEqual(["minScore"]);
  });

  it("minScore above maxScore is reported beside other violations", () => {
    const raw = "minScore=9&maxScore=1&page=0&colour=red";
    expect(pathsOf(SearchQuery, raw)).toEqual(["colour", "page", "minScore"]);
  });

  it("an invalid score is compared with nothing", () => {
    expect(pathsOf(SearchQuery, "minScore=101&maxScore=1")).toEqual(["minScore"]);
    expect(pathsOf(SearchQuery, "minScore=50&maxScore=x")).toEqual(["maxScore"]);
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
      expect(pathsOf(SearchQuery, pairs.join("&")).length, pairs[0]).toBeGreaterThan(0);
      expect(pathsOf(SearchQuery, pairs.join("&")).length, pairs[0]).toBeLessThanOrEqual(
        ISSUES_MAX + 1,
      );
    }
    expect(pathsOf(SearchQuery, many((n) => `name${n}=1`).join("&"))).toHaveLength(ISSUES_MAX + 1);
  });

  it("100 parameters are read, and a query with more is not read at all", () => {
    const issues = [{ path: "query", message: "has more than 100 parameters" }];
    expect(pathsOf(SearchQuery, times(100, "a=1"))).toEqual(["a"]);
    expect(pathsOf(SearchQuery, `${times(100, "&a=1&&&")}&`)).toEqual(["a"]);
    for (const pair of ["a=1", "%", "category=a", "=", "q=a"]) {
      expect(readQuery(SearchQuery, times(101, pair))).toEqual({ ok: false, issues });
    }
  });

  it("the first 50 characters of a longer name are shown, and never half of one", () => {
    const name = (length: number) => "n".repeat(length);
    expect(pathsOf(SearchQuery, `${name(50)}=1`)).toEqual([name(50)]);
    expect(pathsOf(SearchQuery, `${name(51)}=1`)).toEqual([`${name(50)}…`]);
    expect(pathsOf(SearchQuery, `${name(60)}%=1`)).toEqual([`${name(50)}…`]);
    expect(pathsOf(SearchQuery, `${name(49)}%f0%9f%98%80${name(9)}`)).toEqual([`${name(49)}…`]);
  });

  it("reading leaves every object's prototype as it was", () => {
    readQuery(SearchQuery, "__proto__=polluted&__proto__[polluted]=1&constructor=1");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
