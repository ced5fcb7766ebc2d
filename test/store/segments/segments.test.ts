import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contentOf, describe as describeFile } from "../../../src/publish/segment-writer.js";
import { layout } from "../../../src/store/layout.js";
import { segmentsIn } from "../../../src/store/reader.js";
import { COLUMNS, type TableColumn } from "../../../src/store/segments/table.js";
import { writeTable } from "../../../src/store/segments/write-table.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aCheck, aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { answersIn } from "../answers.js";
import { manifestOf, publishManifest } from "../forge.js";
import { builtStore, copiedStore, manyListings } from "../trees.js";

/** A table as a later version writes it, whose summaries have a language. */
function laterTable(summaries: Parameters<typeof writeTable>[0]): Uint8Array {
  const columns = COLUMNS as Record<string, TableColumn>;
  columns.language = { kind: "text", isNullable: true };
  try {
    return writeTable(summaries.map((summary) => ({ ...summary, language: "en" })));
  } finally {
    delete columns.language;
  }
}

it("a column of a later version is not shown", async () => {
  const { store } = await builtStore(manyListings(3));
  const before = await answersIn(store);
  const hosts = Object.keys(before).sort();
  const rows = hosts.flatMap((host) => {
    const { summary, gists } = before[host]?.search ?? {};
    return summary === undefined ? [] : [{ ...summary, gists }];
  });
  const bytes = laterTable(rows);
  const table = describeFile(bytes, layout.table);
  await writeFile(join(store, table.file), bytes);
  await publishManifest(store, (manifest) => Object.assign(manifest.segments[0]!, { table }));
  expect((await manifestOf(store)).segments[0]!.table.file).toBe(table.file);
  expect(await answersIn(store)).toEqual(before);
});

it("a member that a later version adds does not change the digest of a listing without it", async () => {
  const { store } = await builtStore(manyListings(1));
  const [answers] = Object.values(await answersIn(store));
  const place = [0, 1, "a"] as const;
  const entry = {
    ...answers!,
    host: "x.example",
    report: place,
    enrichment: place,
    historical: [],
  };
  const { summary, recent } = answers!.search!;
  const digest = (more: object) =>
    contentOf({ ...entry, search: { summary: { ...summary, ...more }, recent } });
  expect(digest({ language: null, languages: [] })).toBe(digest({}));
  expect(digest({ language: "en" })).not.toBe(digest({}));
  expect(digest({ latestScore: 0 })).not.toBe(digest({ latestScore: null }));
  const other = [0, 1, "b"] as const;
  const changes = [
    { report: other },
    { enrichment: other },
    { publishedScan: "b" },
    { search: null },
    { locked: ["b"] },
    { historical: [{ scan: "b", report: place }] },
  ];
  for (const change of changes)
    expect(contentOf({ ...entry, ...change })).not.toBe(contentOf(entry));
});

it(
  "a segment whose manifest entry does not cover the hashes of its hosts is refused: readers would " +
    "not find them",
  async () => {
    const { store } = await copiedStore();
    const { segments, vocabulary } = await manifestOf(store);
    const [segment] = segments;
    const directoryOf = (changes: Partial<(typeof segments)[number]>) =>
      segmentsIn(store, [{ ...segment!, ...changes }], vocabulary).directory(0);
    await directoryOf({});
    const { firstHash, lastHash } = segment!;
    for (const changes of [{ lastHash: lastHash - 1 }, { firstHash: firstHash + 1 }]) {
      await expect(directoryOf(changes)).rejects.toThrow(/a host outside the range of its segment/);
    }
  },
);

/** A store with so many listings. */
async function storeOf(count: number, text: string, visibility: "listed" | "blocked") {
  const hosts = Array.from({ length: count }, (_, n) => `host-${n}.example`);
  const checks = [aCheck({ details: { text } })];
  const listings = hosts.map((host) => aListing({ host, visibility }));
  const scans = hosts.map((host) => aScan({ host, checks }));
  return builtStore(aPublishedDirectory({ listings, scans }), {
    segmentSize: Math.ceil(count / 3),
  });
}

it.each([
  ["answers of many megabytes", 8, "x".repeat(2 ** 20), "listed"],
  ["tables without a row, which are the same file", 192, "", "blocked"],
] as const)(
  "segments that are written at the same time may have %s",
  async (_, count, text, visibility) => {
    const { store } = await storeOf(count, text, visibility);
    expect((await manifestOf(store)).segments.length).toBeGreaterThan(2);
    expect((await verify(store)).bad).toEqual([]);
  },
);
