import { execFileSync } from "node:child_process";
import { appendFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProblemCode } from "../../../src/input/checking/codes.js";
import { RECORD_MAX } from "../../../src/input/checking/record.js";
import { openInput } from "../../../src/input/input.js";
import { InputReader } from "../../../src/input/input-reader.js";
import { build, validate } from "../../../src/publish/build.js";
import { aCheck } from "../../fixtures.js";
import {
  bytes,
  type Change,
  openForReading,
  outcomeOf,
  PLACES,
  readPublished,
  temporaryFolder,
  tinyDirectory,
  writeFiles,
} from "../tiny.js";

const { directory, standards, taxonomy, listings, listing, scans } = PLACES;

/** A change of the tiny directory, or what else gives the codes. */
type Cause = Change | (() => Promise<readonly ProblemCode[]>);

const many = (check: object) => Array.from({ length: 1_001 }, () => check);
const badScan = (changes: object) => {
  const good = { host: "alpha.example", id: "x", finishedAt: "2026-01-01T00:00:00Z" };
  return { "scans/bad.json": JSON.stringify({ ...good, status: "complete", ...changes }) };
};

const ALL = '{"band": "all", "label": "All", "min": 0, "max": 100}';

/** An input for each code that the core gives. The type asks for one more with each new code. */
const CAUSES: Readonly<Record<Exclude<ProblemCode, "table-wrong">, Cause>> = {
  "accept-wrong": [directory, '"name": "Tiny"', '"name": "Tiny", "accept": ["x"]'],
  "band-wrong": [scans, '"band":"high"', '"band":"low"'],
  "bands-incomplete": [standards, '"min": 50', '"min": 51'],
  "encoding-wrong": { [listing]: bytes('{"host":"\u00e9"}') },
  "errors-hidden": badScan({ checks: many({}) }),
  "field-missing": [listings, ',"status":"unclaimed"', ""],
  "field-unknown": [listings, '"tags"', '"tag"'],
  "file-changed": async () => {
    const folder = writeFiles(tinyDirectory());
    const { input, readShard } = await openForReading(folder);
    writeFiles({ [listings]: "{}\n{}\n" }, folder);
    readShard();
    return input.findings.problems.sorted.map(({ code }) => code);
  },
  "file-form": { [listing]: "[]" },
  "file-unreadable": async () => {
    const folder = writeFiles(tinyDirectory());
    execFileSync("mkfifo", [join(folder, "scans/pipe.json")]);
    return (await readPublished(folder)).codes;
  },
  "former-slug-taken": [
    taxonomy,
    '"slug": "animals"',
    '"slug": "animals", "formerly": ["weather"]',
  ],
  "host-not-canonical": [listings, '"beta.example"', '"www.beta.example"'],
  "host-repeated": [listings, '"beta.example"', '"alpha.example"'],
  "id-repeated": [scans, '"id":"a1"', '"id":"a2"'],
  "json-deep": [scans, '{"open":true}', `${"[".repeat(200)}${"]".repeat(200)}`],
  "json-wrong": { [listing]: "{" },
  "key-conflicting": [listing, '"visibility"', '"visibility": "listed", "visibility"'],
  "key-forbidden": [scans, '{"open":true}', '{"__proto__":1}'],
  "moved-wrong": badScan({ status: "moved" }),
  "number-inexact": [scans, '"score":60', '"score":60.0000000000000001'],
  "part-missing": { [taxonomy]: null },
  "pinned-scan-unknown": [listings, '"publishedScan":"a2"', '"publishedScan":"a3"'],
  "record-too-large": { [listing]: Buffer.alloc(RECORD_MAX + 1, " ") },
  "related-unknown": [standards, '"related": ["robots"]', '"related": ["x"]'],
  "slug-unknown": [listings, '"animals"', '"Animals"'],
  "text-ill-formed": [listings, '"status":"unclaimed"', '"status":"\\ud800"'],
  "value-wrong": [listings, '"status":"unclaimed"', '"status":7'],
  "band-unlike-rubric": [
    standards,
    '"badgeExamples": [],',
    `"badgeExamples": [], "formerRubrics": [{"version": "v1", "bands": [${ALL}]}],`,
  ],
  "base-url-doubled": [directory, "https://api.tiny.example", "https://tiny.example/api"],
  "check-unknown": badScan({ checks: [aCheck({ checkId: "x" })] }),
  "file-unread": { "more.txt": "" },
  "html-in-text": [directory, '"Tiny"', '"<b>Tiny</b>"'],
  "key-repeated": [listings, '"status":"unclaimed"', '"status":"x","status":"unclaimed"'],
  "link-unfollowed": async () => {
    const folder = writeFiles(tinyDirectory());
    symlinkSync("nowhere", join(folder, "scans/x.json"));
    return (await readPublished(folder)).codes;
  },
  "points-above-maximum": badScan({ checks: [aCheck({ points: 61 })] }),
  "scan-in-future": async () => {
    const { located } = await openInput(writeFiles(tinyDirectory()), { now: 0 });
    const reader = new InputReader(located);
    expect([...reader.readShard(0, 0)]).toHaveLength(3);
    reader.close();
    return reader.findings.listed.warnings.map(({ code }) => code);
  },
  "scan-without-listing": badScan({ host: "orphan.example" }),
  "scans-lost": async () => {
    const folder = writeFiles(tinyDirectory());
    const store = temporaryFolder();
    await build(folder, { store, jobs: 1 });
    writeFiles({ [PLACES.scan]: tinyDirectory()[PLACES.scan]!, [scans]: "" }, folder);
    const pinned = tinyDirectory()[listings] as string;
    writeFiles({ [listings]: pinned.replace(',"publishedScan":"a2"', "") }, folder);
    return (await build(folder, { store, jobs: 1 })).warnings.map(({ code }) => code);
  },
  "score-without-band": async () => {
    const folder = writeFiles(tinyDirectory());
    const other = '"score":60,"scoreVersion":"v0","finishedAt":"2027-01-01T00:00:00Z"';
    const scan = `{"host":"beta.example","id":"b2","status":"complete",${other}}\n`;
    appendFileSync(join(folder, scans), scan);
    return (await validate(folder, { jobs: 1 })).warnings.map(({ code }) => code);
  },
  "status-unusual": [listings, '"unclaimed"', '"active"'],
  "template-left": [directory, '"Tiny"', '"My directory"'],
  "text-misread": [directory, '"Tiny"', '"CafÃ©"'],
  "url-elsewhere": [listings, "https://beta.example/", "https://gamma.example/"],
  "warnings-hidden": badScan({ checks: many(aCheck({ points: 61 })).map(withOwnId) }),
};

function withOwnId(check: object, at: number): object {
  return { ...check, checkId: `x${at}` };
}

describe("each code", () => {
  it.each(Object.entries(CAUSES))("%s is given for its mistake", async (code, cause) => {
    const codes = typeof cause === "function" ? await cause() : (await outcomeOf(cause)).codes;
    expect(codes).toContain(code);
  });
});
