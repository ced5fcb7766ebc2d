import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { formatProblem } from "../../src/input/checking/problem.js";
import { LostRecordError } from "../../src/input/input-reader.js";
import { repeated, slowIt } from "../slow.js";
import { openForReading, readPublished, tinyDirectory, writeFiles } from "./tiny.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MIB = 1024 * 1024;
const LIMIT = 16 * MIB;

/** A file of a size that is nearly all hole: reads as NUL bytes, takes no room on disk. */
function sparseFile(path: string, size: number, begin = "", end = ""): void {
  const file = openSync(path, "w");
  writeSync(file, begin);
  ftruncateSync(file, size);
  writeSync(file, end, size);
  closeSync(file);
}

/** A listing of exactly so many bytes. */
function listingOfBytes(host: string, length: number): string {
  const record = (hosting: string) =>
    JSON.stringify({ host, url: `https://${host}/`, status: "claimed", hosting });
  return record("d".repeat(length - record("").length));
}

/** What a new process says of a folder: problems, listings, seconds, and the most memory it ever had. */
function inNewProcess(folder: string, bits: number, heapMegabytes: number) {
  // Not `maxRSS`, which counts what the parent held when this process was forked.
  const script = `
    import { readFileSync } from "node:fs";
    import { openInput } from "./dist/src/input/input.js";
    import { formatProblem } from "./dist/src/input/checking/problem.js";
    import { InputReader } from "./dist/src/input/input-reader.js";
    const { located, findings } = await openInput(process.argv[1]);
    const reader = new InputReader(located);
    let listings = 0;
    let scans = 0;
    for (let shard = 0; shard < 2 ** ${bits}; shard += 1) {
      for (const listing of reader.readShard(shard, ${bits})) {
        listings += 1;
        for (const scan of listing.scans) if (scan.read().id === scan.id) scans += 1;
      }
    }
    findings.receive(reader.findings.take());
    const problems = findings.problems.sorted.map(formatProblem);
    const status = ${JSON.stringify(process.platform)} === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
    const [, kilobytes = process.memoryUsage.rss() / 1024] = /VmHWM:\\s+(\\d+)/.exec(status) ?? [];
    const megabytes = Number(kilobytes) / 1024;
    console.log(JSON.stringify({ problems, listings, scans, megabytes }));
  `;
  const options = [`--max-old-space-size=${heapMegabytes}`, "--input-type=module", "-e", script];
  const output = execFileSync(process.execPath, [...options, folder], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return JSON.parse(output) as {
    problems: string[];
    listings: number;
    scans: number;
    megabytes: number;
  };
}

describe("a record over 16 MiB", () => {
  it("is refused as a file or as a line, and the records after it are read", async () => {
    const files = tinyDirectory();
    const lines = [
      listingOfBytes("exact.example", LIMIT),
      listingOfBytes("over.example", LIMIT + 1),
      listingOfBytes("next.example", 200),
    ];
    files["listings/lines.ndjson"] = lines.join("\n");
    files["listings/over.json"] = listingOfBytes("over2.example", LIMIT + 1);
    const { problems, listings } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      "listings/lines.ndjson:2:1  $  found a record of 16777217 bytes, expected at most 16777216 (16 MiB)",
      "listings/over.json:1:1  $  found a record of 16777217 bytes, expected at most 16777216 (16 MiB)",
    ]);
    const hosts = listings.map(({ listing }) => listing.host);
    for (const host of ["exact.example", "next.example"]) {
      expect(hosts).toContain(host);
    }
  });

  const LONG_LINE = 1024 * MIB;
  slowIt("is found in files of gigabytes in little memory", () => {
    const folder = writeFiles(tinyDirectory());
    const good = `${listingOfBytes("good.example", 200)}\n`;
    sparseFile(join(folder, "standards.json"), 3 * 1024 * MIB);
    sparseFile(join(folder, "listings/whole.json"), 3 * 1024 * MIB);
    sparseFile(join(folder, "listings/line.ndjson"), LONG_LINE, good, `\n{"host":1}`);
    const { problems, listings, megabytes } = inNewProcess(folder, 0, 100);
    const over = (bytes: number) =>
      `$  found a record of ${bytes} bytes, expected at most 16777216 (16 MiB)`;
    expect(problems.filter((line) => line.includes("16 MiB"))).toEqual([
      `listings/line.ndjson:2:1  ${over(LONG_LINE - good.length)}`,
      `listings/whole.json:1:1  ${over(3 * 1024 * MIB)}`,
      `standards.json:1:1  ${over(3 * 1024 * MIB)}`,
    ]);
    expect(problems[3]).toMatch(/^listings\/line\.ndjson:3:9 {2}\$\.host {2}found 1, expected/);
    expect(listings).toBe(4);
    expect(megabytes).toBeLessThan(200);
  });
});

describe("a listing with very many scans", () => {
  /** Scans of 15 kB: more than are kept parsed. */
  const items = JSON.stringify(Array.from({ length: 1_500 }, (_, n) => ({ n })));
  const many = Array.from(
    { length: 600 },
    (_, n) =>
      `{"host":"beta.example","id":"many-${n}","status":"x","finishedAt":"2026-01-01T00:00:00Z","profile":{"items":${items}}}`,
  );

  it("has its errors reported once, and is left out if a scan is gone at the second read", async () => {
    const twice = [...many.slice(0, 60), many[7], many[9]?.replace('"x"', "1")];
    const files = { ...tinyDirectory(), "scans/many.ndjson": twice.join("\n") };
    const { problems } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      'scans/many.ndjson:61:29  $.id  found "many-7" a second time; the first is at scans/many.ndjson:8:29',
      'scans/many.ndjson:62:29  $.id  found "many-9" a second time; the first is at scans/many.ndjson:10:29',
      "scans/many.ndjson:62:47  $.status  found 1, expected a string",
    ]);
    const folder = writeFiles({ ...tinyDirectory(), "scans/many.ndjson": many.join("\n") });
    const { reader } = await openForReading(folder);
    const reads = () => {
      for (const { listing, scans } of reader.readShard(0, 0)) {
        if (listing.host !== "beta.example") continue;
        writeFileSync(join(folder, "scans/many.ndjson"), "");
        for (const scan of scans) scan.read();
      }
    };
    expect(reads).toThrow(LostRecordError);
    expect(reader.findings.problems.sorted.map(formatProblem)).toEqual([
      "scans/many.ndjson:1:1  $  changed while it was being read; run again once it is completely written",
    ]);
  });
});

describe("nesting deeper than 200 levels", () => {
  const nested = (levels: number) =>
    // The record and `profile` are two levels, each array is one.
    `{"host":"beta.example","id":"deep","status":"x","finishedAt":"2026-01-01T00:00:00Z","profile":{"a":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;

  it("is refused at the bracket of level 201, and level 200 is not", async () => {
    const files = { ...tinyDirectory(), "scans/deep.ndjson": nested(200) };
    expect((await readPublished(writeFiles(files))).problems).toEqual([]);
    files["scans/deep.ndjson"] = nested(201);
    const column = nested(201).lastIndexOf("[") + 1;
    expect((await readPublished(writeFiles(files))).problems).toEqual([
      `scans/deep.ndjson:1:${column}  $  is nested deeper than 200 levels`,
    ]);
  });

  it("does not include brackets in texts", async () => {
    const text = `\\"${"[{".repeat(40_000)}`;
    const record = nested(3).replace('"id":"deep"', `"id":"deep","summary":"${text}"`);
    const files = { ...tinyDirectory(), "scans/deep.ndjson": record };
    expect((await readPublished(writeFiles(files))).problems).toEqual([]);
  });

  const OBJECTS = repeated(200_000, 3_000_000);
  it.each([
    ["very many open arrays", `{"a":${"[".repeat(repeated(100_000, 10_000_000))}`, 205],
    [
      "very many objects, closed",
      `${'{"a":'.repeat(OBJECTS)}1${"}".repeat(OBJECTS)}`.slice(0, LIMIT),
      1_001,
    ],
  ])("of %s is refused without a crash", async (_what, text, column) => {
    const files = { ...tinyDirectory(), "listings/deep.ndjson": text };
    const { problems } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      `listings/deep.ndjson:1:${column}  $  is nested deeper than 200 levels`,
    ]);
  });
});

describe("a record of many errors", () => {
  const MANY = repeated(1_500, 150_000);
  it.each([
    ["numbers for tags", `"tags":[${"1,".repeat(MANY)}1]`],
    ["unknown keys", Array.from({ length: MANY }, (_, place) => `"k${place}":1`).join()],
    ["keys __proto__", `"name":[${'{"__proto__":1},'.repeat(MANY)}1]`],
  ])("such as %s shows 1,000 of them and says that there are more", async (_what, text) => {
    const record = `{"host":"m.example","url":"https://m.example/","status":"x",${text}}`;
    const folder = writeFiles({ ...tinyDirectory(), "listings/many.ndjson": record });
    const { problems } = await readPublished(folder, 0);
    expect(problems).toHaveLength(1_001);
    expect(problems[0]).toBe(
      "listings/many.ndjson:1:1  $  has more mistakes than the 1000 that are shown",
    );
  });
});
