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
import { formatProblem } from "../../src/published/checking/problem.js";
import { recordDigest } from "../../src/published/checking/record.js";
import { RecordIndex } from "../../src/published/locating/record-index.js";
import { openPublished } from "../../src/published/published.js";
import { RecordReader } from "../../src/published/record-set.js";
import { PLACES, temporaryFolder, tinyDirectory, writeFiles } from "./tiny.js";

const SCANS = String(tinyDirectory()[PLACES.scans]);

/** Opens the tiny directory, changes it, and reads it. */
async function readChanged(change: (folder: string) => void) {
  const folder = writeFiles(tinyDirectory());
  const published = await openPublished(folder);
  change(folder);
  const listings = [...published.readPart(0, 0)];
  const problems = published.problems.sorted.map(formatProblem);
  published.close();
  return { hosts: listings.map(({ listing }) => listing.host).sort(), problems };
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

describe("records by their pointers", () => {
  it("are read past 4 GB too", () => {
    const path = join(temporaryFolder(), "far.ndjson");
    const record = Buffer.from('{"far":true}');
    const offset = 5 * 1024 ** 3;
    writeFileSync(path, "");
    truncateSync(path, offset);
    appendFileSync(path, record);
    const index = new RecordIndex();
    for (let filler = 0; filler < 5_000; filler += 1) {
      index.add(
        { file: 0, offset: filler, length: 1, line: 1, digest: new Uint32Array(4) },
        filler,
      );
    }
    const digest = recordDigest("far", record);
    index.add({ file: 0, offset, length: record.length, line: 7, digest }, 0xffff_ffff);
    const problems: string[] = [];
    const reader = new RecordReader([{ name: "far", path }], new Uint8Array(1), (problem) =>
      problems.push(formatProblem(problem)),
    );
    onTestFinished(() => reader.close());
    expect(reader.read(index.at(5_000))).toMatchObject({ file: "far", line: 7, bytes: record });
    expect(index.hostHashAt(5_000)).toBe(0xffff_ffff);
    expect(problems).toEqual([]);
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
    const reader = new RecordReader(files, new Uint8Array(files.length), () => {});
    onTestFinished(() => reader.close());
    for (const file of [...files.keys(), ...files.keys(), 0, 99, 0, 50]) {
      const bytes = Buffer.from(contents[file]!);
      const digest = recordDigest(`${file}.json`, bytes);
      const pointer = { file, offset: 0, length: bytes.length, line: 1, digest };
      expect(reader.read(pointer)?.bytes).toEqual(bytes);
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
