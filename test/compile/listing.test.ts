import { describe, expect, it } from "vitest";
import { directoryContext } from "../../src/compile/directory.js";
import { type CompiledListing, compileListing } from "../../src/compile/listing.js";
import { enrichmentOf } from "../../src/compile/report.js";
import { Report } from "../../src/contract/report.js";
import type { Scan } from "../../src/input/checking/schemas.js";
import {
  aCheck,
  aFix,
  aListing,
  aScan,
  published,
  theDirectory,
  theStandards,
  theTaxonomy,
} from "../fixtures.js";
import { searchableOf } from "../oracle/derive.js";
import { sameExceptAny } from "../oracle/oracle.js";
import { chance, pick, seeded, shuffled } from "../oracle/random.js";
import type { Records } from "../oracle/records.js";
import { type Found, findEnrichment, findReport } from "../oracle/report.js";
import { repeated } from "../slow.js";

const SEED = Number(process.env.SEED ?? 20_261_124);
const LISTINGS = repeated(150, 20_000);
const HOST = "example.com";
const SITES = ["https://directory.example", null];

/** So many listings with their scans, with everything that their answers depend on drawn at random. */
function randomCases(random: () => number, count: number) {
  const maybe = <T>(value: T) => (chance(random, 0.5) ? value : null);
  const some = <T>(values: readonly T[]) => shuffled(random, values).filter(() => maybe(true));
  const ready = { state: "ready", nextRetryAt: null } as const;
  const delayed = { state: "delayed", nextRetryAt: "2026-08-02T00:00:00Z" } as const;
  const checkIds = ["https", "sitemap", "bot-wall", "mcp"];
  const visibilities = ["blocked", "opted-out", "redirected", "removed", "deleted"] as const;
  const scan = (id: string): Scan => {
    const isMoved = chance(random, 0.1);
    const checks = some(checkIds).map((checkId) =>
      aCheck({
        checkId,
        status: pick(random, ["pass", "pass", "warn", "fail", "na"]),
        kind: pick(random, ["achievement", "capability", "penalty"]),
        details: { 2: "b", 1: " Ünï\u0000 " },
      }),
    );
    return aScan({
      id,
      checks,
      status: isMoved ? "moved" : pick(random, ["complete", "failed"]),
      // Three instants, two of them written in two ways.
      finishedAt: pick(random, [
        "2026-01-01T00:00:00Z",
        "2026-01-01T01:00:00+01:00",
        "2025-12-31T23:00:00.100-01:00",
        "2026-02-01T00:00:00Z",
        "2026-02-01T00:00:00.000Z",
      ]),
      score: isMoved || chance(random, 0.2) ? null : pick(random, [0, 49, 50, 100]),
      band: maybe("poor"),
      scoreVersion: pick(random, ["2026.1", "2026.1", "2024.1", null]),
      redirect: isMoved ? { host: maybe("b.example"), status: 301 } : null,
      cappedAt: maybe(70),
      robotsVerdict: maybe("open"),
      summary: maybe("Reads well."),
      profile: maybe({ login: true }),
      starterFiles: maybe({ llmsTxt: "# Example" }),
      fixes: some(checkIds).map((checkId) => aFix({ checkId, scoreAfter: maybe(80) })),
      stats: { pagesScanned: maybe(1), durationMs: 1.5 },
      enrichment: maybe({
        copy: pick(random, [ready, delayed]),
        starterFiles: maybe(delayed),
        revision: maybe("r7"),
      }),
    });
  };
  return Array.from({ length: count }, () => {
    const scans = some(["a", "b", "c", "d"]).map(scan);
    const listing = aListing({
      status: pick(random, ["claimed", "unclaimed"]),
      visibility: chance(random, 0.6) ? "listed" : pick(random, visibilities),
      name: maybe("Example"),
      tagline: maybe("An example"),
      description: maybe("Of it"),
      category: pick(random, ["weather", "news", "retired", null]),
      tags: some(["zeta", "old", "alpha", "first"]),
      platforms: some(["wordpress", "astro"]),
      hosting: maybe("Fly"),
      linkRel: pick(random, ["ugc", "nofollow"]),
      logoUrl: maybe("https://example.com/l.png"),
      ogImageUrl: maybe("https://e.example/o"),
      entitlements: {
        fixPrompts: pick(random, [0, 2, 9, null]),
        history: chance(random, 0.5),
        starterFiles: chance(random, 0.5),
        highlight: chance(random, 0.5),
      },
      publishedScan: scans.length > 0 && chance(random, 0.3) ? pick(random, scans).id : null,
    });
    return { listing, scans, siteUrl: pick(random, SITES) };
  });
}

/** A body that must be the oracle's, with the contract's keys in the contract's order. */
function expectFound(text: string, found: Found): void {
  if (found.status !== 200) throw new Error(`the oracle answers ${found.status}, not ${text}`);
  expect(sameExceptAny(found.body, text), `${text}\n${JSON.stringify(found.body)}`).toBe(true);
}

function expectReport(text: string, found: Found): void {
  expectFound(text, found);
  const { data } = JSON.parse(text) as { data: Report };
  expect(JSON.stringify(Report.parse(data))).toBe(JSON.stringify(data));
}

/** The answers about each scan. @returns the ids of the scans that are served as historical ones, in their order */
function compareScans(compiled: CompiledListing, scans: readonly Scan[], records: Records) {
  const historical = new Map([...compiled.historical].map(({ scan, report }) => [scan, report]));
  for (const { id } of scans) {
    const found = findReport(records, HOST, id);
    const report = historical.get(id);
    const isLocked = compiled.locked.includes(id);
    if (id === compiled.publishedScan) expect(found).toEqual(findReport(records, HOST));
    else if (report === undefined) expect(found.status).toBe(isLocked ? 403 : 404);
    else expectReport(report, found);
    expect(isLocked && report !== undefined).toBe(false);
  }
  return [...historical.keys()];
}

/** Compares all answers about a listing with the oracle's. @returns what kind of listing it was */
function compare(compiled: CompiledListing | null, scans: readonly Scan[], records: Records) {
  const latest = findReport(records, HOST);
  const [searchable] = searchableOf(records);
  if (compiled === null) {
    expect([latest.status, searchable]).toEqual([404, undefined]);
    return "absent";
  }
  expectReport(compiled.report, latest);
  expectFound(compiled.enrichment, findEnrichment(records, HOST));
  const summary = compiled.search?.summary;
  expect(JSON.stringify(summary)).toBe(JSON.stringify(searchable?.summary));
  const historical = compareScans(compiled, scans, records);
  // The report's history has the order in which former scans are stored.
  const { history } = JSON.parse(compiled.report).data as Report;
  const ids = history?.map(({ id }) => id);
  if (summary === undefined) return "withheld";
  if (ids !== undefined) expect(ids).toEqual([compiled.publishedScan, ...historical]);
  if (historical.length > 0) return "open";
  return compiled.locked.length > 0 ? "locked" : "listed";
}

describe(`the answers about a listing, SEED=${SEED}`, () => {
  it(`are those of the second implementation, for ${LISTINGS} random listings with their scans`, () => {
    const standards = theStandards() as unknown as Records["standards"];
    const kinds = new Map<string, number>();
    for (const { listing, scans, siteUrl } of randomCases(seeded(SEED), LISTINGS)) {
      const directory = { ...theDirectory(), siteUrl };
      const context = directoryContext(directory, theStandards(), theTaxonomy());
      const compiled = compileListing(listing, published(...scans), context);
      const kind = compare(compiled, scans, {
        siteUrl: siteUrl ?? directory.baseUrl,
        standards,
        ...theTaxonomy(),
        listings: new Map([[HOST, listing]]),
        scans: new Map([[HOST, scans]]),
      } as unknown as Records);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect([...kinds.keys()].sort()).toEqual(["absent", "listed", "locked", "open", "withheld"]);
    expect(Math.min(...kinds.values())).toBeGreaterThan(LISTINGS / 20);
  });
});

it("a summary's platforms are slugs, sorted, each once", () => {
  const directory = directoryContext(theDirectory(), theStandards(), theTaxonomy());
  const listing = aListing({ platforms: ["wordpress", "astro", "wordpress"] });
  const compiled = compileListing(listing, published(aScan()), directory);
  expect(compiled?.search?.summary.platforms).toEqual(["astro", "wordpress"]);
});

it("an enrichment's own revision changes with the states, the fixes and the starter files only", () => {
  const copy = { state: "delayed", nextRetryAt: "2026-08-02T00:00:00Z" } as const;
  const starterFiles = { state: "ready", nextRetryAt: null } as const;
  const scan = aScan({ enrichment: { copy, starterFiles }, fixes: [aFix()] });
  const entitled = aListing({ entitlements: { starterFiles: true } });
  const base = enrichmentOf(entitled, scan)?.revision;
  const changed = [
    { ...scan, enrichment: { copy: starterFiles, starterFiles, revision: null } },
    { ...scan, enrichment: { copy, starterFiles: copy, revision: null } },
    { ...scan, fixes: [aFix({ prompt: "Another." })] },
    { ...scan, starterFiles: { llmsTxt: "# E" } },
  ].map((other) => enrichmentOf(entitled, other)?.revision);
  expect(new Set([base, ...changed]).size).toBe(5);
  expect(enrichmentOf(entitled, { ...scan, summary: "Another." })?.revision).toBe(base);
  expect(base).toMatch(/^[0-9a-f]{32}$/);
});
