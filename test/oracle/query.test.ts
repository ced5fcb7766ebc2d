import { expect, test } from "vitest";
import { answerOf, testTheService } from "./examples.js";
import { listing, recordsOf, scan, scannedOnce } from "./tiny.js";

const records = scannedOnce({ "a.com": { name: "A b é 😀", category: "zoo" } });

/** The status, and with 400 the issues' paths. */
function verdict(target: string): number | string[] {
  const { status, issuePaths } = answerOf(records, target);
  return status === 400 ? (issuePaths ?? ["?"]) : status;
}

const search = (query: string) => verdict(`/api/sites?${query}`);

test("form-decoded, + and %20 are blanks, UTF-8 escapes in either case", () => {
  const found = (query: string) => answerOf(records, `/api/sites?${query}`).body?.pagination;
  for (const q of ["a+b", "a%20b", "%C3%A9", "%c3%89", "%F0%9F%98%80", "b%20%c3%a9"])
    expect(found(`q=${q}`), q).toMatchObject({ total: 1 });
  expect(found("q=a%2Bb")).toMatchObject({ total: 0 });
  expect(found("%71=a&s%6Frt=host&&")).toMatchObject({ total: 1 });
  expect(found("q=b=")).toMatchObject({ total: 0 });
  expect(found("q=b?")).toMatchObject({ total: 0 });
  for (const q of ["a;page=2", "%2541", "a%26b%3Dc", "%25_*%5C%22'"])
    expect(found(`q=${q}`), q).toMatchObject({ total: 0 });
});

test("malformed escapes and invalid UTF-8 are 400, at the parameter's name", () => {
  for (const bad of [..."% %4 %zz %ff %80 %c0%af %ed%a0%80 %f4%90%80%80 %e2%82".split(" ")]) {
    expect(search(`q=a${bad}`), bad).toEqual(["q"]);
    expect(search(`category=zoo&category=${bad}`), bad).toEqual(["category[1]"]);
    expect(search(`foo=${bad}`), bad).toEqual(["foo"]);
    expect(search(`${bad}=1`), bad).toEqual(["?"]);
  }
});

test("unknown names are 400, with the name as path, whatever it is", () => {
  expect(search("foo=1")).toEqual(["foo"]);
  expect(search("Q=1")).toEqual(["Q"]);
  expect(search("__proto__=1&constructor&toString=")).toEqual([
    "__proto__",
    "constructor",
    "toString",
  ]);
  expect(search("=1")).toEqual([""]);
  expect(search("category%5B%5D=zoo")).toEqual(["category[]"]);
  expect(verdict("/api/sites/facets?sort=host&page=1&limit=1")).toEqual(["limit", "page", "sort"]);
  expect(verdict("/api/sites/suggestions?q=ab&limit=1")).toEqual(["limit"]);
  expect(verdict("/api/sites/a.com/report?foo=1")).toEqual(["foo"]);
  expect(verdict("/api/sites/a.com/enrichment?scan=s1")).toEqual(["scan"]);
});

test("a query of more than 100 parameters is not read, and names are shown by their first 50 characters", () => {
  expect(search("a=1&".repeat(100))).toEqual(["a"]);
  expect(search("a=1&&".repeat(101))).toEqual(["query"]);
  expect(verdict(`/api/sites/A/report?${"a=1&".repeat(101)}`)).toEqual(["host", "query"]);
  expect(verdict(`/api/tags?${"a=1&".repeat(101)}`)).toBe(200);
  expect(search(`${"n".repeat(50)}=1`)).toEqual(["n".repeat(50)]);
  expect(search(`${"n".repeat(51)}=1`)).toEqual([`${"n".repeat(50)}…`]);
  expect(search(`${"n".repeat(49)}%F0%9F%98%80=1`)).toEqual([`${"n".repeat(49)}…`]);
});

test("a scalar given twice is invalid, even when both are equal", () => {
  const scalars = {
    q: "ab",
    status: "claimed",
    minScore: 1,
    maxScore: 1,
    sort: "host",
    page: 1,
    limit: 1,
  };
  for (const [name, value] of Object.entries(scalars))
    expect(search(`${name}=${value}&${name}=${value}`), name).toEqual([name]);
  expect(verdict("/api/sites/a.com/report?scan=s1&scan=s1")).toEqual(["scan"]);
  expect(search("category=zoo&category=zoo")).toBe(200);
});

test("an empty value is invalid", () => {
  for (const name of ["q", "status", "minScore", "maxScore", "sort", "page", "limit"])
    for (const query of [name, `${name}=`]) expect(search(query), query).toEqual([name]);
  for (const name of ["category", "tag", "platform", "capability", "band"])
    expect(search(`${name}=`)).toEqual([`${name}[0]`]);
  const blank = "+%20%09%0A%0B%0C%0D%C2%A0%E1%9A%80%E2%80%83%E3%80%80%EF%BB%BF";
  expect(search(`q=${blank}`)).toEqual(["q"]);
  expect(search(`q=${blank}${"a".repeat(120)}${blank}`)).toBe(200);
  expect(search("q=%E2%80%8B")).toBe(200);
  expect(verdict("/api/sites/a.com/report?scan=")).toEqual(["scan"]);
  expect(search("")).toBe(200);
});

test("lengths of q count code points, after trimming", () => {
  expect(search(`q=+${"%F0%9F%98%80".repeat(120)}+`)).toBe(200);
  expect(search(`q=${"%F0%9F%98%80".repeat(121)}`)).toEqual(["q"]);
  expect(search(`q=${"%C4%B0".repeat(120)}`)).toBe(200);
  const suggest = (q: string) => verdict(`/api/sites/suggestions?q=${q}`);
  expect(suggest("%F0%9F%98%80")).toEqual(["q"]);
  expect(suggest("+a+")).toEqual(["q"]);
  expect(suggest("e%CC%81")).toBe(200);
  expect(suggest("a".repeat(120))).toBe(200);
  expect(suggest("a".repeat(121))).toEqual(["q"]);
  expect(verdict("/api/sites/suggestions")).toEqual(["q"]);
});

test("integers have no sign, leading zero, exponent, point or blank", () => {
  const signed = ["-1", "+1", "%2B1", "-0"];
  const bad = [
    ...signed,
    ..."01 00 007 1.0 1. .5 1e1 %201 1+ 1%0A 0x1 1_0 1,0 %D9%A1 %EF%BC%91 NaN null a".split(" "),
  ];
  for (const name of ["page", "limit", "minScore", "maxScore"])
    for (const value of bad) expect(search(`${name}=${value}`), value).toEqual([name]);
});

test("the bounds of page, limit and scores are inclusive", () => {
  const ranges = { page: [1, 10_000], limit: [1, 100], minScore: [0, 100], maxScore: [0, 100] };
  for (const [name, [least = 0, most = 0]] of Object.entries(ranges)) {
    expect(search(`${name}=${least}`), name).toBe(200);
    expect(search(`${name}=${most}`), name).toBe(200);
    expect(search(`${name}=${least - 1}`), name).toEqual([name]);
    expect(search(`${name}=${most + 1}`), name).toEqual([name]);
  }
  expect(search("page=99999999999999999999")).toEqual(["page"]);
});

test("minScore above maxScore is invalid at minScore", () => {
  expect(search("minScore=51&maxScore=50")).toEqual(["minScore"]);
  expect(search("minScore=50&maxScore=50")).toBe(200);
  expect(search("maxScore=0&minScore=100&sort=best")).toEqual(["minScore", "sort"]);
  expect(search("minScore=60&maxScore=101")).toEqual(["maxScore"]);
  expect(search("minScore=50&maxScore=x")).toEqual(["maxScore"]);
  // As numbers, not as texts.
  expect(search("minScore=9&maxScore=10")).toBe(200);
  expect(search("minScore=100&maxScore=20")).toEqual(["minScore"]);
});

test("slugs have the pattern and at most 80 characters, each bad one is named by its place", () => {
  expect(search(`category=a&category=A&category=a--b&category=${"a".repeat(80)}`)).toEqual([
    "category[1]",
    "category[2]",
  ]);
  for (const bad of [
    "-a",
    "a-",
    "a_b",
    "a%20",
    "%C3%A9",
    "__proto__",
    "a".repeat(81),
    "a%0A",
    "a.b",
    "a+",
  ])
    for (const name of ["category", "tag", "platform", "capability", "band"])
      expect(search(`${name}=${bad}`), bad).toEqual([`${name}[0]`]);
  expect(search("category=constructor&band=tostring")).toBe(200);
});

test("at most 10 values of a slug filter and 4 bands, duplicates counted", () => {
  for (const name of ["category", "tag", "platform", "capability"]) {
    expect(search(`${name}=a&`.repeat(10)), name).toBe(200);
    expect(search(`${name}=a&`.repeat(11)), name).toEqual([name]);
  }
  expect(search("band=a&".repeat(4))).toBe(200);
  expect(search("band=a&".repeat(5))).toEqual(["band"]);
  expect(search(`${"tag=a&".repeat(10)}tag=A`)).toEqual(["tag", "tag[10]"]);
});

test("sort and status accept only their own values", () => {
  for (const sort of ["score", "score-asc", "host", "recent"])
    expect(search(`sort=${sort}`)).toBe(200);
  for (const sort of ["Score", "host+", "name", "constructor"])
    expect(search(`sort=${sort}`), sort).toEqual(["sort"]);
  expect(search("status=parked")).toEqual(["status"]);
  expect(search("status=Claimed")).toEqual(["status"]);
});

test("all violations come in one answer, the host's too", () => {
  expect(search("q=&tag=A&page=0&foo=1&sort=x")).toEqual(["foo", "page", "q", "sort", "tag[0]"]);
  expect(verdict("/api/sites/WWW.a.com/report?scan=a.b&foo=1")).toEqual(["foo", "host", "scan"]);
  expect(verdict("/api/sites/a/enrichment?foo=1")).toEqual(["foo", "host"]);
});

test("a scan id has 1 to 128 of the allowed characters", () => {
  const read = (scan: string) => verdict(`/api/sites/a.com/report?scan=${scan}`);
  expect(read("s1")).toBe(200);
  expect(read("S1")).toBe(404);
  expect(read("__proto__")).toBe(404);
  expect(read("a".repeat(128))).toBe(404);
  for (const bad of ["a".repeat(129), "a.b", "s1+", "s1%0A", "%C3%A9"])
    expect(read(bad), bad).toEqual(["scan"]);
});

test("the host is percent-decoded once and must then be canonical, else 400", () => {
  const longest = `${`${"a".repeat(61)}.`.repeat(4)}abcde`;
  const all = recordsOf({
    listings: [listing("a.com"), listing(longest), listing("xn--mnchen-3ya.de")],
    scans: [scan("a.com", "s1"), scan(longest, "s1"), scan("xn--mnchen-3ya.de", "s1")],
  });
  const read = (host: string) => answerOf(all, `/api/sites/${host}/report`);
  for (const good of ["a.com", "%61.com", "a%2Ecom", longest, "xn--mnchen-3ya.de"])
    expect(read(good).status, good).toBe(200);
  const bad = ["A.com", "%41.com", "www.a.com", "a.com.", "a.com:80", "a%252ecom", "a%2Fb.com"];
  bad.push("127.0.0.1", "1.2.3", "com", "__proto__", "a..com", "a_b.com", "-a.com", "a-.com");
  bad.push(
    "xn--a.com",
    "m%C3%BCnchen.de",
    "%ff.com",
    "%zz.com",
    "%00a.com",
    "a+b.com",
    `${longest}f`,
  );
  bad.push("a.c", `${"a".repeat(64)}.com`, "suggestions", "https:%2F%2Fa.com", "0x7f.1");
  for (const host of bad) expect(read(host).issuePaths, host).toEqual(["host"]);
  expect(read("www.a.com").status).toBe(400);
  expect(read("b.com").status).toBe(404);
});

test("standards, categories and tags ignore any query", () => {
  for (const path of ["standards", "categories", "tags"])
    for (const query of ["", "?", "?a=1&a=2", "?%zz=%ff", "?category="])
      expect(verdict(`/api/${path}${query}`), path + query).toBe(200);
});

test("an unknown address is 404, and an encoded address is the same address", () => {
  const below = [
    "",
    "/",
    "/sites/",
    "/sites/a.com",
    "/site",
    "/%zz",
    "/constructor",
    "/standards.json",
  ];
  const ofHost = ["report/", "Report", "report.json"].map((name) => `/api/sites/a.com/${name}`);
  const unknown = [
    "/API/sites",
    "/api%2Fsites",
    "/x/api/sites",
    "//api/sites",
    "/x/sites/a.com/report",
  ];
  unknown.push(...below.map((path) => `/api${path}`), ...ofHost, "/__proto__");
  for (const target of unknown) expect(verdict(`${target}?foo=%zz`), target).toBe(404);
  expect(verdict("/%61pi/s%69tes?foo=1")).toEqual(["foo"]);
  expect(verdict("/api/sites/a.com/%72eport?bogus=1")).toEqual(["bogus"]);
  expect(verdict("/api/sites/a.com/%72eport")).toBe(200);
});

testTheService();
