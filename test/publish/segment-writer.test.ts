import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SegmentWriter } from "../../src/publish/segment-writer.js";
import { sha256 } from "../../src/store/layout.js";
import { segmentsIn } from "../../src/store/reader.js";
import { temporaryFolder } from "../fixtures.js";

const MIB = 1024 * 1024;

it("an answer of any length and any characters is in the pack, byte for byte", async () => {
  const store = await temporaryFolder();
  await mkdir(join(store, "segments"));
  // The bytes of a text are between one and three times its length; the pack is written in pieces of 1 MiB.
  const reports = [
    "€".repeat(MIB / 3),
    "x".repeat(MIB),
    "x",
    "€".repeat(MIB),
    "🙂é",
    "x".repeat(2 * MIB),
  ];
  const writer = new SegmentWriter(store, 0);
  for (const [at, report] of reports.entries()) {
    writer.add({
      host: `host-${at}.example`,
      search: null,
      exempt: [],
      report,
      excerpt: null,
      enrichment: "{}",
      publishedScan: "one",
      historical: [],
      locked: [],
    });
  }
  const [segment] = await writer.finish();
  const pack = await readFile(join(store, segment!.pack.file));
  expect(sha256(pack)).toBe(segment!.pack.sha256);
  const entries = await segmentsIn(store, [segment!], { categories: [], tags: [] }).entries(0);
  const stored = new Map(entries.map(({ host, report }) => [host, report]));
  for (const [at, report] of reports.entries()) {
    const [offset, length, hash] = stored.get(`host-${at}.example`)!;
    const bytes = pack.subarray(offset, offset + length);
    expect(bytes.equals(Buffer.from(report))).toBe(true);
    expect(sha256(bytes)).toBe(hash);
    expect(pack[offset + length]).toBe(0x0a);
  }
});
