import { describe, expect, it } from "vitest";
import { directoryContext, signalsOf } from "../../src/compile/directory.js";
import { compileListing } from "../../src/compile/listing.js";
import { enrichmentOf } from "../../src/compile/report.js";
import { SiteSummary } from "../../src/contract/listing.js";
import type { Report } from "../../src/contract/report.js";
import { Scan } from "../../src/published/checking/scan-schema.js";
import type { Listing } from "../../src/published/checking/schemas.js";
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

const directory = directoryContext(theDirectory(), theStandards(), theTaxonomy());

function report(listing: Listing, scan: Scan, among = directory): Report {
  const compiled = compileListing(listing, published(scan), among);
  return (JSON.parse(compiled?.report ?? "") as { data: Report }).data;
}

function summary(listing: Listing, scan: Scan): SiteSummary {
  const found = compileListing(listing, published(scan), directory)?.search?.summary;
  expect(JSON.stringify(SiteSummary.parse(found))).toBe(JSON.stringify(found));
  return found as SiteSummary;
}

describe("the summary (contract section 2, SiteSummary; published format, derivation)", () => {
  it("has the listing's fields and the published scan's score", () => {
    const listing = aListing({
      tagline: "An example",
      status: "claimed",
      hosting: "Fly",
      linkRel: "ugc",
      logoUrl: "https://example.com/logo.png",
    });
    expect(summary(listing, aScan())).toEqual({
      host: "example.com",
      url: "https://example.com/",
      name: "Example",
      tagline: "An example",
      status: "claimed",
      latestScore: 60,
      latestBand: "open",
      latestScoreVersion: "2026.1",
      latestScannedAt: "2026-08-01T00:00:00Z",
      platforms: [],
      hosting: "Fly",
      linkRel: "ugc",
      category: null,
      tags: [],
      capabilities: ["https"],
      logoUrl: "https://example.com/logo.png",
      ogImageUrl: null,
      highlighted: false,
    });
  });

  it("latestScore, latestScoreVersion and latestBand are all null when the score is", () => {
    const unscored = summary(aListing(), aScan({ score: null, band: "open" }));
    expect(unscored).toMatchObject({
      latestScore: null,
      latestBand: null,
      latestScoreVersion: null,
      latestScannedAt: "2026-08-01T00:00:00Z",
    });
  });

  it("date-times are served as given", () => {
    const finishedAt = "2026-08-01T02:00:00.100+02:00";
    expect(summary(aListing(), aScan({ finishedAt })).latestScannedAt).toBe(finishedAt);
    expect(report(aListing(), aScan({ finishedAt })).scan.finishedAt).toBe(finishedAt);
  });

  it("category and tags are the active taxonomy entries, tags by order, then slug", () => {
    const listing = aListing({ category: "weather", tags: ["zeta", "old", "alpha", "first"] });
    const { category, tags } = summary(listing, aScan());
    expect(category).toEqual({ slug: "weather", name: "WEATHER", group: "topic", order: 2 });
    expect(tags.map(({ slug }) => slug)).toEqual(["first", "alpha", "zeta"]);
    expect(tags[0]).toEqual({ slug: "first", name: "FIRST", group: "topic", order: 0 });
  });

  it("an inactive category is never shown", () => {
    expect(summary(aListing({ category: "retired" }), aScan()).category).toBeNull();
  });

  it("platforms are slugs, sorted, each once", () => {
    const listing = aListing({ platforms: ["wordpress", "astro", "wordpress"] });
    expect(summary(listing, aScan()).platforms).toEqual(["astro", "wordpress"]);
  });

  it("capabilities are passed achievements and capabilities, sorted; no penalty, warning or failure", () => {
    const checks = [
      aCheck({ checkId: "sitemap" }),
      aCheck({ checkId: "mcp", kind: "capability" }),
      aCheck({ checkId: "bot-wall", kind: "penalty" }),
      aCheck({ checkId: "feeds", status: "warn" }),
      aCheck({ checkId: "https", status: "fail" }),
      aCheck({ checkId: "llms-txt", status: "na" }),
    ];
    expect(summary(aListing(), aScan({ checks })).capabilities).toEqual(["mcp", "sitemap"]);
  });

  it("highlighted follows the entitlement, and so does access", () => {
    const listing = aListing({ entitlements: { highlight: true } });
    expect(summary(listing, aScan()).highlighted).toBe(true);
    expect(report(listing, aScan()).access).toEqual({
      history: false,
      highlight: true,
      starterFiles: false,
    });
  });
});

describe("fixes (published format, derivation)", () => {
  const fixes = ["c", "a", "b"].map((checkId) => aFix({ checkId }));

  it.each([
    [0, [], 3],
    [2, ["c", "a"], 1],
    [9, ["c", "a", "b"], 0],
    [null, ["c", "a", "b"], 0],
  ])("a limit of %s shows the first ones in the publisher's order", (limit, shown, hidden) => {
    const listing = aListing({ entitlements: { fixPrompts: limit } });
    const { fixes: served } = report(listing, aScan({ fixes }));
    expect(served.data.map(({ checkId }) => checkId)).toEqual(shown);
    expect(served).toMatchObject({ total: 3, limit, hidden });
  });
});

describe("starter files (published format, derivation)", () => {
  const scan = aScan({ starterFiles: { llmsTxt: "# E" } });
  const entitled = aListing({ entitlements: { starterFiles: true } });

  it("are included with the entitlement, and then not offered", () => {
    expect(report(entitled, scan)).toMatchObject({
      starterFiles: { llmsTxt: "# E" },
      starterFilesOffer: false,
    });
  });

  it("are offered without the entitlement, and not included", () => {
    expect(report(aListing(), scan)).toMatchObject({ starterFiles: null, starterFilesOffer: true });
  });

  it("are neither included nor offered if the scan has none", () => {
    expect(report(aListing(), aScan())).toMatchObject({
      starterFiles: null,
      starterFilesOffer: false,
    });
  });
});

describe("enrichment (contract section 2, Enrichment; published format, derivation)", () => {
  const copy = { state: "delayed", nextRetryAt: "2026-08-02T00:00:00Z" } as const;
  const starterFiles = { state: "ready", nextRetryAt: null } as const;
  const scan = aScan({ enrichment: { copy, starterFiles }, fixes: [aFix()] });
  const entitled = aListing({ entitlements: { starterFiles: true } });

  it("has the scan's id and states; starterFiles is null without the entitlement", () => {
    expect(enrichmentOf(entitled, scan)).toMatchObject({ scanId: "scan_1", copy, starterFiles });
    expect(enrichmentOf(aListing(), scan)?.starterFiles).toBeNull();
    expect(report(entitled, scan).enrichment).toEqual(enrichmentOf(entitled, scan));
  });

  it("is null if the scan has no enrichment or no score", () => {
    expect(enrichmentOf(entitled, aScan())).toBeNull();
    expect(enrichmentOf(entitled, { ...scan, score: null })).toBeNull();
  });

  it("keeps a given revision", () => {
    const given = aScan({ enrichment: { copy, revision: "r7" } });
    expect(enrichmentOf(entitled, given)?.revision).toBe("r7");
  });

  it("otherwise has a revision that changes with the states, the fixes and the starter files only", () => {
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
});

describe("site, links and the taxonomy", () => {
  it("site.claimed says whether the status is claimed", () => {
    expect(report(aListing({ status: "claimed" }), aScan()).site.claimed).toBe(true);
    expect(report(aListing({ status: "verified" }), aScan()).site).toMatchObject({
      status: "verified",
      claimed: false,
    });
  });

  it("links begin with siteUrl, or else with baseUrl", () => {
    const alone = directoryContext(
      { ...theDirectory(), siteUrl: null },
      theStandards(),
      theTaxonomy(),
    );
    expect(report(aListing(), aScan(), alone).links).toEqual({
      canonical: "https://api.directory.example/sites/example.com",
      markdown: "https://api.directory.example/sites/example.com/report.md",
    });
  });

  it("categories and tags are the active ones by order, then slug (contract section 4)", () => {
    expect(directory.categories.map(({ slug }) => slug)).toEqual(["news", "weather"]);
    expect(directory.tags.map(({ slug }) => slug)).toEqual(["first", "alpha", "zeta"]);
    expect(Object.keys(directory.tags[0] ?? {})).toEqual(["slug", "name", "group", "order"]);
  });

  it("signals are the achievements and capabilities in the standards' order (decisions, Order)", () => {
    expect(signalsOf(theStandards())).toEqual([
      {
        id: "https",
        label: "HTTPS",
        description: "The site answers over HTTPS.",
        kind: "achievement",
      },
      { id: "sitemap", label: "Sitemap", description: "Lists pages.", kind: "achievement" },
      {
        id: "mcp",
        label: "MCP",
        description: "The site answers over HTTPS.",
        kind: "capability",
      },
    ]);
  });

  it("the scan's observations are served whole, as given", () => {
    const observed = {
      profile: { login: { found: true }, 2: "b", 1: "a" },
      observations: [
        {
          key: "home",
          url: "https://example.com/",
          finalUrl: null,
          status: 200,
          contentType: "text/html",
          durationMs: 1.5,
          rung: "plain",
          redirects: 0,
          byteLength: 10,
        },
      ],
      pages: { version: 1, completeness: "empty", stopped: "timeout", pages: [] },
      accessPolicy: {
        version: 1,
        url: "https://example.com/robots.txt",
        summary: "Open.",
        notes: ["One rule."],
        identities: [{ token: "GPTBot", operator: "OpenAI", purpose: "training" }],
        rows: [{ id: "training", title: "Training", summary: "Allowed.", findings: [] }],
      },
      prerender: {
        version: 1,
        platform: "lovable",
        markdownOnRequest: true,
        title: "Rendered for some",
        paragraphs: ["Only for verified crawlers."],
        sources: [{ label: "Docs", url: "https://example.com/docs" }],
      },
    } as const;
    const scan = Scan.parse({ ...aScan(), ...observed });
    expect(report(aListing(), scan)).toMatchObject(observed);
  });

  it("texts and the order of checks and observations are served as given", () => {
    const checks = [aCheck({ checkId: "zz", title: " Ünï\u0000 " }), aCheck({ checkId: "aa" })];
    expect(report(aListing(), aScan({ checks })).checks).toEqual(checks);
  });
});
