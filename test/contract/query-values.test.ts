import { describe, expect, it } from "vitest";
import { ReportQuery, readQuery, SearchQuery, SuggestionsQuery } from "../../src/contract/query.js";
import { DEFAULTS, pathsOf, times, valueRead } from "./reading.js";

const NOT_INTEGERS = [
  ..."00 01 007 +1 %2B1 -0 -1 1.0 1. .5 1e1 0x1 1_0 1,0 %201 1%20 1%0A".split(" "),
  ..."%EF%BC%91 %D9%A1 NaN Infinity true null one 99999999999999999999".split(" "),
  "9".repeat(400),
];

describe("decisions, Reading a query string: decoding", () => {
  it.each<[rule: string, raw: string, value: object]>([
    ["+ is a space", "q=a+b", { q: "a b" }],
    ["%2B is a plus", "q=a%2Bb", { q: "a+b" }],
    ["%20 is a space", "q=a%20b", { q: "a b" }],
    ["names are decoded too", "%71=a&min%53core=5", { q: "a", minScore: 5 }],
    ["only the first = separates name and value", "q=a=b=c", { q: "a=b=c" }],
    ["an escaped & or = separates nothing", "q=a%26b%3Dc", { q: "a&b=c" }],
    ["escapes are decoded once", "q=%2541", { q: "%41" }],
    ["UTF-8 of two, three and four bytes", "q=%C3%A9%E2%82%AC%F0%9F%8C%A6", { q: "é€🌦" }],
    ["escapes in either case", "q=%c3%A9", { q: "é" }],
    ["empty pairs are ignored", "&&q=a&&", { q: "a" }],
    ["; separates nothing", "q=a;page=2", { q: "a;page=2" }],
    ["a question mark is an ordinary character", "q=a?b", { q: "a?b" }],
    ["wildcards stay as they are", "q=%25_*%5C%22'", { q: "%_*\\\"'" }],
  ])("%s", (_, raw, value) => {
    expect(valueRead(SearchQuery, raw)).toEqual({ ...DEFAULTS, ...value });
  });

  it.each([
    ["a lone percent sign", "%"],
    ["half an escape", "a%4"],
    ["an invalid escape", "%zz"],
    ["a lone continuation byte", "%80"],
    ["a cut sequence", "%E2%82"],
    ["an overlong sequence", "%C0%AF"],
    ["a surrogate", "%ED%A0%80"],
    ["a code point above U+10FFFF", "%F4%90%80%80"],
    ["a byte that UTF-8 never has", "%FF"],
  ])("%s is an invalid value, and an invalid name", (_, text) => {
    const message = "is not valid percent-encoded UTF-8";
    const q = { ok: false, issues: [{ path: "q", message }] };
    expect(readQuery(SearchQuery, `q=${text}`)).toEqual(q);
    const tag = { ok: false, issues: [{ path: "tag[1]", message }] };
    expect(readQuery(SearchQuery, `tag=a&tag=${text}`)).toEqual(tag);
    const name = { ok: false, issues: [{ path: text, message }] };
    expect(readQuery(SearchQuery, `${text}=1`)).toEqual(name);
  });
});

describe("decisions, Reading a query string: values", () => {
  it("an empty value is invalid, with = or without", () => {
    for (const name of ["q", "status", "minScore", "maxScore", "sort", "page", "limit"]) {
      expect(pathsOf(SearchQuery, `${name}=`)).toEqual([name]);
      expect(pathsOf(SearchQuery, name)).toEqual([name]);
    }
    for (const name of ["category", "tag", "platform", "capability", "band"]) {
      expect(pathsOf(SearchQuery, `${name}=`)).toEqual([`${name}[0]`]);
      expect(pathsOf(SearchQuery, `${name}=a&${name}`)).toEqual([`${name}[1]`]);
    }
    expect(pathsOf(ReportQuery, "scan=")).toEqual(["scan"]);
  });

  it("a scalar given twice is invalid even when both are equal", () => {
    const scalars = { q: "ab", status: "claimed", minScore: "1", maxScore: "1", sort: "host" };
    for (const [name, value] of Object.entries({ ...scalars, page: "1", limit: "1" })) {
      const twice = times(2, `${name}=${value}`);
      expect(pathsOf(SearchQuery, twice), twice).toEqual([name]);
      expect(readQuery(SearchQuery, twice)).toMatchObject({
        issues: [{ path: name, message: "may be given only once" }],
      });
    }
    expect(pathsOf(SuggestionsQuery, "q=ab&q=ab")).toEqual(["q"]);
    expect(pathsOf(ReportQuery, "scan=a&scan=a")).toEqual(["scan"]);
    expect(pathsOf(SearchQuery, "q=a&q=%zz")).toEqual(["q"]);
  });

  it("text is trimmed by String.prototype.trim before it is counted", () => {
    const white = "%09%0A%0B%0C%0D%20%C2%A0%E1%9A%80%E2%80%83%E3%80%80%EF%BB%BF+";
    expect(valueRead(SearchQuery, `q=${white}a+b${white}`)).toMatchObject({ q: "a b" });
    expect(pathsOf(SearchQuery, `q=${white}`)).toEqual(["q"]);
    expect(pathsOf(SearchQuery, `q=+${"x".repeat(120)}+`)).toEqual([]);
    expect(pathsOf(SuggestionsQuery, "q=+a+")).toEqual(["q"]);
    expect(valueRead(SearchQuery, "q=%E2%80%8Ba")).toMatchObject({ q: "\u200ba" });
  });

  it("lengths count code points, before folding", () => {
    expect(pathsOf(SearchQuery, `q=${encodeURIComponent("🌦".repeat(120))}`)).toEqual([]);
    expect(pathsOf(SearchQuery, `q=${encodeURIComponent("🌦".repeat(121))}`)).toEqual(["q"]);
    expect(pathsOf(SuggestionsQuery, `q=${encodeURIComponent("🌦")}`)).toEqual(["q"]);
    expect(pathsOf(SuggestionsQuery, `q=${encodeURIComponent("e\u0301")}`)).toEqual([]);
    expect(pathsOf(SearchQuery, `q=${encodeURIComponent("e\u0301".repeat(61))}`)).toEqual(["q"]);
  });

  it("q is passed on as it was written, except for its ends", () => {
    expect(valueRead(SearchQuery, "q=%C3%84pfel++UND")).toMatchObject({ q: "Äpfel  UND" });
  });

  it.each(NOT_INTEGERS)(
    "an integer has no sign, leading zero, exponent, point or space: %s is invalid",
    (value) => {
      for (const name of ["minScore", "maxScore", "page", "limit"]) {
        expect(pathsOf(SearchQuery, `${name}=${value}`), name).toEqual([name]);
      }
    },
  );

  it("integers are passed on as numbers", () => {
    expect(valueRead(SearchQuery, "minScore=0&maxScore=100&page=10000&limit=7")).toEqual({
      ...DEFAULTS,
      minScore: 0,
      maxScore: 100,
      page: 10_000,
      limit: 7,
    });
  });

  it("duplicate values count", () => {
    expect(pathsOf(SearchQuery, times(11, "category=same"))).toEqual(["category"]);
    expect(pathsOf(SearchQuery, times(5, "band=same"))).toEqual(["band"]);
  });
});
