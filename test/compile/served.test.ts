import { expect, it } from "vitest";
import { directoryContext } from "../../src/compile/directory.js";
import { compileListing } from "../../src/compile/listing.js";
import { enrichmentOf } from "../../src/compile/report.js";
import {
  aFix,
  aListing,
  aScan,
  published,
  theDirectory,
  theStandards,
  theTaxonomy,
} from "../fixtures.js";

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
