import {
  appendFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Findings, formatProblem } from "../../src/input/checking/problem.js";
import { recordDigest } from "../../src/input/checking/record.js";
import { listingChecks } from "../../src/input/checking/rules.js";
import { RecordReader } from "../../src/input/input-reader.js";
import type { SourceFile } from "../../src/input/locating/files.js";
import { GrowingColumns } from "../../src/input/locating/record-columns.js";
import { openForReading, PLACES, temporaryFolder, tinyDirectory, writeFiles } from "./tiny.js";

const SCANS = String(tinyDirectory()[PLACES.scans]);

/** Opens the tiny directory, changes it, and reads it. */
async function readChanged(change: (folder: string) => void) {
  const folder = writeFiles(tinyDirectory());
  const { input, readShard } = await openForReading(folder);
  change(folder);
  const hosts = readShard().map(({ listing }) => listing.host);
  return { hosts: hosts.sort(), problems: input.findings.problems.sorted.map(formatProblem) };
}

const CHANGED = `${PLACES.scans}:1:1  $  changed while it was being read; run again once it is completely written`;

describe("a file that changes after its records were located", () => {
  it.each<[string, (path: string) => void, string]>([
    ["has other bytes", (path) => writeFileSync(path, SCANS.replace("poor", "fair")), CHANGED],
    ["has one more record before", (path) => writeFileSync(path, `{}\n${SCANS}`), CHANGED],
    ["is shorter", (path) => truncateSync(path, SCANS.length - 20), CHANGED],
    ["is gone", (path) => rmSync(path), `${PLACES.scans}:1:1  $  does not exist (ENOENT)`],
    [
      "is a link now",
      (path) => {
        renameSync(path, `${path}.moved`);
        symlinkSync(`${path}.moved`, path);
      },
      `${PLACES.scans}:1:1  $  is a link, or a loop of links (ELOOP)`,
    ],
  ])("and %s gives one error, and its listings are left out", async (_what, change, line) => {
    const { hosts, problems } = await readChanged((folder) => change(join(folder, PLACES.scans)));
    expect(problems).toEqual([line]);
    expect(hosts).toEqual(["beta.example", "gamma.example"]);
  });

  it("is reported once, however many of its records are gone", async () => {
    const { hosts, problems } = await readChanged((folder) =>
      writeFileSync(join(folder, PLACES.listings), ""),
    );
    expect(problems).toEqual([CHANGED.replace(PLACES.scans, PLACES.listings)]);
    expect(hosts).toEqual(["gamma.example"]);
  });

  it("but keeps its records is read without later lines, which belong to the next build", async () => {
    const more = '{"host":"late.example","url":"https://late.example","status":"x"}\n';
    const { hosts, problems } = await readChanged((folder) =>
      appendFileSync(join(folder, PLACES.listings), more),
    );
    expect(problems).toEqual([]);
    expect(hosts).toEqual(["alpha.example", "beta.example", "gamma.example"]);
  });
});

function readerOf(files: readonly SourceFile[], { columns }: GrowingColumns) {
  const findings = new Findings();
  const located = { files, columns, failed: new Uint8Array(files.length) };
  const checks = listingChecks({ standards: null, taxonomy: null });
  const reader = new RecordReader(located, checks, findings);
  onTestFinished(() => reader.close());
  return { reader, findings };
}

describe("records by their pointers", () => {
  it("are read past 4 GB too", () => {
    const path = join(temporaryFolder(), "far.ndjson");
    const record = Buffer.from('{"far":true}');
    const offset = 5 * 1024 ** 3;
    writeFileSync(path, "");
    truncateSync(path, offset);
    appendFileSync(path, record);
    const pointers = new GrowingColumns();
    for (let filler = 0; filler < 5_000; filler += 1) {
      pointers.add(
        { file: 0, offset: filler, length: 1, line: 1, digest: new Uint32Array(4) },
        filler,
      );
    }
    const digest = recordDigest("far", record);
    pointers.add({ file: 0, offset, length: record.length, line: 7, digest }, 0xffff_ffff);
    const { reader, findings } = readerOf([{ name: "far", path }], pointers);
    expect(reader.read(5_000)?.source).toMatchObject({ file: "far", line: 7, bytes: record });
    expect(reader.recordsOf(new Set([0xffff_ffff]))).toEqual([5_000]);
    expect(findings.problems.count).toBe(0);
  });

  it("are read from more files than can stay open", () => {
    const contents = Array.from({ length: 100 }, (_, place) => `{"n":${place}}`);
    const folder = writeFiles(
      Object.fromEntries(contents.map((text, place) => [`${place}.json`, text])),
    );
    const files = contents.map((_, place) => ({
      name: `${place}.json`,
      path: join(folder, `${place}.json`),
    }));
    const pointers = new GrowingColumns();
    for (const [file, text] of contents.entries()) {
      const digest = recordDigest(`${file}.json`, Buffer.from(text));
      pointers.add({ file, offset: 0, length: text.length, line: 1, digest }, file);
    }
    const { reader } = readerOf(files, pointers);
    for (const file of [...files.keys(), ...files.keys(), 0, 99, 0, 50]) {
      expect(reader.read(file)?.source.bytes.toString()).toBe(contents[file]);
    }
    expect(openFilesBelow(folder)).toBe(32);
  });
});

/** Files below a folder that this process has open; others may be closed while they are counted. */
function openFilesBelow(folder: string): number {
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target.startsWith(folder)).length;
}
