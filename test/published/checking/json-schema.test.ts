import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { publishedSchema } from "../../../src/published/checking/json-schema.js";
import {
  PUBLISHED_RECORDS,
  type PublishedRecord,
} from "../../../src/published/locating/regular-file.js";
import { aCheck, aListing, aScan, theDirectory, theStandards } from "../../fixtures.js";
import { REAL } from "../../real.js";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validators = new Map<PublishedRecord, ValidateFunction>(
  PUBLISHED_RECORDS.map((record) => [record, ajv.compile(publishedSchema(record))]),
);

/** What is wrong with a record by its schema; empty where it is good. */
function errorsOf(record: PublishedRecord, value: unknown): string[] {
  const validate = validators.get(record)!;
  return validate(value) ? [] : (validate.errors ?? []).map((error) => ajv.errorsText([error]));
}

/** Every record of a published directory, with its kind. */
async function recordsOf(folder: string): Promise<[PublishedRecord, unknown][]> {
  const records: [PublishedRecord, unknown][] = [];
  for (const kind of ["directory", "standards", "taxonomy"] as const) {
    records.push([kind, JSON.parse(await readFile(join(folder, `${kind}.json`), "utf8"))]);
  }
  for (const kind of ["listing", "scan"] as const) {
    const files = await readdir(join(folder, `${kind}s`), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => /\.(nd)?json$/.test(entry.name))) {
      const text = (await readFile(join(file.parentPath, file.name), "utf8")).replace(
        /^\uFEFF/,
        "",
      );
      const texts = file.name.endsWith(".json") ? [text] : text.split(/\r?\n/);
      for (const one of texts) if (one.trim() !== "") records.push([kind, JSON.parse(one)]);
    }
  }
  return records;
}

function expectGood(records: readonly [PublishedRecord, unknown][]): void {
  for (const [kind, value] of records) {
    expect(errorsOf(kind, value), JSON.stringify(value).slice(0, 300)).toEqual([]);
  }
}

const LISTING = { host: "example.com", url: "https://example.com/", status: "claimed" };
const SCAN = {
  host: "example.com",
  id: "1",
  status: "complete",
  finishedAt: "2026-01-01T00:00:00Z",
};
const DIRECTORY = { format: 1, name: "A", baseUrl: "https://a.example/v1" };

describe("good records pass", () => {
  it("all of a real published directory", async () => {
    const records = await recordsOf(REAL.folder);
    expect(records.length).toBeGreaterThan(100);
    expectGood(records);
  });

  it("with defaults left out, and with $schema at the top (published format, general rules)", () => {
    const least: [PublishedRecord, object][] = [
      ["directory", DIRECTORY],
      ["standards", theStandards()],
      ["taxonomy", {}],
      ["listing", LISTING],
      ["scan", SCAN],
    ];
    expectGood(least);
    expectGood(least.map(([kind, value]) => [kind, { $schema: `${kind}.schema.json`, ...value }]));
    expectGood([
      ["listing", aListing()],
      ["scan", aScan()],
      ["directory", theDirectory()],
      ["listing", { ...LISTING, url: "HTTPS://exämple.com/ä", entitlements: { fixPrompts: null } }],
      ["directory", { ...DIRECTORY, contact: "mailto:a@b.example" }],
      ["directory", { ...DIRECTORY, claimUrl: "https://a.example/claim/{host}?of={host}" }],
    ]);
  });
});

describe("bad records are refused", () => {
  it.each<[PublishedRecord, object]>([
    ["listing", { ...LISTING, catgory: null }],
    ["listing", { ...LISTING, host: "localhost" }],
    ["listing", { ...LISTING, url: "ftp://example.com/" }],
    ["listing", { ...LISTING, status: undefined }],
    ["listing", { ...LISTING, visibility: "hidden" }],
    ["listing", { ...LISTING, tags: ["Bad Slug"] }],
    ["listing", { ...LISTING, entitlements: { fixPrompts: -1 } }],
    ["listing", { ...LISTING, entitlements: { $schema: "x" } }],
    ["scan", { ...SCAN, id: "a/b" }],
    ["scan", { ...SCAN, finishedAt: "2026-01-01" }],
    ["scan", { ...SCAN, finishedAt: "2026-02-30T00:00:00Z" }],
    ["scan", { ...SCAN, score: 101 }],
    ["scan", { ...SCAN, profile: [] }],
    ["scan", { ...SCAN, checks: [{ ...aCheck(), status: "ok" }] }],
    ["directory", { ...DIRECTORY, format: 2 }],
    ["directory", { ...DIRECTORY, baseUrl: "https://a.example/" }],
    ["directory", { ...DIRECTORY, contact: "somebody" }],
    ["directory", { ...DIRECTORY, claimUrl: "http://a.example/claim/{host}" }],
    ["directory", { ...DIRECTORY, rescanUrl: "https://{host}/rescan" }],
    ["directory", { ...DIRECTORY, correctionUrl: "https://a.example/{site}" }],
    ["standards", { ...theStandards(), checks: undefined }],
    ["taxonomy", { tags: [{ slug: "a", name: "A", group: "g", order: 1.5 }] }],
  ])("%s %j", (record, value) => {
    const written: unknown = JSON.parse(JSON.stringify(value));
    expect(errorsOf(record, written)).not.toEqual([]);
  });
});
