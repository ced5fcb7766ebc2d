import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostHash } from "../../../src/contract/host.js";
import {
  BadColumnsError,
  type Column,
  ColumnReader,
  joinColumns,
} from "../../../src/store/columns/file.js";
import { listOf, textAt, textsOf } from "../../../src/store/columns/texts.js";
import {
  byHash,
  type DirectoryEntry,
  directoryHosts,
  readDirectory,
  rowOf,
  StoredAnswers,
  writeDirectory,
} from "../../../src/store/segments/directory.js";
import { liveRows } from "../../../src/store/segments/table.js";

const column: fc.Arbitrary<Column> = fc.oneof(
  fc.uint8Array(),
  fc.uint32Array(),
  fc.float64Array({ noNaN: true }),
);

function readBack(reader: ColumnReader, like: Column): Column {
  if (like instanceof Uint8Array) return reader.u8();
  return like instanceof Uint32Array ? reader.u32() : reader.f64();
}

describe("a file of columns", () => {
  it("gives back the columns that were written, as views of its bytes", () => {
    fc.assert(
      fc.property(fc.array(column, { maxLength: 8 }), (columns) => {
        const file = joinColumns(columns);
        expect(file.length % 8).toBe(0);
        // Files are read one after the other into one buffer.
        const bytes = new Uint8Array(file.length + 16).subarray(8, file.length + 8);
        bytes.set(file);
        const reader = new ColumnReader(bytes);
        for (const written of columns) {
          const read = readBack(reader, written);
          expect(read).toEqual(written);
          expect(read.buffer).toBe(bytes.buffer);
        }
        reader.finish();
      }),
      { seed: 1 },
    );
  });

  it("is refused where it is cut, longer, of other kinds, or no such file", () => {
    const bytes = joinColumns([Uint32Array.of(1, 2, 3), Uint8Array.of(4)]);
    const read = (file: Uint8Array) => {
      const reader = new ColumnReader(file);
      reader.u32();
      reader.u8();
      reader.finish();
    };
    read(bytes);
    const longer = new Uint8Array(bytes.length + 8);
    longer.set(bytes);
    const other = bytes.slice();
    other[0] = 0;
    const more = joinColumns([Uint32Array.of(1, 2, 3), Uint8Array.of(4), new Uint8Array(0)]);
    const files = [new Uint8Array(0), bytes.slice(0, 16), bytes.slice(0, -8), longer, other, more];
    for (const file of files) expect(() => read(file)).toThrow(BadColumnsError);
    expect(() => new ColumnReader(bytes).f64()).toThrow(BadColumnsError);
    expect(() => new ColumnReader(bytes).finish()).toThrow(BadColumnsError);
  });
});

describe("texts", () => {
  it("come back one by one, of any script", () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\ufeff")),
    });
    const texts = fc.array(text);
    fc.assert(
      fc.property(texts, (all) => {
        const joined = textsOf(all);
        expect(all.map((_, place) => textAt(joined, place))).toEqual(all);
        expect(listOf(joined)).toEqual(all);
        expect(joined.bytes.length).toBe(Buffer.byteLength(all.join("")));
      }),
      { seed: 2 },
    );
  });
});

/** The answers of numbered hosts, as a directory has them. */
function entryOf(host: string, i: number): DirectoryEntry {
  const location = (offset: number) =>
    [offset, 1 + (offset % 1_000), offset.toString(16).padStart(64, "f0")] as const;
  return {
    host,
    search: null,
    content: i.toString(16).padStart(32, "0"),
    report: location(i * 1_000),
    // Beyond 4 GiB.
    enrichment: location(2 ** 33 + i),
    publishedScan: `scan_${i}`,
    historical: i % 3 === 0 ? [{ scan: "scan_old", report: location(5) }] : [],
    locked: i % 3 === 1 ? ["scan_locked"] : [],
  };
}

const ALL_HASHES = { firstHash: 0, lastHash: 2 ** 32 };

describe("the table of answers", () => {
  // Two pairs of hosts that share a hash.
  const twins = [813_509, 1_600_380, 813_508, 1_600_381].map((n) => `twin-${n}.example`);
  const hosts = [...Array.from({ length: 100 }, (_, i) => `site-${i}.example`), ...twins];

  it("has every host at its row, also those that share a hash", () => {
    expect(new Set(twins.map(hostHash)).size).toBe(2);
    const all = hosts.map(entryOf).sort(byHash);
    for (const cut of [0, 1, 50, all.length]) {
      const parts = [all.slice(0, cut), [], all.slice(cut), all.slice(0, 9)];
      const directories = parts.map((entries) =>
        readDirectory(writeDirectory(entries), entries.length, 2 ** 40, ALL_HASHES),
      );
      const live = liveRows(directories.map(directoryHosts));
      const size = live.reduce((sum, { length }) => sum + length, 0);
      expect(size).toBe(hosts.length);
      for (const [at, entry] of all.entries()) {
        const segment = at < 9 ? 3 : at < cut ? 0 : 2;
        const directory = directories[segment]!;
        const row = rowOf(directory, entry.host, hostHash(entry.host));
        const found = new StoredAnswers(directory, row, entry.host, segment);
        const place = ([offset, length, sha256]: DirectoryEntry["report"]) => ({
          segment,
          offset,
          length,
          sha256,
        });
        expect(found.report).toEqual(place(entry.report));
        expect(found.enrichment).toEqual(place(entry.enrichment));
        expect([found.publishedScan, found.locked]).toEqual([entry.publishedScan, entry.locked]);
        const historical = entry.historical.map(({ scan, report }) => ({
          scan,
          report: place(report),
        }));
        expect(found.historical).toEqual(historical);
      }
      for (const host of ["site-500.example", ""]) {
        const rows = directories.map((directory) => rowOf(directory, host, hostHash(host)));
        expect(rows).toEqual([-1, -1, -1, -1]);
      }
    }
  });
});
