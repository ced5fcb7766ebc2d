import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isWarningCode, type ProblemCode } from "../../src/input/checking/codes.js";
import { formatProblem } from "../../src/input/checking/problem.js";
import type { Listing, Scan } from "../../src/input/checking/schemas.js";
import { openInput } from "../../src/input/input.js";
import { InputReader } from "../../src/input/input-reader.js";

/** A published directory: contents by path inside the folder. */
export type Files = Record<string, string | Uint8Array>;

const DIRECTORY = `{
  "format": 1,
  "name": "Tiny",
  "baseUrl": "https://api.tiny.example"
}
`;

const STANDARDS = `{
  "rubric": {
    "version": "v2",
    "block1Points": 60,
    "block2Points": 40,
    "bands": [
      { "band": "low", "label": "Low", "min": 0, "max": 49 },
      { "band": "high", "label": "High", "min": 50, "max": 100 }
    ]
  },
  "badgeExamples": [],
  "checks": [
    { "id": "https", "name": "", "title": "", "version": 1, "reviewedVersion": 1, "reviewedOn": "",
      "specificationStatus": "", "overview": "", "whyItMatters": "", "whatWeCheck": "", "results": "",
      "limitations": "", "sources": [], "sourceNote": null, "related": ["robots"],
      "kind": "achievement", "checkClass": "universal", "lifecycle": "active", "block": 1,
      "weight": 1, "maxPoints": 60 },
    { "id": "robots", "name": "", "title": "", "version": 1, "reviewedVersion": 1, "reviewedOn": "",
      "specificationStatus": "", "overview": "", "whyItMatters": "", "whatWeCheck": "", "results": "",
      "limitations": "", "sources": [], "sourceNote": null, "related": [],
      "kind": "capability", "checkClass": "capability", "lifecycle": "active", "block": null,
      "weight": 0, "maxPoints": 0 }
  ],
  "aiCrawlers": [],
  "crawlerCatalogue": [
    { "id": "gptbot", "name": "", "operator": "", "group": "", "kind": "", "httpIdentity": "",
      "status": "", "verification": "", "reviewed": "", "summary": "", "robotsToken": null,
      "aliases": [], "purposes": [], "sources": [], "notes": null,
      "scanner": { "recognized": true, "visibilityPenalty": false, "trainingOptOut": false } }
  ]
}
`;

const TAXONOMY = `{
  "categories": [
    { "slug": "animals", "name": "Animals", "group": "topic", "order": 1 },
    { "slug": "weather", "name": "Weather", "group": "topic", "order": 2, "active": false }
  ],
  "tags": [{ "slug": "free", "name": "Free", "group": "cost", "order": 1 }],
  "platforms": [{ "slug": "web", "name": "Web" }]
}
`;

const ALPHA = `{"host":"alpha.example","url":"https://alpha.example/","status":"claimed","category":"animals","tags":["free"],"platforms":["web"],"publishedScan":"a2"}
`;
const BETA = `{"host":"beta.example","url":"https://beta.example/","status":"unclaimed"}
`;

const GAMMA = `{
  "$schema": "listing.schema.json",
  "host": "gamma.example",
  "url": "https://gamma.example/",
  "status": "unclaimed",
  "visibility": "blocked"
}
`;

const A1 = `{"host":"alpha.example","id":"a1","status":"complete","finishedAt":"2025-01-01T00:00:00Z","score":40,"band":"poor","scoreVersion":"v1"}
`;
const A2 = `{"host":"alpha.example","id":"a2","status":"complete","finishedAt":"2026-01-01T00:00:00Z","score":60,"band":"high","scoreVersion":"v2","profile":{"api":{"open":true}},"checks":[{"checkId":"https","checkVersion":1,"title":"","label":"","kind":"achievement","block":1,"status":"pass","points":60,"maxPoints":60,"lifecycle":"active","summary":null,"details":{}}]}
`;
const B1 = `{
  "host": "beta.example",
  "id": "b1",
  "status": "moved",
  "finishedAt": "2026-01-01T00:00:00+02:00",
  "redirect": { "host": "other.example", "status": 301 }
}
`;

/** A tiny directory without a fault: three listings, three scans, in lines and in files of their own. */
export function tinyDirectory(): Files {
  return {
    "directory.json": DIRECTORY,
    "standards.json": STANDARDS,
    "taxonomy.json": TAXONOMY,
    "listings/ab.ndjson": ALPHA + BETA,
    "listings/single/gamma.json": GAMMA,
    "scans/2026/a.ndjson": A1 + A2,
    "scans/2026/b/b1.json": B1,
  };
}

/** A listing with the required keys only, as a line. */
export function minimalListing(host: string): string {
  return JSON.stringify({ host, url: `https://${host}/`, status: "unclaimed" });
}

/** Replaces a piece of a file that must occur just once. */
export function edit(files: Files, path: string, from: string, to: string): void {
  const text = files[path];
  if (typeof text !== "string" || text.split(from).length !== 2) {
    throw new Error(`${path} does not have ${from} just once`);
  }
  // A function, as `$` in a text to put in has a meaning.
  files[path] = text.replace(from, () => to);
}

/** A new folder that goes when the test is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "crawldex-published-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a directory into a new folder and returns the folder. */
export function writeFiles(files: Files, folder = temporaryFolder()): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export interface Outcome {
  /** As lines: what a user sees. */
  readonly problems: string[];
  readonly warnings: string[];
  /** The codes of both. */
  readonly codes: ProblemCode[];
  readonly listings: { readonly listing: Listing; readonly scans: Scan[] }[];
}

/** Opens a published folder for both passes. The findings of both are in `input`. */
export async function openForReading(folder: string) {
  const input = await openInput(folder);
  const reader = new InputReader(input.located);
  onTestFinished(() => reader.close());
  const readShard = (shard = 0, bits = 0) => {
    const listings = [...reader.readShard(shard, bits)];
    input.findings.receive(reader.findings.take());
    return listings;
  };
  return { input, reader, readShard };
}

/** Reads a whole published folder, shard by shard; listings by host. */
export async function readPublished(folder: string, bits = 1): Promise<Outcome> {
  const { input, readShard } = await openForReading(folder);
  const read = Array.from({ length: 2 ** bits }, (_, shard) => readShard(shard, bits)).flat();
  const listings = read.map(({ listing, scans }) => ({
    listing,
    scans: scans.map((scan) => scan.read()),
  }));
  const { problems, warnings } = input.findings;
  expect(problems.sorted.filter(({ code }) => isWarningCode(code))).toEqual([]);
  expect(warnings.sorted.filter(({ code }) => !isWarningCode(code))).toEqual([]);
  return {
    codes: [...problems.sorted, ...warnings.sorted].map(({ code }) => code),
    problems: problems.sorted.map(formatProblem),
    warnings: warnings.sorted.map(formatProblem),
    listings: listings.sort((a, b) => (a.listing.host < b.listing.host ? -1 : 1)),
  };
}

/** Replaces a piece of a file. */
type Edit = readonly [path: string, from: string, to: string];
/** Files that are added, replaced, or (null) left out. */
type FileChanges = Readonly<Record<string, string | Uint8Array | null>>;
export type Change = Edit | readonly Edit[] | FileChanges;

/** A rule that the tiny directory breaks after a small change, and every line that is shown of it. */
export type BadRow = readonly [
  rule: string,
  change: Change,
  problems: string | readonly string[],
  warnings?: readonly string[],
];

/** Where the tiny directory has what. */
export const PLACES = {
  directory: "directory.json",
  standards: "standards.json",
  taxonomy: "taxonomy.json",
  /** alpha.example and beta.example, a line each. */
  listings: "listings/ab.ndjson",
  /** gamma.example. */
  listing: "listings/single/gamma.json",
  /** a1 and a2 of alpha.example, a line each. */
  scans: "scans/2026/a.ndjson",
  /** b1 of beta.example. */
  scan: "scans/2026/b/b1.json",
} as const;

export function bytes(latin1: string): Buffer {
  return Buffer.from(latin1, "latin1");
}

const isEdits = (change: Change): change is Edit | readonly Edit[] => Array.isArray(change);
const isOneEdit = (change: Edit | readonly Edit[]): change is Edit => typeof change[0] === "string";

/** Reads the tiny directory after a change. */
export async function outcomeOf(change: Change): Promise<Outcome> {
  const files = tinyDirectory();
  if (!isEdits(change)) {
    for (const [path, content] of Object.entries(change)) {
      if (content === null) delete files[path];
      else files[path] = content;
    }
  } else for (const one of isOneEdit(change) ? [change] : change) edit(files, ...one);
  return readPublished(writeFiles(files));
}

/** Each directory is refused with just these problems and warnings. */
export function itRefuses(rows: readonly BadRow[]): void {
  for (const [rule, change, expected, expectedWarnings = []] of rows) {
    it(rule, async () => {
      const { problems, warnings } = await outcomeOf(change);
      expect(problems).toEqual([expected].flat());
      expect(warnings).toEqual(expectedWarnings);
    });
  }
}

const GOOD = {
  listings: (n: number) => ({ host: `b${n}.example`, url: `https://b${n}.example/` }),
  scans: (n: number) => ({
    host: "alpha.example",
    id: `s${n}`,
    finishedAt: "2026-01-01T00:00:00Z",
  }),
};

/** A record with changes, and what is said of it, each as `path  message`. */
export type SaidRow = readonly [changes: Readonly<Record<string, unknown>>, ...said: string[]];

/** Reads good records with these changes, one a line. @returns the rows with what is said instead, and of which kind */
export async function saidOf(kind: keyof typeof GOOD, rows: readonly SaidRow[]) {
  const lines = rows.map(([changes], n) => ({ ...GOOD[kind](n), status: "claimed", ...changes }));
  const file = `${kind}/rows.ndjson`;
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const { problems, warnings } = await outcomeOf({ [file]: text });
  const all = { problems: rows.map(([one]) => [one]), warnings: rows.map(([one]) => [one]) };
  for (const [what, said] of Object.entries({ problems, warnings })) {
    for (const line of said) {
      const [place = "", ...rest] = line.split("  ");
      const [name, number] = place.split(":");
      const row: unknown[] = all[what as keyof typeof all][Number(number) - 1]!;
      row.push(name === file ? rest.join("  ") : line);
    }
  }
  return all;
}
