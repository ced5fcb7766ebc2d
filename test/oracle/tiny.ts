import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadRecords, type Records } from "./records.js";

type Given = Record<string, unknown>;

/** What a tiny directory holds beyond its fixed standards and taxonomy. */
interface Tiny {
  listings?: Given[];
  scans?: Given[];
  directory?: Given;
}

export const directory = {
  format: 1,
  name: "Tiny",
  baseUrl: "https://api.tiny.example",
  siteUrl: "https://tiny.example",
};

const described = {
  title: "T",
  version: 1,
  reviewedVersion: 1,
  reviewedOn: "2026-01-01",
  specificationStatus: "stable",
  whyItMatters: "w",
  whatWeCheck: "c",
  results: "r",
  limitations: "l",
  sourceNote: null,
  sources: [],
  related: [],
  block: null,
  lifecycle: "active",
  checkClass: "universal",
  weight: 1,
  maxPoints: 1,
};

/** Keys in an order that is not the contract's. */
const standards = {
  badgeExamples: [],
  aiCrawlers: [],
  checks: [
    { ...described, kind: "capability", id: "feed", name: "Feed", overview: "Has a feed." },
    { ...described, kind: "penalty", id: "slow", name: "Slow", overview: "Is slow." },
    { ...described, kind: "achievement", id: "https", name: "HTTPS", overview: "Is safe." },
  ],
  crawlerCatalogue: [],
  rubric: {
    bands: [
      { band: "low", label: "Low", min: 0, max: 49 },
      { band: "high", label: "High", min: 50, max: 100 },
    ],
    version: "v2",
    block1Points: 60,
    block2Points: 40,
  },
};

const taxonomy = {
  categories: [
    { slug: "zoo", name: "Zoo", group: "topic", order: 1 },
    { slug: "old", name: "Old", group: "topic", order: 0, active: false },
    { slug: "art", name: "Art", group: "topic", order: 1 },
    { slug: "bare", name: "Bare", group: "topic", order: 0, active: true },
  ],
  tags: [
    { slug: "tb", name: "Tag B", group: "g", order: 1 },
    { slug: "off", name: "Off", group: "g", order: 0, active: false },
    { slug: "ta", name: "Tag A", group: "g", order: 1 },
    { slug: "tz", name: "Tag Z", group: "g", order: 0 },
  ],
  platforms: [
    { slug: "wide", name: "Wide" },
    { slug: "none", name: "None" },
    { slug: "also-none", name: "Also none" },
    { slug: "thin", name: "Thin" },
  ],
};

/** A listing with only its required keys, and these. */
export function listing(host: string, more: Given = {}): Given {
  return { host, url: `https://${host}/`, status: "unclaimed", ...more };
}

/** A complete scan with only its required keys, a score under the current rubric, and these. */
export function scan(host: string, id: string, more: Given = {}): Given {
  const graded = { score: 60, scoreVersion: "v2" };
  return { host, id, status: "complete", finishedAt: "2026-01-01T00:00:00Z", ...graded, ...more };
}

/** A check of a scan, with its nullable keys left out. */
export function check(checkId: string, kind: string, status: string): Given {
  const rest = { checkVersion: 1, title: "T", label: "L", points: 0, maxPoints: 1, details: {} };
  return { checkId, kind, status, ...rest };
}

/** A fix of a scan. */
function fix(checkId: string, scoreAfter: number): Given {
  const rest = { title: "T", kind: "k", status: "fail", recoverablePoints: 5, prompt: "Do it" };
  return { checkId, scoreAfter, promptStatus: "archived", ...rest };
}

/** The entitlements of a plan that has all. */
export const everything = {
  history: true,
  fixPrompts: null,
  starterFiles: true,
  highlight: true,
};

/** A scan with something under every key, each in an order that is not the contract's. */
export const rich = {
  band: "high",
  block1: 50,
  block2: 10.5,
  penalties: 0,
  cappedAt: 60,
  robotsVerdict: "open",
  summary: "Fine.",
  stats: { durationMs: 1.5, pagesScanned: 2 },
  profile: { zeta: 1, alpha: { b: [], a: null } },
  checks: [{ block: 1, ...check("https", "achievement", "pass"), details: { z: 1, a: 2 } }],
  observations: [
    {
      byteLength: 9,
      redirects: 0,
      rung: "plain",
      durationMs: 3,
      url: "https://a.com/",
      key: "home",
    },
  ],
  pages: {
    pages: [{ outcome: "read", kind: "k", url: "https://a.com/x" }],
    completeness: "full",
    version: 1,
  },
  fixes: [fix("https", 70), fix("feed", 65), fix("slow", 61)],
  accessPolicy: {
    rows: [
      {
        findings: [
          { scope: "s", url: "https://a.com/", source: "r", explanation: "e", state: "mixed" },
        ],
        summary: "s",
        title: "t",
        id: "i",
      },
    ],
    identities: [{ purpose: "p", operator: "o", token: "t" }],
    summary: "s",
    url: "https://a.com/",
    version: 1,
  },
  prerender: { title: "t", markdownOnRequest: false, platform: "lovable", version: 1 },
  starterFiles: { z: "1", a: "2" },
  enrichment: {
    revision: "r7",
    starterFiles: { nextRetryAt: "2026-01-02T00:00:00Z", state: "delayed" },
    copy: { state: "ready" },
  },
};

/** Writes the files into a new folder, runs the function on it and takes the folder away. */
export function inFolder<T>(files: Record<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "oracle-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files of a tiny directory: one `.ndjson` each of listings and scans. */
export function filesOf(tiny: Tiny): Record<string, string> {
  const lines = (records: Given[] = []) =>
    records.map((record) => JSON.stringify(record)).join("\n");
  return {
    "directory.json": JSON.stringify(tiny.directory ?? directory),
    "standards.json": JSON.stringify(standards),
    "taxonomy.json": JSON.stringify(taxonomy),
    "listings/all.ndjson": lines(tiny.listings),
    "scans/all.ndjson": lines(tiny.scans),
  };
}

const published = new Map<Records, Record<string, string>>();

/** The files that the records of a tiny directory were read from. */
export function publishedFiles(records: Records): Record<string, string> {
  return published.get(records) ?? {};
}

/** The records of a tiny directory, through files as the oracle reads them. */
export function recordsOf(tiny: Tiny): Records {
  const files = filesOf(tiny);
  const records = inFolder(files, loadRecords);
  published.set(records, files);
  return records;
}

/** Records of these listings, each with one scan of its own; a scan of null: never scanned. */
export function scannedOnce(given: Record<string, { scan?: Given | null } & Given>): Records {
  const entries = Object.entries(given);
  return recordsOf({
    listings: entries.map(([host, { scan: _, ...more }]) => listing(host, more)),
    scans: entries.flatMap(([host, { scan: more }]) =>
      more === null ? [] : [scan(host, "s1", more)],
    ),
  });
}
