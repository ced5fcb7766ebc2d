import { expect, it, onTestFinished, vi } from "vitest";
import { STORE_FORMAT } from "../../src/store/names.js";
import { parseManifest } from "../../src/store/parse-manifest.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { publishBytes } from "./forge.js";
import { builtStore, manyListings } from "./trees.js";

const FILE = { bytes: 1, sha256: "0".repeat(64) };
const HASH = "0".repeat(32);

/** The text of a manifest. @param segments how many it has */
function manifestText(segments: number): string {
  const segment = {
    table: { file: `segments/${HASH}.brief`, ...FILE },
    pack: { file: `segments/${HASH}.pack`, ...FILE },
    directory: FILE,
    answers: { size: 0, root: "0".repeat(64) },
    rows: 0,
    listings: 0,
    live: 0,
    firstHash: 0,
    lastHash: 0,
  };
  return JSON.stringify({
    format: STORE_FORMAT,
    content: HASH,
    directory: { name: 'Name with "\\ \u2028 and é', baseUrl: "", siteUrl: "" },
    counts: { reports: 0, searchable: 0, historical: 0 },
    vocabulary: {
      categories: [{ slug: "a", name: "A", group: "", order: -1 }],
      tags: [],
      signals: [],
      platforms: [],
    },
    segments: Array.from({ length: segments }, () => segment),
    public: [],
    extras: {
      "some-extra": {
        facts: { number: -1.5, word: "A" },
        files: [{ file: `segments/${HASH}.some.gz`, ...FILE, length: 2, facts: { until: "2026" } }],
      },
      another: { facts: {}, files: [] },
    },
  });
}

/** The text of so many members of an object, each with a comma. */
function membersText(count: number, value: string): string {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: count }, (_, at) => `"x${letters[at]}":${value},`).join("");
}

const parsed = (text: string) => parseManifest(Buffer.from(text));

it("a manifest is read as JSON.parse reads it", async () => {
  const text = manifestText(3);
  expect(await parsed(text)).toEqual(JSON.parse(text));
  expect(JSON.stringify(await parsed(` ${text}`.trim()))).toBe(text);
  expect(await parsed(text.replaceAll('":', '"\t:\n'))).not.toBeNull();
});

it.each([
  ["a missing member", /"content":"0+",/, ""],
  ["an unknown member", /"content"/, '"a":1,"content"'],
  ["a member twice", /"content"/, '"public":[],"content"'],
  ["a wrong number", /"bytes":1/, '"bytes":-1'],
  ["a text without an end", / and é"/, " and é"],
  ["a comma too many", /,"public"/, ',,"public"'],
  ["an array in place of an object", /"directory":\{[^}]*\}/, '"directory":[]'],
  ["more behind it", /$/, "{}"],
  ["another format", /"format":[0-9]+/, '"format":4'],
  ["a file of an extra elsewhere", /\.some\.gz/, "/../some.gz"],
  ["a file of an extra that is too large", /"bytes":1(?=,"sha256":"0+","length")/, '"bytes":1e9'],
  ["a file of an extra that inflates to too much", /"length":2/, '"length":1e9'],
  ["a long text of an extra", /2026/, "2".repeat(257)],
  ["a value of an extra in a value", /"2026"/, '{"a":1}'],
  ["a bad name of an extra", /"another"/, '"__proto__"'],
  ["an extra twice", /"another"/, '"some-extra"'],
  ["too many extras", /"another"/, `${membersText(15, '{"facts":{},"files":[]}')}"another"`],
  ["too many facts of an extra", /"word"/, `${membersText(15, "1")}"word"`],
  ["a text of a megabyte", /Name/, "a".repeat(2 ** 20)],
])("a manifest with %s is none", async (_, from, to) => {
  const text = manifestText(3).replace(from, to);
  expect(text).not.toBe(manifestText(3));
  expect(await parsed(text)).toBeNull();
});

it("a manifest of many megabytes is refused at its first bad entry", async () => {
  const { store } = await builtStore(manyListings(3));
  const bad = manifestText(1).replace('"segments":[', `"segments":[${"{},".repeat(1_500_000)}`);
  // zod would collect the problems of all entries, which takes minutes and all memory.
  const id = await publishBytes(store, Buffer.from(bad));
  await expect(StoredSnapshot.openManifest(store, id)).rejects.toThrow("does not match format");
});

it("a manifest larger than any that a build writes is not read at all", async () => {
  const { store } = await builtStore(manyListings(3));
  const id = await publishBytes(store, Buffer.alloc(17 * 2 ** 20, "{}"));
  await expect(StoredSnapshot.openManifest(store, id)).rejects.toThrow("more than 16777216");
});

it("other work goes on while bytes that are no text are decoded", async () => {
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  onTestFinished(() => decode.mockRestore());
  expect(await parseManifest(Buffer.alloc(5 * 2 ** 20, 0xff))).toBeNull();
  const sizes = decode.mock.calls.map(([bytes]) => bytes?.byteLength ?? 0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20);
});

it("other work goes on while a manifest of a million listings is read", async () => {
  const reading = parsed(manifestText(4_096));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await reading).not.toBeNull();
  isOver = true;
  expect(turns).toBeGreaterThan(10);
});
