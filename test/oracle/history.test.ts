import { expect, test } from "vitest";
import { answerOf, testTheService } from "./examples.js";
import type { Records } from "./records.js";
import { everything, listing, recordsOf, rich, scan } from "./tiny.js";

type Tree = Record<string, unknown>;

/** The data of a read that answers 200. */
function data(records: Records, target: string): Tree {
  const { status, body } = answerOf(records, target);
  expect(status, target).toBe(200);
  return body?.data as Tree;
}

/** Five scans around a published one, `m`, at the same instant as two others. */
function scans(host: string) {
  return [
    scan(host, "new", { finishedAt: "2026-03-01T00:00:00Z" }),
    scan(host, "l", { finishedAt: "2026-02-01T01:00:00+01:00", score: null }),
    scan(host, "m", { finishedAt: "2026-02-01T00:00:00.000Z", enrichment: rich.enrichment }),
    scan(host, "n", { finishedAt: "2026-02-01T00:00:00Z" }),
    scan(host, "old", {
      ...rich,
      finishedAt: "2026-01-31T23:59:59.9999Z",
      scoreVersion: "v1",
      band: "fair",
    }),
  ];
}

const pinned = recordsOf({
  listings: [
    listing("with.com", { publishedScan: "m", entitlements: { history: true, fixPrompts: 1 } }),
    listing("without.com", { publishedScan: "m" }),
    listing("blocked.com", { publishedScan: "m", visibility: "blocked", entitlements: everything }),
    listing("free.com"),
  ],
  scans: ["with.com", "without.com", "blocked.com", "free.com"].flatMap(scans),
});

/** The statuses of the five scans, in the order of time: old, l, m, n, new; then an unknown one. */
function statuses(host: string): number[] {
  return ["old", "l", "m", "n", "new", "nope"].map(
    (id) => answerOf(pinned, `/api/sites/${host}/report?scan=${id}`).status,
  );
}

test("earlier scans (ties: smaller ids) are historical, later ones held back", () => {
  expect(statuses("with.com")).toEqual([200, 200, 200, 404, 404, 404]);
  expect(statuses("without.com")).toEqual([403, 403, 200, 404, 404, 404]);
  expect(statuses("blocked.com")).toEqual([404, 404, 200, 404, 404, 404]);
  expect(statuses("free.com")).toEqual([403, 403, 403, 403, 200, 404]);
});

test("history lists the published scans, newest first, null scores and old bands kept", () => {
  const history = [
    ["m", "2026-02-01T00:00:00.000Z", 60, "high", "v2"],
    ["l", "2026-02-01T01:00:00+01:00", null, null, null],
    ["old", "2026-01-31T23:59:59.9999Z", 60, "fair", "v1"],
  ].map(([id, finishedAt, score, band, scoreVersion]) => ({
    id,
    finishedAt,
    score,
    band,
    scoreVersion,
  }));
  for (const query of ["", "?scan=m", "?scan=old", "?scan=l"])
    expect(data(pinned, `/api/sites/with.com/report${query}`).history).toEqual(history);
});

test("format, derived: a historical report keeps its own content, without enrichment, and is not indexable", () => {
  const report = data(pinned, "/api/sites/with.com/report?scan=old");
  expect(report.scan).toMatchObject({ id: "old", historical: true, score: 60, band: "fair" });
  expect(report.enrichment).toBeNull();
  expect(report.seo).toEqual({ indexable: false });
  expect(report.fixes).toMatchObject({ total: 3, limit: 1, hidden: 2 });
  expect(report.starterFilesOffer).toBe(true);
  const published = data(pinned, "/api/sites/with.com/report?scan=m");
  expect(published).toEqual(data(pinned, "/api/sites/with.com/report"));
  expect(published.enrichment).toMatchObject({ scanId: "m" });
});

test(
  "format, Listing: without publishedScan the newest scan is published, and among equal ones the " +
    "greatest id",
  () => {
    const finishedAt = "2026-02-01T00:00:00+00:00";
    const tied = [scan("a.com", "c", { finishedAt }), scan("a.com", "z"), scan("a.com", "b")];
    const more = [scan("a.com", "d", { finishedAt: "2026-01-31T23:00:00-01:00" })];
    const records = recordsOf({ listings: [listing("a.com")], scans: [...tied, ...more] });
    expect(data(records, "/api/sites/a.com/report").scan).toMatchObject({ id: "d" });
  },
);

test("a historical scan that moved is unscored, not withheld", () => {
  const records = recordsOf({
    listings: [listing("a.com", { entitlements: { history: true } })],
    scans: [
      scan("a.com", "s1", {
        ...rich,
        status: "moved",
        score: null,
        redirect: {},
        finishedAt: "2025-01-01T00:00:00Z",
      }),
      scan("a.com", "s2"),
    ],
  });
  const report = data(records, "/api/sites/a.com/report?scan=s1");
  expect(report.scan).toMatchObject({ status: "moved", score: null, robotsVerdict: "open" });
  expect(report.checks).toHaveLength(1);
});

testTheService();
