import { describe, expect, it } from "vitest";
import { directoryContext } from "../../src/compile/directory.js";
import { type CompiledListing, compileListing } from "../../src/compile/listing.js";
import { Report } from "../../src/contract/report.js";
import type { Scan } from "../../src/published/checking/scan-schema.js";
import type { Listing } from "../../src/published/checking/schemas.js";
import {
  aFix,
  aListing,
  aScan,
  published,
  theDirectory,
  theStandards,
  theTaxonomy,
} from "../fixtures.js";

const directory = directoryContext(theDirectory(), theStandards(), theTaxonomy());
const PLAN = { history: true, fixPrompts: null, starterFiles: true, highlight: true };

function compile(listing: Listing, ...scans: Scan[]): CompiledListing {
  const compiled = compileListing(listing, published(...scans), directory);
  if (compiled === null) throw new Error("the listing has no report");
  return compiled;
}

/** The report of a body, checked against the contract's shape and order of keys. */
function reportIn(body: string): Report {
  const { data } = JSON.parse(body) as { data: Report };
  expect(JSON.stringify(Report.parse(data))).toBe(JSON.stringify(data));
  return data;
}

function report(listing: Listing, ...scans: Scan[]): Report {
  return reportIn(compile(listing, ...scans).report);
}

const ready = { state: "ready", nextRetryAt: null } as const;
const fullScan = aScan({
  fixes: [aFix(), aFix({ checkId: "https", scoreAfter: null })],
  starterFiles: { llmsTxt: "# Example" },
  enrichment: { copy: ready, starterFiles: ready },
  robotsVerdict: "open",
  summary: "Reads well.",
  cappedAt: 70,
  profile: { login: true },
  observations: [],
});
/** Three scans, oldest first. */
const [first, second, third] = ["2026-01-01", "2026-02-01", "2026-03-01"].map((day, i) =>
  aScan({ id: `scan_${i}`, finishedAt: `${day}T00:00:00Z` }),
) as [Scan, Scan, Scan];

describe("reports (published format, derivation)", () => {
  it.each(["removed", "deleted"] as const)("a %s listing has no report", (visibility) => {
    expect(compileListing(aListing({ visibility }), published(aScan()), directory)).toBeNull();
  });

  it("a never-scanned listing has no report", () => {
    expect(compileListing(aListing(), [], directory)).toBeNull();
  });

  it.each(["listed", "blocked", "opted-out", "redirected"] as const)(
    "a scanned %s listing has a report",
    (visibility) => {
      expect(report(aListing({ visibility }), aScan()).site.host).toBe("example.com");
    },
  );
});

describe("search (published format, derivation; contract section 3, rule 4)", () => {
  it("has listed listings, scored or not", () => {
    expect(compile(aListing(), aScan()).search).not.toBeNull();
    expect(compile(aListing(), aScan({ score: null, status: "failed" })).search).not.toBeNull();
  });

  it.each(["blocked", "opted-out", "redirected"] as const)(
    "does not have a %s listing",
    (visibility) => {
      expect(compile(aListing({ visibility }), aScan()).search).toBeNull();
    },
  );

  it("treats a listed listing whose published scan moved as redirected", () => {
    const moved = aScan({ status: "moved", score: null, redirect: { host: "b.example" } });
    const compiled = compile(aListing(), moved);
    expect(compiled.search).toBeNull();
    expect(reportIn(compiled.report).scan).toMatchObject({ status: "moved", score: null });
  });
});

describe("the withheld report (decisions, Scans and history)", () => {
  const listing = aListing({ visibility: "opted-out", entitlements: PLAN, name: "Example" });
  const withheld = report(listing, fullScan, second);

  it("shows only that the host is known", () => {
    expect(withheld).toEqual({
      enrichment: null,
      accessPolicy: null,
      prerender: null,
      site: {
        host: "example.com",
        url: "https://example.com/",
        name: "Example",
        description: null,
        status: "unclaimed",
        claimed: false,
      },
      scan: {
        id: fullScan.id,
        status: "complete",
        finishedAt: fullScan.finishedAt,
        historical: false,
        score: null,
        band: null,
        scoreVersion: null,
        block1: null,
        block2: null,
        penalties: null,
        cappedAt: null,
        robotsVerdict: null,
        summary: null,
        redirect: null,
        stats: fullScan.stats,
      },
      profile: null,
      checks: [],
      observations: [],
      pages: null,
      fixes: { data: [], total: 0, limit: null, hidden: 0 },
      access: { history: true, highlight: true, starterFiles: true },
      starterFiles: null,
      starterFilesOffer: false,
      links: {
        canonical: "https://directory.example/sites/example.com",
        markdown: "https://directory.example/sites/example.com/report.md",
      },
      seo: { indexable: false },
    });
  });

  it("has no enrichment, and every other scan id is unknown", () => {
    const compiled = compile(listing, fullScan, second);
    expect(compiled.enrichment).toBe('{"data":null}');
    expect(compiled).toMatchObject({ historical: [], locked: [], publishedScan: "scan_1" });
  });

  it("keeps the redirect, the status and the statistics", () => {
    const redirect = { host: "elsewhere.example", status: 301 };
    const stats = { pagesScanned: 1, requestCount: 2, bytesFetched: 3, durationMs: 4 };
    const moved = aScan({ status: "moved", score: null, redirect, stats });
    expect(report(aListing(), moved).scan).toMatchObject({ status: "moved", redirect, stats });
  });

  it("offers no starter files", () => {
    const free = aListing({ visibility: "blocked" });
    expect(report(free, fullScan)).toMatchObject({ starterFilesOffer: false, starterFiles: null });
  });
});

describe("the unscored report (published format, derivation)", () => {
  const scan = { ...fullScan, score: null, band: "closed", status: "failed" };
  const unscored = report(aListing({ entitlements: PLAN }), scan);

  it("has null band, version, blocks, penalties, cap and every scoreAfter", () => {
    expect(unscored.scan).toMatchObject({
      score: null,
      band: null,
      scoreVersion: null,
      block1: null,
      block2: null,
      penalties: null,
      cappedAt: null,
    });
    expect(unscored.fixes.data.map(({ scoreAfter }) => scoreAfter)).toEqual([null, null]);
  });

  it("keeps the rest", () => {
    expect(unscored.scan).toMatchObject({ robotsVerdict: "open", summary: "Reads well." });
    expect(unscored.checks).toEqual(fullScan.checks);
    expect(unscored.profile).toEqual({ login: true });
    expect(unscored.starterFiles).toEqual({ llmsTxt: "# Example" });
  });

  it("has no enrichment, is not indexable and offers nothing", () => {
    expect(unscored.enrichment).toBeNull();
    expect(unscored.seo.indexable).toBe(false);
    expect(report(aListing(), scan).starterFilesOffer).toBe(false);
  });

  it("a score of zero is a score", () => {
    const zero = report(aListing(), aScan({ score: 0 }));
    expect(zero.scan).toMatchObject({ score: 0, band: "closed", scoreVersion: "2026.1" });
    expect(zero.seo.indexable).toBe(true);
  });
});

describe("bands (published format, latestBand and scan.band)", () => {
  it.each([
    [49, "closed"],
    [50, "open"],
    [100, "open"],
  ])("a score of %i under the rubric's version is %s", (score, band) => {
    const compiled = compile(aListing(), aScan({ score }));
    expect(reportIn(compiled.report).scan.band).toBe(band);
    expect(compiled.search?.summary.latestBand).toBe(band);
  });

  it("an older version's band stays as given, even if it is null", () => {
    const older = aScan({ score: 90, scoreVersion: "2024.1", band: "poor" });
    expect(report(aListing(), older).scan.band).toBe("poor");
    expect(report(aListing(), { ...older, band: null }).scan.band).toBeNull();
  });
});

describe("the published scan and its history (decisions, Scans and history)", () => {
  const withPlan = aListing({ entitlements: PLAN });

  it("the newest is published; the others are historical, newest first", () => {
    const compiled = compile(withPlan, second, third, first);
    expect(compiled.publishedScan).toBe("scan_2");
    expect([...compiled.historical].map(({ scan }) => scan)).toEqual(["scan_1", "scan_0"]);
    expect(compiled.locked).toEqual([]);
  });

  it("equal instants go by id: the greatest is published, the smaller are historical", () => {
    const at = "2026-01-01T00:00:00Z";
    const twins = [
      aScan({ id: "a", finishedAt: at }),
      aScan({ id: "b", finishedAt: "2026-01-01T01:00:00+01:00" }),
    ];
    const compiled = compile(withPlan, ...twins);
    expect(compiled.publishedScan).toBe("b");
    expect([...compiled.historical].map(({ scan }) => scan)).toEqual(["a"]);
  });

  it("a scan newer than a pinned one is held back, whatever the plan", () => {
    const compiled = compile({ ...withPlan, publishedScan: "scan_1" }, first, second, third);
    expect(compiled.publishedScan).toBe("scan_1");
    expect([...compiled.historical].map(({ scan }) => scan)).toEqual(["scan_0"]);
    expect(compiled.locked).toEqual([]);
    expect(JSON.stringify(compiled)).not.toContain("scan_2");
  });

  it("without the entitlement historical scans are locked and not served", () => {
    const compiled = compile(aListing(), first, second, third);
    expect(compiled.historical).toEqual([]);
    expect(compiled.locked).toEqual(["scan_1", "scan_0"]);
    expect(reportIn(compiled.report).history).toBeUndefined();
  });

  it("a historical report says so, has no enrichment and is not indexable", () => {
    const older = { ...fullScan, id: "older", finishedAt: "2025-01-01T00:00:00Z" };
    const [historical] = compile(withPlan, second, older).historical;
    const { scan, enrichment: state, seo, starterFiles } = reportIn(historical?.report ?? "");
    expect(scan).toMatchObject({ id: "older", historical: true, score: 60 });
    expect(state).toBeNull();
    expect(seo.indexable).toBe(false);
    expect(starterFiles).toEqual({ llmsTxt: "# Example" });
  });

  it("a historical report of a scan with starter files offers them too if the plan lacks them", () => {
    const older = { ...fullScan, id: "older", finishedAt: "2025-01-01T00:00:00Z" };
    const listing = aListing({ entitlements: { history: true } });
    const [historical] = compile(listing, second, older).historical;
    expect(reportIn(historical?.report ?? "")).toMatchObject({
      starterFiles: null,
      starterFilesOffer: true,
    });
  });

  it("a historical scan that moved is unscored, not withheld, and keeps its redirect", () => {
    const redirect = { host: null, status: null };
    const moved = { ...first, status: "moved", score: null, redirect };
    const [historical] = compile(withPlan, second, moved).historical;
    const served = reportIn(historical?.report ?? "");
    expect(served.scan).toMatchObject({ status: "moved", score: null, redirect });
    expect(served.checks).toEqual(first.checks);
  });

  it("with the entitlement every report has the history of all published scans, and null scores stay null", () => {
    const failed = { ...second, score: null, band: "closed" };
    const compiled = compile(withPlan, first, failed, third);
    const history = [
      { ...historyEntry(third), score: 60, band: "open", scoreVersion: "2026.1" },
      { ...historyEntry(second), score: null, band: null, scoreVersion: null },
      { ...historyEntry(first), score: 60, band: "open", scoreVersion: "2026.1" },
    ];
    expect(reportIn(compiled.report).history).toEqual(history);
    expect(reportIn([...compiled.historical][1]?.report ?? "").history).toEqual(history);
  });

  function historyEntry({ id, finishedAt }: Scan) {
    return { id, finishedAt };
  }
});
