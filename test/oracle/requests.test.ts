import { expect, test } from "vitest";
import { repeated } from "../slow.js";
import { answerOf, type OracleAnswer } from "./oracle.js";
import { seeded } from "./random.js";
import type { Records } from "./records.js";
import { randomRequest } from "./requests.js";
import { listing, recordsOf, scan } from "./tiny.js";

const visibilities = ["listed", "blocked", "opted-out", "redirected", "removed", "deleted"];

/** Sixty listings of every visibility and plan, some never scanned, with past and held-back scans. */
function sixty(): Records {
  const hosts = Array.from({ length: 60 }, (_, place) => `site-${place}.example`);
  return recordsOf({
    listings: hosts.map((host, place) =>
      listing(host, {
        name: `Nämé ${"αβγδε"[place % 5]} ${place}`,
        tagline: place % 3 === 0 ? null : `All about 日本 no. ${place}`,
        status: ["claimed", "unclaimed", "parked"][place % 3],
        visibility: visibilities[place < 48 ? 0 : place % 6],
        category: ["zoo", "art", "old", null][place % 4],
        tags: [["ta"], ["tb", "off"], []][place % 3],
        platforms: [["wide"], ["thin", "wide"], []][place % 3],
        entitlements: { history: place % 2 === 0 },
        ...(place % 5 === 0 ? { publishedScan: "s2" } : {}),
      }),
    ),
    scans: hosts.flatMap((host, place) =>
      (place % 12 === 11 ? [] : [1, 2, 3]).map((month) =>
        scan(host, `s${month}`, {
          score: place % 7 === 6 ? null : (place * 7) % 101,
          finishedAt: `2026-0${month}-01T00:00:00Z`,
        }),
      ),
    ),
  });
}

const records = sixty();

/** Whether an answer is a 200 that found something. */
function finds({ status, body }: OracleAnswer): boolean {
  const data = body?.data as { total?: number } | unknown[] | null | undefined;
  if (Array.isArray(data)) return data.length > 0;
  return status === 200 && data?.total !== 0;
}

function targets(seed: number, count: number): string[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => randomRequest(random, records));
}

test("about three of four requests are valid and find something, and every status occurs", () => {
  const answers = targets(7, repeated(1_500, 4_000)).map((target) => answerOf(records, target));
  const share = answers.filter(finds).length / answers.length;
  expect(share).toBeGreaterThan(0.68);
  expect(share).toBeLessThan(0.82);
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 400, 403, 404]);
  expect(answers.filter(({ wantsDidYouMean }) => wantsDidYouMean).length).toBeGreaterThan(15);
});

test("requests reach every read with 200, and every kind of refusal that a parameter has", () => {
  const seen = new Set<string>();
  const refused = new Set<string>();
  for (const target of targets(11, repeated(4_000, 12_000))) {
    const { status, issuePaths = [] } = answerOf(records, target);
    const path = target.replace(/\?.*/, "").replace(/site-\d+\.example/, "H");
    seen.add(`${status} ${path}${target.includes("?scan=") ? " scan" : ""}`);
    for (const issue of issuePaths) refused.add(issue.replace(/\[\d+\]$/, "[]"));
  }
  const reads = ["sites", "sites/facets", "sites/suggestions", "standards", "categories", "tags"];
  const wanted = reads.map((read) => `200 /api/${read}`);
  wanted.push("400 /api/sites", "400 /api/sites/facets", "400 /api/sites/suggestions");
  wanted.push(
    "200 /api/sites/H/report",
    "200 /api/sites/H/report scan",
    "403 /api/sites/H/report scan",
  );
  wanted.push(
    "404 /api/sites/H/report",
    "404 /api/sites/H/report scan",
    "400 /api/sites/H/report scan",
  );
  wanted.push(
    "200 /api/sites/H/enrichment",
    "404 /api/sites/H/enrichment",
    "400 /api/sites/H/enrichment",
  );
  for (const kind of wanted) expect(seen, kind).toContain(kind);
  const scalars = ["q", "sort", "page", "limit", "minScore", "maxScore", "status", "scan", "host"];
  const lists = ["category", "tag", "platform", "capability", "band"];
  for (const name of [...scalars, ...lists, ...lists.map((list) => `${list}[]`)])
    expect(refused, name).toContain(name);
  for (const name of ["__proto__", "constructor", "foo"]) expect(refused).toContain(name);
});
