import { expect, test } from "vitest";
import type { SiteSummary } from "./derive.js";
import { answerOf, testTheService } from "./examples.js";
import { matchesAlone } from "./oracle.js";
import type { Records } from "./records.js";
import { check, scannedOnce } from "./tiny.js";

const passed = (...ids: string[]) => ids.map((id) => check(id, "achievement", "pass"));

/** Six listings in search, by hand: scores 90, 60, 60, 49, 0 and null. */
const six = scannedOnce({
  "b.com": {
    name: "Zürich Ferry",
    tagline: "50% off_season",
    category: "zoo",
    tags: ["tb", "off", "ta", "tz"],
    platforms: ["wide", "thin"],
    logoUrl: "https://b.com/l.png",
    entitlements: { highlight: true },
    status: "claimed",
    scan: { score: 60, finishedAt: "2026-01-01T02:00:00.0001+02:00", checks: passed("https") },
  },
  "a.com": {
    name: "Ferry",
    category: "zoo",
    platforms: ["wide"],
    scan: {
      score: 60,
      finishedAt: "2026-01-01T00:00:00Z",
      checks: [check("https", "achievement", "pass"), check("feed", "capability", "pass")],
    },
  },
  "c.com": {
    category: "art",
    tags: ["ta"],
    scan: { score: 90, finishedAt: "2025-12-31T23:59:59.999-00:00", checks: passed("gone") },
  },
  "d.com": {
    tagline: "Ferry tales",
    category: "old",
    platforms: ["wide"],
    scan: { score: 49, scoreVersion: "v1", band: "poor", finishedAt: "2026-01-01T01:00:00+01:00" },
  },
  "e.com": {
    status: "parked",
    scan: { score: null, scoreVersion: "v2", band: "low", finishedAt: "2026-06-01T00:00:00Z" },
  },
  "f.com": {
    status: "claimed",
    scan: {
      score: 0,
      finishedAt: "2024-06-01T00:00:00Z",
      checks: [check("slow", "penalty", "pass"), check("feed", "capability", "warn")],
    },
  },
});

/** The hosts that a read of a list answers with, joined by a space. */
function hosts(target: string, records: Records = six): string {
  const { status, body } = answerOf(records, target);
  expect(status, target).toBe(200);
  const { data } = body as { data: { host: string }[] };
  return data.map(({ host }) => host.replace(".com", "")).join(" ");
}

test("every key is present, in the table's order, derived as the format says", () => {
  const { body } = answerOf(six, "/api/sites?q=z%C3%BCrich");
  const entry = (slug: string, name: string, group: string, order: number) =>
    JSON.stringify({ slug, name, group, order });
  expect(JSON.stringify(body)).toBe(
    '{"data":[{"host":"b.com","url":"https://b.com/","name":"Zürich Ferry","tagline":"50% off_season"' +
      ',"status":"claimed","latestScore":60,"latestBand":"high","latestScoreVersion":"v2"' +
      ',"latestScannedAt":"2026-01-01T02:00:00.0001+02:00","platforms":["thin","wide"],"hosting":null' +
      `,"linkRel":"nofollow","category":${entry("zoo", "Zoo", "topic", 1)}` +
      `,"tags":[${entry("tz", "Tag Z", "g", 0)},${entry("ta", "Tag A", "g", 1)},${entry("tb", "Tag B", "g", 1)}]` +
      ',"capabilities":["https"],"logoUrl":"https://b.com/l.png","ogImageUrl":null,"highlighted":true}]' +
      ',"pagination":{"page":1,"limit":24,"total":1,"totalPages":1}}',
  );
});

test(
  "format, derived: a null score makes band and version null, an inactive category is null, " +
    "penalties are not capabilities",
  () => {
    const of = (host: string) => {
      const { data } = answerOf(six, `/api/sites?q=${host}`).body as { data: SiteSummary[] };
      return data[0];
    };
    expect(of("e.com")).toMatchObject({
      latestScore: null,
      latestBand: null,
      latestScoreVersion: null,
      latestScannedAt: "2026-06-01T00:00:00Z",
    });
    expect(of("d.com")).toMatchObject({ category: null, latestBand: "poor", capabilities: [] });
    expect(of("f.com")).toMatchObject({ latestScore: 0, latestBand: "low", capabilities: [] });
    expect(of("a.com")?.capabilities).toEqual(["feed", "https"]);
  },
);

test("score descends, score-asc ascends, null comes last in both, ties are in host order", () => {
  expect(hosts("/api/sites")).toBe("c a b d f e");
  expect(hosts("/api/sites?sort=score")).toBe("c a b d f e");
  expect(hosts("/api/sites?sort=score-asc")).toBe("f d a b c e");
  expect(hosts("/api/sites?sort=host")).toBe("a b c d e f");
});

test("recent compares instants, across offsets and below the millisecond", () => {
  expect(hosts("/api/sites?sort=recent")).toBe("e b a d c f");
});

test("format, derived: a rubric's band includes its bounds", () => {
  const scored = [0, 49, 50, 100].map((score) => [`s${score}.com`, { scan: { score } }]);
  const records = scannedOnce(Object.fromEntries(scored));
  expect(hosts("/api/sites?band=low&sort=host", records)).toBe("s0 s49");
  expect(hosts("/api/sites?band=high&sort=host", records)).toBe("s100 s50");
});

test("pages follow the order, and a page beyond the last is empty with the real total", () => {
  expect(hosts("/api/sites?limit=4&page=2")).toBe("f e");
  expect(answerOf(six, "/api/sites?limit=4&page=10000").body).toEqual({
    data: [],
    pagination: { page: 10000, limit: 4, total: 6, totalPages: 2 },
  });
  expect(answerOf(six, "/api/sites?q=nothing").body?.pagination).toEqual({
    page: 1,
    limit: 24,
    total: 0,
    totalPages: 0,
  });
});

test("q is a literal piece of host, name or tagline, wildcards included", () => {
  expect(hosts("/api/sites?q=ferry")).toBe("a b d");
  expect(hosts("/api/sites?q=%09FERRY+")).toBe("a b d");
  expect(hosts("/api/sites?q=Z%C3%9CRICH")).toBe("b");
  expect(hosts("/api/sites?q=zu%CC%88rich")).toBe("b");
  expect(hosts("/api/sites?q=50%25")).toBe("b");
  expect(hosts("/api/sites?q=%25")).toBe("b");
  expect(hosts("/api/sites?q=_")).toBe("b");
  expect(hosts("/api/sites?q=f_rry")).toBe("");
  expect(hosts("/api/sites?q=*")).toBe("");
  expect(hosts("/api/sites?q=a.comFerry")).toBe("");
});

test("values of one name are alternatives, except that all capabilities must match; different names combine", () => {
  expect(hosts("/api/sites?category=zoo&category=art")).toBe("c a b");
  expect(hosts("/api/sites?category=zoo&category=zoo&category=nope")).toBe("a b");
  expect(hosts("/api/sites?tag=tb&tag=ta")).toBe("c b");
  expect(hosts("/api/sites?platform=thin")).toBe("b");
  expect(hosts("/api/sites?capability=https")).toBe("a b");
  expect(hosts("/api/sites?capability=https&capability=feed")).toBe("a");
  expect(hosts("/api/sites?capability=https&capability=nope")).toBe("");
  expect(hosts("/api/sites?capability=gone")).toBe("c");
  expect(hosts("/api/sites?category=zoo&platform=thin&q=ferry&status=claimed")).toBe("b");
  expect(hosts("/api/sites?category=art&platform=thin")).toBe("");
});

test("format, taxonomy.json: a filter that names an inactive entry matches nothing", () => {
  expect(hosts("/api/sites?category=old")).toBe("");
  expect(hosts("/api/sites?tag=off")).toBe("");
  expect(hosts("/api/sites?tag=off&tag=ta")).toBe("c b");
});

test("band is matched against latestBand of any scoring version", () => {
  expect(hosts("/api/sites?band=poor")).toBe("d");
  expect(hosts("/api/sites?band=low")).toBe("f");
  expect(hosts("/api/sites?band=high&band=poor&band=nope")).toBe("c a b d");
  expect(hosts("/api/sites?status=claimed")).toBe("b f");
  expect(hosts("/api/sites?status=unclaimed")).toBe("c a d");
});

test("score filters are inclusive and leave null out, also minScore=0", () => {
  expect(hosts("/api/sites?minScore=0")).toBe("c a b d f");
  expect(hosts("/api/sites?maxScore=100")).toBe("c a b d f");
  expect(hosts("/api/sites?minScore=49&maxScore=60")).toBe("a b d");
  expect(hosts("/api/sites?minScore=60&maxScore=60")).toBe("a b");
});

test("format, derived: only listed, scanned listings whose published scan has not moved are in search", () => {
  const away = { status: "moved", score: null, redirect: { host: "x.org" } };
  const records = scannedOnce({
    "a.com": {},
    "b.com": { visibility: "blocked" },
    "c.com": { visibility: "opted-out" },
    "d.com": { visibility: "redirected" },
    "e.com": { visibility: "removed" },
    "f.com": { visibility: "deleted" },
    "g.com": { scan: null },
    "h.com": { scan: away },
  });
  expect(hosts("/api/sites", records)).toBe("a");
  expect(hosts("/api/sites/suggestions?q=com", records)).toBe("a");
  expect(answerOf(records, "/api/sites/facets").body?.data).toMatchObject({ total: 1 });
});

/** `total`, then each count under its slug or id, in the order of the answer. */
function counts(query: string) {
  const { data } = answerOf(six, `/api/sites/facets${query}`).body as {
    data: Record<"signals" | "platforms", { id?: string; slug?: string; count: number }[]> & {
      total: number;
      categories: { total: number; items: { slug: string; count: number }[] };
    };
  };
  const line = (items: { id?: string; slug?: string; count: number }[]) =>
    items.map(({ id, slug, count }) => `${id ?? slug}:${count}`).join(" ");
  const { total, categories, signals, platforms } = data;
  return [total, categories.total, line(categories.items), line(signals), line(platforms)];
}

test("facet categories are sorted by order and slug, signals as in the standards, platforms by count and slug", () => {
  expect(counts("")).toEqual([
    6,
    6,
    "bare:0 art:1 zoo:2",
    "feed:1 https:2",
    "wide:3 thin:1 also-none:0 none:0",
  ]);
});

test("category counts ignore the category, platform counts the platform, signal counts nothing", () => {
  expect(counts("?category=zoo&platform=thin&q=ferry")).toEqual([
    1,
    1,
    "bare:0 art:0 zoo:1",
    "feed:0 https:1",
    "wide:2 thin:1 also-none:0 none:0",
  ]);
  expect(counts("?category=art")).toEqual([
    1,
    6,
    "bare:0 art:1 zoo:2",
    "feed:0 https:0",
    "also-none:0 none:0 thin:0 wide:0",
  ]);
  expect(counts("?capability=feed")).toEqual([
    1,
    1,
    "bare:0 art:0 zoo:1",
    "feed:1 https:1",
    "wide:1 also-none:0 none:0 thin:0",
  ]);
});

test("keys are in the table's order, and a signal has the check's name and overview", () => {
  const { body } = answerOf(six, "/api/sites/facets?q=nothing");
  expect(JSON.stringify(body)).toBe(
    '{"data":{"total":0,"categories":{"total":0,"items":[' +
      '{"slug":"bare","name":"Bare","group":"topic","order":0,"count":0},' +
      '{"slug":"art","name":"Art","group":"topic","order":1,"count":0},' +
      '{"slug":"zoo","name":"Zoo","group":"topic","order":1,"count":0}]},"signals":[' +
      '{"id":"feed","label":"Feed","description":"Has a feed.","kind":"capability","count":0},' +
      '{"id":"https","label":"HTTPS","description":"Is safe.","kind":"achievement","count":0}],' +
      '"platforms":[{"slug":"also-none","name":"Also none","count":0},{"slug":"none","name":"None","count":0},' +
      '{"slug":"thin","name":"Thin","count":0},{"slug":"wide","name":"Wide","count":0}]}}',
  );
});

test("exact hosts, exact names, prefixes, substrings, by host within each, at most five", () => {
  const records = scannedOnce({
    "named.com": { name: "SHOP.com" },
    "shop.com": { name: "z" },
    "a-shop.com": { name: "Best shop.com", tagline: "shop.com" },
    "y.com": { name: "shop.com fans", scan: { score: 1 } },
    "shop.com.br": { logoUrl: "https://shop.com.br/l.png" },
    "b-shop.com": { entitlements: { highlight: true }, scan: { score: 100 } },
    "t.com": { tagline: "shop.com" },
  });
  const { body } = answerOf(records, "/api/sites/suggestions?q=Shop.COM+");
  expect(JSON.stringify(body)).toBe(
    '{"data":[{"host":"shop.com","name":"z","logoUrl":null},' +
      '{"host":"named.com","name":"SHOP.com","logoUrl":null},' +
      '{"host":"shop.com.br","name":null,"logoUrl":"https://shop.com.br/l.png"},' +
      '{"host":"y.com","name":"shop.com fans","logoUrl":null},' +
      '{"host":"a-shop.com","name":"Best shop.com","logoUrl":null}]}',
  );
  expect(hosts("/api/sites/suggestions?q=t.", records)).toBe("t");
  expect(answerOf(records, "/api/sites/suggestions?q=f_ns").body).toEqual({ data: [] });
});

test("didYouMean is expected if q by itself matches nothing that the read looks at", () => {
  const due = (target: string) => answerOf(six, target).wantsDidYouMean;
  expect(due("/api/sites?q=fery")).toBe(true);
  expect(due("/api/sites?q=fery&category=zoo")).toBe(true);
  expect(due("/api/sites?q=ferry&category=art")).toBe(false);
  expect(due("/api/sites?category=nope")).toBe(false);
  expect(due("/api/sites/suggestions?q=tales")).toBe(true);
  expect(due("/api/sites?q=tales")).toBe(false);
  expect(due("/api/sites/facets?q=fery")).toBe(false);
  expect(due("/api/sites/suggestions?q=f")).toBe(false);
  expect(matchesAlone(six, "search", "TALES")).toBe(true);
  expect(matchesAlone(six, "suggestions", "tales")).toBe(false);
  expect(matchesAlone(six, "suggestions", "ferry")).toBe(true);
  expect(matchesAlone(six, "suggestions", "f")).toBe(false);
  expect(matchesAlone(six, "search", "50% off_")).toBe(true);
});

testTheService();
