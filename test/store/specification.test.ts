import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { MANIFEST_BYTES_MAX, Manifest, type ScanAnswer } from "../../src/store/format.js";
import { snapshotId } from "../../src/store/layout.js";
import { CURRENT_FORMAT, STORE_FORMAT } from "../../src/store/names.js";
import { POINTER_BYTES_MAX } from "../../src/store/pointer.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import type { AnswerRef } from "../../src/store/segments/directory.js";
import { TABLE_BYTES_MAX } from "../../src/store/segments/rows.js";
import { COLUMNS } from "../../src/store/segments/table.js";
import { FILE_BYTES_MAX } from "../../src/store/source.js";
import type { StoredListing } from "../../src/store/stored-segments.js";
import { aListing, aScan, temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { dumped, exampleSnapshot, hexDump, writeAll } from "./example-snapshot.js";
import { builtInTurn, FOUR, manyListings } from "./trees.js";

/* docs/snapshot-format.md, with a reader in another language that was written from it: it shares no code with src. */

const PAGE = readFileSync(join(ROOT, "docs/snapshot-format.md"), "utf8");
const READER = join(ROOT, "docs/read_snapshot.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Runs the second reader. */
function second(store: string, ...words: string[]) {
  const options = { encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync("python3", [READER, store, ...words], options);
  return { status, stdout, stderr };
}

/** The files of the worked example as the page shows them, by path. */
function shownFiles(): Map<string, Uint8Array> {
  const [, example = ""] = PAGE.split("## 12. A worked example");
  const blocks = example.matchAll(/^`([^`]+)`:\n\n```(json|hex)\n([\s\S]*?)```$/gm);
  return new Map(
    Array.from(blocks, ([, path = "", language, text = ""]) => [
      path,
      language === "hex" ? dumped(text) : Buffer.from(text),
    ]),
  );
}

describe("the worked example of the specification", () => {
  it("has the files that the program writes", async () => {
    const { files } = await exampleSnapshot();
    const shown = shownFiles();
    expect([...shown.keys()]).toEqual([...files.keys()]);
    for (const [path, bytes] of files) {
      const dump = (some?: Uint8Array) => (some === undefined ? "" : hexDump(some));
      expect([path, dump(shown.get(path))]).toEqual([path, dump(bytes)]);
    }
    const [table = Buffer.of()] = [...files.values()].slice(-1);
    expect(PAGE).toContain(hexDump(gunzipSync(table)));
  });

  it("is read by the program", async () => {
    const store = await temporaryFolder();
    await writeAll(store, shownFiles());
    const snapshot = await StoredSnapshot.openManifest(store, (await currentId(store)) ?? "");
    const entry = await snapshot.entryOf("example.com");
    expect(entry?.search?.summary).toMatchObject({ name: "Café", latestScore: 60 });
    const { report } = (await snapshot.answersOf("example.org")) ?? {};
    expect(report && Buffer.from(await snapshot.readAnswer(report)).toString()).toBe(
      '{"data":{"score":null}}',
    );
    snapshot.close();
  });

  it.skipIf(!hasPython)("is read by the second reader, with the output that is shown", async () => {
    const store = await temporaryFolder();
    await writeAll(store, shownFiles());
    const [, session = ""] = /```text\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const runs = [...session.matchAll(/^\$ python3 read_snapshot\.py store (.*)\n(.*)$/gm)];
    expect(runs).toHaveLength(3);
    for (const [, command = "", shown] of runs) {
      expect(second(store, ...command.split(" ")).stdout.trimEnd()).toBe(shown);
    }
    expect(JSON.parse(second(store, "summaries").stdout)).toMatchObject({
      name: "Café",
      category: { slug: "news", name: "News" },
      latestScannedAt: "2026-09-01T12:00:00.000Z",
      highlighted: false,
    });
    expect(second(store, "report", "nobody.example")).toMatchObject({ status: 0, stdout: "" });
  });
});

/** A store after two builds: hosts were added, scanned again, withheld and removed. */
async function grownStore(): Promise<string> {
  const first = manyListings(60);
  const added = aListing({ host: "xn--caf-dma.example", name: 'Café "Ü"', tagline: "日本\u2028" });
  const listings = first.listings
    .filter(({ host }) => host !== "site-2.example")
    .map((one) =>
      one.host === "site-1.example" ? { ...one, visibility: "blocked" as const } : one,
    );
  const again = { id: "newest", finishedAt: "2026-09-09T09:09:09Z", score: 1 };
  const scannedAgain = [0, 10, 20, 30, 40, 50].map((at) => `site-${at}.example`);
  const scans = [
    ...first.scans.filter(({ host }) => host !== "site-2.example"),
    ...scannedAgain.map((host) => aScan({ host, ...again })),
    aScan({ host: added.host, score: null, band: null }),
  ];
  const later = { ...first, listings: [...listings, added], scans };
  return (await builtInTurn({ first, later }, { ...FOUR, maxRemoved: 10 })).store;
}

describe.skipIf(!hasPython)("the second reader", () => {
  it("has less than 200 lines, and finds in a store of several builds what the program finds", async () => {
    expect(readFileSync(READER, "utf8").split("\n").length).toBeLessThan(200);
    const store = await grownStore();
    const id = (await currentId(store)) ?? "";
    const snapshot = await StoredSnapshot.openManifest(store, id);
    const { segments, counts } = snapshot.manifest;
    expect(segments.some(({ live, listings }) => live < listings)).toBe(true);
    const entries: StoredListing[] = [];
    for await (const entry of snapshot.listings.allEntries()) entries.push(entry);
    const summaries = entries.flatMap(({ search }) => search?.summary ?? []);
    const found: { host: string }[] = second(store, "summaries")
      .stdout.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found).toEqual(summaries.toSorted((a, b) => (a.host < b.host ? -1 : 1)));
    expect(found.length).toBeGreaterThan(50);

    let read = 0;
    const some = ["site-0.example", "site-1.example", "site-2.example", "xn--caf-dma.example"];
    for (const host of some) {
      const answers = await snapshot.answersOf(host);
      const reports: ScanAnswer<AnswerRef>[] =
        answers === undefined
          ? []
          : [{ scan: answers.publishedScan, report: answers.report }, ...answers.historical];
      for (const { scan, report } of reports) {
        const body = Buffer.from(await snapshot.readAnswer(report)).toString();
        expect(second(store, "report", host, scan).stdout).toBe(body);
        read += 1;
      }
    }
    expect(read).toBe(5);
    expect(second(store, "report", "site-2.example").stdout).toBe("");
    snapshot.close();
    const answers = segments.reduce((sum, segment) => sum + segment.answers.size, 0);
    expect(second(store, "verify").stdout).toBe(`snapshot ${id} is good: ${answers} answers\n`);
    expect(counts.reports).toBe(entries.length);
  });

  it("refuses a store with one wrong byte in any file that the manifest names", async () => {
    const { files } = await exampleSnapshot();
    for (const [path, bytes] of files) {
      if (path === "current.json") continue;
      const store = await temporaryFolder();
      await writeAll(store, files);
      const wrong = Buffer.from(bytes);
      wrong[100] = 1 ^ (wrong[100] ?? 0);
      writeFileSync(join(store, path), wrong);
      const { status, stderr } = second(store, "verify");
      expect([path, status]).toEqual([path, 1]);
      expect(stderr).toMatch(/^the snapshot is bad: /);
    }
  });

  it("refuses a pointer with a member that it does not know, and a path that leads out of the store", async () => {
    const { id, files } = await exampleSnapshot();
    const pointer = JSON.parse(Buffer.from(files.get("current.json") ?? []).toString());
    const text = Buffer.from(files.get(`${id}/manifest.json`) ?? []).toString();
    const manifest = Buffer.from(text.replace('"file": "segments/', '"file": "../segments/'));
    const leading = snapshotId(manifest);
    for (const [changed, more] of [
      [{ ...pointer, other: 1 }, []],
      [{ ...pointer, id: leading }, [[`${leading}/manifest.json`, manifest] as const]],
    ] as const) {
      const store = await temporaryFolder();
      const current = Buffer.from(JSON.stringify(changed));
      await writeAll(store, new Map([...files, ...more, ["current.json", current] as const]));
      expect(second(store, "summaries")).toMatchObject({ status: 1, stdout: "" });
      expect(second(store, "summaries").stderr).toMatch(/^the snapshot is bad: (current|a path)/);
    }
  });
});

describe("the specification", () => {
  it("has the versions and limits of the program", () => {
    expect(PAGE).toContain(`format ${STORE_FORMAT} and pointer format ${CURRENT_FORMAT}.`);
    expect(PAGE).toContain(`| \`format\` | ${STORE_FORMAT} |`);
    expect(PAGE).toContain(`| \`format\` | ${CURRENT_FORMAT} |`);
    const [, table = ""] = /\| limit \| value \|\n([\s\S]*?)\n\n/.exec(PAGE) ?? [];
    const values = [...table.matchAll(/\| ([\d,]+) \|/g)].map(([, text = ""]) => text);
    const limits = [POINTER_BYTES_MAX, MANIFEST_BYTES_MAX, FILE_BYTES_MAX, TABLE_BYTES_MAX];
    const { element } = Manifest.shape.segments;
    const listings = element.shape.listings.maxValue ?? 0;
    expect(values).toEqual([...limits, listings].map((value) => value.toLocaleString("en")));
  });

  it("names every member of a manifest and of a segment, and every column of a table", () => {
    const { shape } = Manifest;
    for (const name of [...Object.keys(shape), ...Object.keys(shape.segments.element.shape)]) {
      expect(PAGE).toMatch(new RegExp(`^\\| (?:\`\\w+\`, )*\`${name}\``, "m"));
    }
    const [, table = ""] = /\| column \| type \|\n([\s\S]*?)\n\n?[A-Z]/.exec(PAGE) ?? [];
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(COLUMNS));
    for (const [, name, type] of rows) {
      const column = Object.entries(COLUMNS).find(([key]) => key === name)?.[1];
      expect([name, type?.endsWith(", or null")]).toEqual([name, column?.isNullable === true]);
    }
  });

  it("has numbered sections in order", () => {
    const numbers = [...PAGE.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });
});
