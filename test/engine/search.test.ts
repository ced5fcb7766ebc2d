import { describe, expect, it } from "vitest";
import { aListing, aSearch, category, hostsOf, jsonOf, openListings } from "./directory.js";

describe("search filters (contract section 4, shared listing filters)", () => {
  const engine = openListings([
    aListing("a.com", { category: category("art"), platforms: ["wp", "shop"] }),
    aListing("b.com", { category: category("food"), capabilities: ["https", "sitemap"] }),
    aListing("c.com", { platforms: ["shop"], capabilities: ["https"], latestBand: "good" }),
    aListing("d.com", { tags: [category("art")], status: "claimed", latestBand: null }),
  ]);

  it("repeated category, tag, platform and band values combine with OR", () => {
    expect(hostsOf(engine, { category: ["art", "food"] })).toEqual(["a.com", "b.com"]);
    expect(hostsOf(engine, { platform: ["wp", "shop"] })).toEqual(["a.com", "c.com"]);
    expect(hostsOf(engine, { band: ["good", "fair"] })).toEqual(["a.com", "b.com", "c.com"]);
    expect(hostsOf(engine, { tag: ["art", "food"] })).toEqual(["d.com"]);
  });

  it("repeated capability values combine with AND: every check must pass", () => {
    expect(hostsOf(engine, { capability: ["https"] })).toEqual(["b.com", "c.com"]);
    expect(hostsOf(engine, { capability: ["https", "sitemap"] })).toEqual(["b.com"]);
  });

  it("filters combine with AND", () => {
    expect(hostsOf(engine, { platform: ["shop"], category: ["art"] })).toEqual(["a.com"]);
    expect(hostsOf(engine, { platform: ["shop"], category: ["food"] })).toEqual([]);
    expect(hostsOf(engine, { status: "claimed" })).toEqual(["d.com"]);
  });

  it("unknown slugs match nothing, add nothing to an OR and empty an AND", () => {
    for (const filter of ["category", "tag", "platform", "capability", "band"] as const) {
      for (const slug of ["unknown", "constructor", "__proto__", "toString"]) {
        expect(hostsOf(engine, { [filter]: [slug] })).toEqual([]);
      }
    }
    expect(hostsOf(engine, { category: ["unknown", "art"] })).toEqual(["a.com"]);
    expect(hostsOf(engine, { capability: ["https", "unknown"] })).toEqual([]);
  });

  it("decisions, Reading a query string: duplicate values do no harm", () => {
    expect(hostsOf(engine, { category: ["art", "art"] })).toEqual(["a.com"]);
    expect(hostsOf(engine, { capability: ["https", "https"] })).toEqual(["b.com", "c.com"]);
  });

  it("decisions, Reading a query string: a band is matched as given, not by score", () => {
    const old = openListings([
      aListing("old.com", { latestScore: 10, latestBand: "great" }),
      aListing("mid.com", { latestScore: 50, latestBand: "fair" }),
      aListing("new.com", { latestScore: 90, latestBand: "great" }),
    ]);
    expect(hostsOf(old, { band: ["great"] })).toEqual(["new.com", "old.com"]);
  });

  it("decisions, Reading a query string: score filters leave out null scores, also minScore=0", () => {
    const scored = openListings([
      aListing("null.com", { latestScore: null }),
      aListing("zero.com", { latestScore: 0 }),
      aListing("full.com", { latestScore: 100 }),
      aListing("half.com", { latestScore: 50 }),
    ]);
    expect(hostsOf(scored, { minScore: 0 })).toEqual(["full.com", "half.com", "zero.com"]);
    expect(hostsOf(scored, { maxScore: 100 })).toEqual(["full.com", "half.com", "zero.com"]);
    expect(hostsOf(scored, { minScore: 50, maxScore: 50 })).toEqual(["half.com"]);
    expect(hostsOf(scored, { minScore: 51, maxScore: 99 })).toEqual([]);
    expect(hostsOf(scored, { maxScore: 0, sort: "host" })).toEqual(["zero.com"]);
  });
});

describe("search order (decisions, Order)", () => {
  const engine = openListings([
    aListing("c.com", { latestScore: null, recent: "3" }),
    aListing("b.com", { latestScore: 70, recent: "1" }),
    aListing("a.com", { latestScore: null, recent: "2" }),
    aListing("e.com", { latestScore: 70, recent: "3" }),
    aListing("d.com", { latestScore: 90, recent: "" }),
  ]);
  const orders = {
    score: ["d.com", "b.com", "e.com", "a.com", "c.com"],
    "score-asc": ["b.com", "e.com", "d.com", "a.com", "c.com"],
    recent: ["c.com", "e.com", "a.com", "b.com", "d.com"],
    host: ["a.com", "b.com", "c.com", "d.com", "e.com"],
  } as const;
  for (const sort of ["score", "score-asc", "recent", "host"] as const) {
    it(`${sort}: ${orders[sort].join(", ")}; null scores last, ties by host`, () => {
      expect(hostsOf(engine, { sort })).toEqual(orders[sort]);
    });
  }

  it("recent compares instants to their last digits, and sorts equal ones by host, across buckets", () => {
    const recents = ["", "1", "12", "125", "1250000001", "125000001"];
    const byInstant = recents.toReversed().flatMap((digits, place) =>
      // Hosts of one instant have other lengths, and so are dealt out to other buckets.
      ["a", "bb", "ccc"].map((name) => ({ host: `${name}${place}.com`, digits })),
    );
    const listings = byInstant.map(({ host, digits }) =>
      aListing(host, { recent: `063900000000.${digits}` }),
    );
    const expected = byInstant.map(({ host }) => host);
    for (const given of [listings, listings.toReversed()]) {
      expect(hostsOf(openListings(given), { sort: "recent" })).toEqual(expected);
    }
  });

  it("host is ascending by UTF-16 code unit, not by a locale", () => {
    const hosts = ["a-b.com", "a.com", "a0.com", "aa.com", "xn--a.com"];
    const sorted = openListings([...hosts].reverse().map((host) => aListing(host)));
    expect(hostsOf(sorted, { sort: "host" })).toEqual(hosts);
  });
});

describe("search pages (contract section 4, GET /api/sites)", () => {
  const hosts = Array.from({ length: 45 }, (_, at) => `${String(at).padStart(2, "0")}.com`);
  // "rare" is on few enough to be a sorted array, "wp" on enough to be a bitmap.
  const engine = openListings(
    hosts.map((host, at) => aListing(host, { platforms: at % 20 === 0 ? ["wp", "rare"] : ["wp"] })),
  );
  const pageOf = (page: number, limit: number) =>
    JSON.parse(jsonOf(engine.search(aSearch({ page, limit, sort: "host" }))));

  it("follow each other without a gap, and the last one may be short", () => {
    expect([1, 2, 3].flatMap((page) => pageOf(page, 20).data).map(({ host }) => host)).toEqual(
      hosts,
    );
    expect(pageOf(3, 20).data).toHaveLength(5);
    expect(pageOf(3, 20).pagination).toEqual({ page: 3, limit: 20, total: 45, totalPages: 3 });
    expect(pageOf(3, 15).pagination.totalPages).toBe(3);
    expect(pageOf(3, 15).data).toHaveLength(15);
  });

  it("are empty with the real total if out of range", () => {
    for (const [page, limit] of [
      [4, 15],
      [10_000, 100],
    ] as const) {
      const { data, pagination } = pageOf(page, limit);
      expect(data).toEqual([]);
      expect(pagination).toMatchObject({ page, limit, total: 45 });
    }
  });

  it("follow each other in every order for a sparse set", () => {
    for (const sort of ["score", "score-asc", "host", "recent"] as const) {
      const pages = [1, 2, 3, 4].map((page) =>
        hostsOf(engine, { platform: ["rare"], sort, page, limit: 1 }),
      );
      expect(pages).toEqual([["00.com"], ["20.com"], ["40.com"], []]);
    }
  });
});

describe("search text (decisions, Text matching)", () => {
  const engine = openListings([
    aListing("a.com", { name: "100% Café_*", tagline: 'C:\\dir "it\'s"' }),
    aListing("b.com", { name: "ΟΔΥΣΣΕΥΣ", tagline: "Kelvin \u212a İ ß ſ" }),
    aListing("c.com", { name: "Cafe\u0301 北京咖啡店", tagline: null }),
    aListing("d.com", { name: null, tagline: "👩‍🚀 coffee" }),
  ]);
  const finds: readonly (readonly [q: string, hosts: readonly string[]])[] = [
    ["%", ["a.com"]],
    ["_*", ["a.com"]],
    ["\\d", ["a.com"]],
    ['"it\'s"', ["a.com"]],
    ["café", ["a.com", "c.com"]],
    ["CAFE\u0301", ["a.com", "c.com"]],
    ["cafe", []],
    ["οδυσσευς", ["b.com"]],
    ["δυσσευ", ["b.com"]],
    ["\u212aelvin k", ["b.com"]],
    ["i\u0307", ["b.com"]],
    ["ss", []],
    ["咖啡", ["c.com"]],
    ["京咖啡店", ["c.com"]],
    ["🚀", ["d.com"]],
    ["👩‍🚀 COFFEE", ["d.com"]],
    [".com", ["a.com", "b.com", "c.com", "d.com"]],
    ["m100", []],
    ["com", ["a.com", "b.com", "c.com", "d.com"]],
  ];
  for (const [q, hosts] of finds) {
    it(`${JSON.stringify(q)} is in ${hosts.length === 0 ? "none" : hosts.join(", ")}`, () => {
      expect(hostsOf(engine, { q })).toEqual(hosts);
    });
  }
});

it("a summary is returned as JSON.stringify writes it, whatever its text", () => {
  const listing = aListing("a.com", {
    name: 'Quote " back \\ line \n tab \t nul \0 é 🚀 \u2028',
    tagline: "</script>",
    category: category("art"),
  });
  expect(jsonOf(openListings([listing]).search(aSearch()))).toBe(
    JSON.stringify({
      data: [listing.summary],
      pagination: { page: 1, limit: 24, total: 1, totalPages: 1 },
    }),
  );
});
