import { expect, test } from "vitest";
import { answerOf, testTheService } from "./examples.js";
import { sameExceptAny } from "./oracle.js";
import type { Records } from "./records.js";
import { directory, everything, listing, recordsOf, rich, scan, scannedOnce } from "./tiny.js";

type Tree = Record<string, unknown>;

/** The data of a read that answers 200. */
function data(records: Records, target: string): Tree {
  const { status, body } = answerOf(records, target);
  expect(status, target).toBe(200);
  return body?.data as Tree;
}

/** The bytes of one of the rich scan's fixes. */
function shownFix(checkId: string, place: number): string {
  const text = `{"checkId":"${checkId}","title":"T","kind":"k","status":"fail","summary":null`;
  const scoreAfter = [70, 65, 61][place];
  return `${text},"recoverablePoints":5,"scoreAfter":${scoreAfter},"prompt":"Do it","promptStatus":"archived"}`;
}

test("every key in the tables' order, absent nullables null, absent arrays empty", () => {
  const records = scannedOnce({
    "a.com": { entitlements: everything, status: "claimed", description: "D", scan: rich },
  });
  expect(JSON.stringify(data(records, "/api/sites/a.com/report"))).toBe(
    '{"enrichment":{"scanId":"s1","revision":"r7","copy":{"state":"ready","nextRetryAt":null}' +
      ',"starterFiles":{"state":"delayed","nextRetryAt":"2026-01-02T00:00:00Z"}}' +
      ',"accessPolicy":{"version":1,"url":"https://a.com/","summary":"s","notes":[]' +
      ',"identities":[{"token":"t","operator":"o","purpose":"p"}],"rows":[{"id":"i","title":"t","summary":"s"' +
      ',"findings":[{"subjects":[],"state":"mixed","explanation":"e","source":"r","url":"https://a.com/"' +
      ',"scope":"s","raw":[],"checkIds":[]}]}]}' +
      ',"prerender":{"version":1,"platform":"lovable","markdownOnRequest":false,"title":"t","paragraphs":[],"sources":[]}' +
      ',"site":{"host":"a.com","url":"https://a.com/","name":null,"description":"D"' +
      ',"status":"claimed","claimed":true}' +
      ',"scan":{"id":"s1","status":"complete","finishedAt":"2026-01-01T00:00:00Z","historical":false,"score":60' +
      ',"band":"high","scoreVersion":"v2","block1":50,"block2":10.5,"penalties":0,"cappedAt":60' +
      ',"robotsVerdict":"open","summary":"Fine.","redirect":null' +
      ',"stats":{"pagesScanned":2,"requestCount":null,"bytesFetched":null,"durationMs":1.5}}' +
      ',"profile":{"zeta":1,"alpha":{"b":[],"a":null}}' +
      ',"checks":[{"checkId":"https","checkVersion":1,"title":"T","label":"L","kind":"achievement","block":1' +
      ',"status":"pass","points":0,"maxPoints":1,"lifecycle":null,"summary":null,"details":{"z":1,"a":2}}]' +
      ',"observations":[{"key":"home","url":"https://a.com/","finalUrl":null,"status":null,"contentType":null' +
      ',"durationMs":3,"rung":"plain","redirects":0,"byteLength":9}]' +
      ',"pages":{"version":1,"completeness":"full","stopped":null,"pages":[{"url":"https://a.com/x","kind":"k"' +
      ',"sources":[],"reasons":[],"outcome":"read","status":null,"finalUrl":null}]}' +
      `,"fixes":{"data":[${["https", "feed", "slow"].map(shownFix)}],"total":3,"limit":null,"hidden":0}` +
      ',"access":{"history":true,"highlight":true,"starterFiles":true},"starterFiles":{"z":"1","a":"2"}' +
      ',"starterFilesOffer":false,"links":{"canonical":"https://tiny.example/sites/a.com"' +
      ',"markdown":"https://tiny.example/sites/a.com/report.md"},"seo":{"indexable":true}' +
      ',"history":[{"id":"s1","finishedAt":"2026-01-01T00:00:00Z","score":60,"band":"high","scoreVersion":"v2"}]}',
  );
});

test("format, derived: without entitlements there are no fixes, starter files or history, but an offer", () => {
  const report = data(scannedOnce({ "a.com": { scan: rich } }), "/api/sites/a.com/report");
  expect(report.fixes).toEqual({ data: [], total: 3, limit: 0, hidden: 3 });
  expect(report.access).toEqual({ history: false, highlight: false, starterFiles: false });
  expect(report.starterFiles).toBeNull();
  expect(report.starterFilesOffer).toBe(true);
  expect(report.enrichment).toMatchObject({ revision: "r7", starterFiles: null });
  expect(Object.keys(report).at(-1)).toBe("seo");
});

test("format, derived: nothing is offered where the scan has no starter files; only `claimed` is claimed", () => {
  const none = { redirect: null, profile: null, pages: null, accessPolicy: null, prerender: null };
  const bare = { ...none, starterFiles: null, enrichment: null };
  const records = scannedOnce({ "a.com": { status: "parked", scan: bare } });
  const report = data(records, "/api/sites/a.com/report");
  expect(report).toMatchObject({ profile: null, pages: null, accessPolicy: null, prerender: null });
  expect(report.starterFilesOffer).toBe(false);
  expect(report.site).toMatchObject({ status: "parked", claimed: false });
  expect(report.enrichment).toBeNull();
  expect(report.fixes).toEqual({ data: [], total: 0, limit: 0, hidden: 0 });
});

test("format, derived: the first fixPrompts fixes are shown in the publisher's order", () => {
  const records = scannedOnce({ "a.com": { entitlements: { fixPrompts: 2 }, scan: rich } });
  const fixes = data(records, "/api/sites/a.com/report").fixes as { data: Tree[] };
  expect(fixes).toMatchObject({ total: 3, limit: 2, hidden: 1 });
  expect(fixes.data.map(({ checkId }) => checkId)).toEqual(["https", "feed"]);
});

test("format, derived: an unscored report loses its points and its enrichment, the rest stays", () => {
  const unscored = { ...rich, score: null, status: "failed", scoreVersion: "v1", band: "old" };
  const records = scannedOnce({ "a.com": { entitlements: { fixPrompts: 1 }, scan: unscored } });
  const report = data(records, "/api/sites/a.com/report");
  const none = { score: null, band: null, scoreVersion: null, block1: null, block2: null };
  expect(report.scan).toMatchObject({ ...none, penalties: null, cappedAt: null });
  expect(report.scan).toMatchObject({ status: "failed", robotsVerdict: "open", summary: "Fine." });
  expect(report.enrichment).toBeNull();
  expect((report.fixes as { data: Tree[] }).data).toMatchObject([{ scoreAfter: null }]);
  expect(report.profile).toEqual(rich.profile);
  expect(report.checks).toHaveLength(1);
  expect(report.starterFilesOffer).toBe(false);
  expect(report.seo).toEqual({ indexable: false });
  expect(answerOf(records, "/api/sites/a.com/enrichment").body).toEqual({ data: null });
  const entitled = scannedOnce({ "a.com": { entitlements: everything, scan: unscored } });
  const full = data(entitled, "/api/sites/a.com/report");
  expect(full.starterFiles).toEqual(rich.starterFiles);
  expect(full.history).toMatchObject([{ score: null, band: null, scoreVersion: null }]);
});

test("withheld reports show only that the host is known", () => {
  const moved = { ...rich, score: null, status: "moved", redirect: { status: 301 } };
  for (const [more, status] of [
    [{ visibility: "blocked", scan: rich }, "complete"],
    [{ visibility: "opted-out", scan: rich }, "complete"],
    [{ visibility: "redirected", scan: moved }, "moved"],
    [{ scan: moved }, "moved"],
  ] as const) {
    const records = scannedOnce({ "a.com": { entitlements: everything, ...more } });
    const redirect = status === "moved" ? '{"host":null,"status":301}' : "null";
    const text = JSON.stringify(data(records, "/api/sites/a.com/report?scan=s1"));
    expect(text).toBe(
      '{"enrichment":null,"accessPolicy":null,"prerender":null' +
        ',"site":{"host":"a.com","url":"https://a.com/","name":null,"description":null,"status":"unclaimed","claimed":false}' +
        `,"scan":{"id":"s1","status":"${status}","finishedAt":"2026-01-01T00:00:00Z","historical":false` +
        ',"score":null,"band":null,"scoreVersion":null,"block1":null,"block2":null,"penalties":null,"cappedAt":null' +
        `,"robotsVerdict":null,"summary":null,"redirect":${redirect}` +
        ',"stats":{"pagesScanned":2,"requestCount":null,"bytesFetched":null,"durationMs":1.5}}' +
        ',"profile":null,"checks":[],"observations":[],"pages":null' +
        ',"fixes":{"data":[],"total":0,"limit":null,"hidden":0}' +
        ',"access":{"history":true,"highlight":true,"starterFiles":true},"starterFiles":null' +
        ',"starterFilesOffer":false,"links":{"canonical":"https://tiny.example/sites/a.com"' +
        ',"markdown":"https://tiny.example/sites/a.com/report.md"},"seo":{"indexable":false}}',
    );
    expect(answerOf(records, "/api/sites/a.com/enrichment").body).toEqual({ data: null });
  }
});

test("removed, deleted, never scanned and unknown hosts are 404", () => {
  const records = scannedOnce({
    "a.com": { visibility: "removed" },
    "b.com": { visibility: "deleted" },
    "c.com": { scan: null },
  });
  for (const host of ["a.com", "b.com", "c.com", "d.com"])
    for (const read of ["report", "report?scan=s1", "enrichment"])
      expect(answerOf(records, `/api/sites/${host}/${read}`).status, host + read).toBe(404);
});

test("format, derived: links start with siteUrl, which defaults to baseUrl", () => {
  const { siteUrl: _, ...bare } = directory;
  const records = recordsOf({
    directory: bare,
    listings: [listing("a.com")],
    scans: [scan("a.com", "s1")],
  });
  expect(data(records, "/api/sites/a.com/report").links).toEqual({
    canonical: "https://api.tiny.example/sites/a.com",
    markdown: "https://api.tiny.example/sites/a.com/report.md",
  });
});

test("format, derived: a revision that is not given may be any non-empty text", () => {
  const enrichment = { copy: { state: "queued", nextRetryAt: null } };
  const records = scannedOnce({ "a.com": { scan: { enrichment } } });
  for (const read of ["report", "enrichment"]) {
    const body = answerOf(records, `/api/sites/a.com/${read}`).body ?? {};
    const text = JSON.stringify(body);
    expect(text).toContain('"revision":"<any>"');
    expect(sameExceptAny(body, text.replace("<any>", "h4sh"))).toBe(true);
    expect(sameExceptAny(body, text.replace("<any>", ""))).toBe(false);
    expect(sameExceptAny(body, text.replace("<any>", "h").replace("queued", "ready"))).toBe(false);
  }
});

test("categories and tags are the active ones by order then slug, standards are in the tables' order", () => {
  const records = scannedOnce({ "a.com": {} });
  const text = (target: string) => JSON.stringify(answerOf(records, target).body);
  expect(text("/api/categories")).toBe(
    '{"data":[{"slug":"bare","name":"Bare","group":"topic","order":0},' +
      '{"slug":"art","name":"Art","group":"topic","order":1},' +
      '{"slug":"zoo","name":"Zoo","group":"topic","order":1}]}',
  );
  expect(text("/api/tags")).toBe(
    '{"data":[{"slug":"tz","name":"Tag Z","group":"g","order":0},' +
      '{"slug":"ta","name":"Tag A","group":"g","order":1},' +
      '{"slug":"tb","name":"Tag B","group":"g","order":1}]}',
  );
  const description = (id: string, name: string, overview: string, kind: string) =>
    `{"id":"${id}","name":"${name}","title":"T","version":1,"reviewedVersion":1,"reviewedOn":"2026-01-01"` +
    `,"specificationStatus":"stable","overview":"${overview}","whyItMatters":"w","whatWeCheck":"c","results":"r"` +
    `,"limitations":"l","sources":[],"sourceNote":null,"related":[],"kind":"${kind}","checkClass":"universal"` +
    ',"lifecycle":"active","block":null,"weight":1,"maxPoints":1}';
  expect(text("/api/standards")).toBe(
    '{"data":{"rubric":{"version":"v2","block1Points":60,"block2Points":40,"bands":[' +
      '{"band":"low","label":"Low","min":0,"max":49},{"band":"high","label":"High","min":50,"max":100}]}' +
      `,"badgeExamples":[],"checks":[${description("feed", "Feed", "Has a feed.", "capability")}` +
      `,${description("slow", "Slow", "Is slow.", "penalty")}` +
      `,${description("https", "HTTPS", "Is safe.", "achievement")}],"aiCrawlers":[],"crawlerCatalogue":[]}}`,
  );
});

testTheService();
