import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import type { Check, Fix } from "../src/contract/report.js";
import type { CheckDescription, Standards } from "../src/contract/standards.js";
import { DirectoryRecord, Listing, Scan, Taxonomy } from "../src/input/checking/schemas.js";
import type { ScanOfListing } from "../src/input/input-reader.js";

/** A record as a publisher may write it: defaults left out. */
export type Given<S extends z.ZodType> = z.input<S>;

/** The tiny good directory that tests change one thing of. */
export interface PublishedFiles {
  directory: Given<typeof DirectoryRecord>;
  standards: Standards;
  taxonomy: Given<typeof Taxonomy>;
  listings: Given<typeof Listing>[];
  scans: Given<typeof Scan>[];
}

export function aCheckDescription(changes: Partial<CheckDescription> = {}): CheckDescription {
  return {
    id: "https",
    name: "HTTPS",
    title: "Served over HTTPS",
    version: 1,
    reviewedVersion: 1,
    reviewedOn: "2026-08-20",
    specificationStatus: "stable",
    overview: "The site answers over HTTPS.",
    whyItMatters: "Readers refuse anything else.",
    whatWeCheck: "The homepage.",
    results: "pass or fail",
    limitations: "One request.",
    sources: [{ label: "RFC 9110", url: "https://www.rfc-editor.org/rfc/rfc9110" }],
    sourceNote: null,
    related: [],
    kind: "achievement",
    checkClass: "universal",
    lifecycle: "active",
    block: 1,
    weight: 60,
    maxPoints: 60,
    ...changes,
  };
}

export function theStandards(): Standards {
  return {
    rubric: {
      version: "2026.1",
      block1Points: 60,
      block2Points: 40,
      bands: [
        { band: "closed", label: "Closed", min: 0, max: 49 },
        { band: "open", label: "Open", min: 50, max: 100 },
      ],
    },
    badgeExamples: [{ band: "open", label: "Open", min: 50, max: 100, score: 90, capabilities: 1 }],
    checks: [
      aCheckDescription(),
      aCheckDescription({ id: "sitemap", name: "Sitemap", overview: "Lists pages.", block: 2 }),
      aCheckDescription({ id: "bot-wall", name: "Bot wall", kind: "penalty", block: null }),
      aCheckDescription({ id: "mcp", name: "MCP", kind: "capability", block: null, weight: 0 }),
    ],
    aiCrawlers: [{ name: "GPTBot", operator: "OpenAI", purpose: "training" }],
    crawlerCatalogue: [],
  };
}

export function aCheck(changes: Partial<Check> = {}): Check {
  return {
    checkId: "https",
    checkVersion: 1,
    title: "Served over HTTPS",
    label: "HTTPS",
    kind: "achievement",
    block: 1,
    status: "pass",
    points: 60,
    maxPoints: 60,
    lifecycle: "active",
    summary: null,
    details: {},
    ...changes,
  };
}

export function aFix(changes: Partial<Fix> = {}): Fix {
  return {
    checkId: "sitemap",
    title: "Add a sitemap",
    kind: "achievement",
    status: "fail",
    summary: null,
    recoverablePoints: 40,
    scoreAfter: 100,
    prompt: "Add a sitemap.",
    promptStatus: "archived",
    ...changes,
  };
}

/** A listing as the reader gives it. */
export function aListing(changes: Partial<Given<typeof Listing>> = {}): Listing {
  return Listing.parse({
    host: "example.com",
    url: `https://${changes.host ?? "example.com"}/`,
    name: "Example",
    status: "unclaimed",
    ...changes,
  });
}

/** A scored scan of the current rubric as the reader gives it. */
export function aScan(changes: Partial<Given<typeof Scan>> = {}): Scan {
  return Scan.parse({
    host: "example.com",
    id: "scan_1",
    status: "complete",
    finishedAt: "2026-08-01T00:00:00Z",
    score: 60,
    scoreVersion: "2026.1",
    block1: 60,
    block2: 0,
    penalties: 0,
    checks: [aCheck()],
    ...changes,
  });
}

export function theDirectory(): DirectoryRecord {
  return DirectoryRecord.parse({
    format: 1,
    name: "A directory",
    baseUrl: "https://api.directory.example",
    siteUrl: "https://directory.example",
  });
}

export function theTaxonomy(): Taxonomy {
  const entry = (slug: string, order: number, active = true) => ({
    slug,
    name: slug.toUpperCase(),
    group: "topic",
    order,
    active,
  });
  return Taxonomy.parse({
    categories: [entry("weather", 2), entry("news", 1), entry("retired", 0, false)],
    tags: [entry("zeta", 1), entry("alpha", 1), entry("first", 0), entry("old", 0, false)],
    platforms: [
      { slug: "wordpress", name: "WordPress" },
      { slug: "astro", name: "Astro" },
    ],
  });
}

/** One listed and scanned website, and all that it needs. */
export function aPublishedDirectory(changes: Partial<PublishedFiles> = {}): PublishedFiles {
  return {
    directory: theDirectory(),
    standards: theStandards(),
    taxonomy: theTaxonomy(),
    listings: [aListing()],
    scans: [aScan()],
    ...changes,
  };
}

/** Scans as the reader gives them with their listing. */
export function published(...scans: Scan[]): ScanOfListing[] {
  return scans.map((scan) => {
    const { id, finishedAt, score, band, scoreVersion } = scan;
    return { id, finishedAt, score, band, scoreVersion, read: () => scan };
  });
}

/** A new folder that is gone after the test, or after what `finished` says. */
export async function temporaryFolder(
  finished: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crawldex-test-"));
  finished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, by their paths below the folder; what is not a text is written as JSON. */
export async function writeFiles(folder: string, files: Record<string, unknown>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const bytes = Buffer.isBuffer(content) || typeof content === "string";
    await writeFile(join(folder, path), bytes ? content : JSON.stringify(content));
  }
  return folder;
}

/** Writes a published directory into a folder and returns the folder. */
export function writePublished(folder: string, files: PublishedFiles): Promise<string> {
  return writeFiles(folder, {
    "directory.json": files.directory,
    "standards.json": files.standards,
    "taxonomy.json": files.taxonomy,
    "listings/all.ndjson": files.listings.map((record) => JSON.stringify(record)).join("\n"),
    "scans/all.ndjson": files.scans.map((record) => JSON.stringify(record)).join("\n"),
  });
}
