import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadColumnsError } from "../../../src/store/columns/file.js";
import { fieldTexts, foldedRows } from "../../../src/store/columns/folded-text.js";
import { FIELD_END, listingColumns, VALUE_NAMES } from "../../../src/store/columns/listings.js";
import { endedTexts, numbersIn, planesOf, textsIn } from "../../../src/store/columns/planes.js";
import {
  readSearchFile,
  type SearchRows,
  writeSearchFile,
} from "../../../src/store/columns/search-file.js";
import { listOf, textsOf } from "../../../src/store/columns/texts.js";
import { listingsOf, rowsOf } from "./search-files.js";

describe("a search file", () => {
  const sizes = [0, 40, 1, 0, 16, 33, 0];

  it("gives back every bucket's listings, in any script, and the places of its blocks", () => {
    for (const [seed, groups] of [sizes, [0], [0, 0], [200]].entries()) {
      const buckets = groups.map((size, bucket) => listingsOf(100 * seed + bucket, size));
      const rows = buckets.map((listings, bucket) => rowsOf(listings, bucket));
      const read = readSearchFile(writeSearchFile(rows));
      expect(read).toHaveLength(groups.length);
      for (const [bucket, listings] of buckets.entries()) {
        const { filters, grams, summaries, ...columns } = listingColumns(listings);
        expect(read[bucket]).toMatchObject(columns);
        const { answers, summaries: blocks, scannedAt } = rows[bucket]!;
        expect(read[bucket]).toMatchObject({ answers, summaries: blocks, scannedAt });
        for (const name of VALUE_NAMES) {
          expect(valuesIn(read[bucket]!.filters[name])).toEqual(valuesIn(filters[name]));
        }
      }
    }
  });

  it("has the same bytes when some of its buckets were read from another one", () => {
    const rows = sizes.map((size, bucket) => rowsOf(listingsOf(bucket, size), bucket));
    const expected = writeSearchFile(rows);
    // A bucket whose values no other has is replaced, so that the former file numbers the values otherwise.
    const strange = listingsOf(99, 30).map(({ summary, ...one }) => {
      const platforms = ["only-here", "and-here"];
      return { ...one, summary: { ...summary, platforms, capabilities: ["strange", "sitemap"] } };
    });
    for (const at of sizes.keys()) {
      const former = readSearchFile(writeSearchFile(rows.with(at, rowsOf(strange))));
      expect(
        writeSearchFile(former.map((one, bucket) => (bucket === at ? rows[at]! : one))),
      ).toEqual(expected);
    }
  });

  it("shares one array of units and one of fields among its buckets", () => {
    const rows = sizes.map((size, bucket) => rowsOf(listingsOf(bucket, size), bucket));
    const read = readSearchFile(writeSearchFile(rows));
    for (const column of ["units", "fields", "scores"] as const) {
      expect(new Set(read.map((bucket) => bucket[column].buffer)).size).toBe(1);
    }
    const units = read.reduce((sum, bucket) => sum + bucket.units.length, 0);
    expect(read[0]?.units.buffer.byteLength).toBe(2 * units);
  });
});

/** By row, its values, sorted. */
function valuesIn({ values, starts, places }: SearchRows["filters"]["tag"]): string[][] {
  return Array.from({ length: starts.length - 1 }, (_, row) =>
    Array.from(places.subarray(starts[row], starts[row + 1]), (place) => values[place]!).sort(),
  );
}

const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 3 }),
    fc.constantFrom("\ufeff", "\u0000", "\ufffd", "\uffff", "\ud7ff", "\ue000", "\u07ff", "\u0800"),
    fc.constantFrom("\u{10000}", "\u{10ffff}", "\n", "é", "ÿ", "\u007f", "\u0080"),
  ),
});

describe("the columns of a search file", () => {
  it("give back any numbers below 2 ** 32 in as few planes as they need", () => {
    const number = fc.oneof(fc.nat(255), fc.nat(65_535), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const planes = planesOf(Uint32Array.from(numbers));
        expect([...numbersIn(planes, numbers.length, "x")]).toEqual(numbers);
        const greatest = Math.max(0, ...numbers);
        const needed = Math.max(1, Math.ceil(Math.log2(greatest + 1) / 8));
        expect(planes).toHaveLength(needed * numbers.length);
      }),
      { seed: 1 },
    );
    expect(() => numbersIn(new Uint8Array(0), 2 ** 31, "x")).toThrow(BadColumnsError);
    expect(() => numbersIn(new Uint8Array(3), 0, "x")).toThrow(BadColumnsError);
  });

  it("give back any texts", () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        expect(listOf(textsIn(endedTexts(textsOf(texts)), "x"))).toEqual(texts);
      }),
      { seed: 2 },
    );
  });

  it("give back any fields as the units of UTF-16", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text)), fc.nat(3), (rows, cut) => {
        const columns = [0, 1, 2].map((field) =>
          endedTexts(textsOf(rows.map((row) => row[field] ?? ""))),
        );
        const size = Math.min(cut, rows.length);
        const read = foldedRows(columns, Uint32Array.of(size, rows.length - size));
        const expected = [rows.slice(0, size), rows.slice(size)].map((own) => {
          const fields = own.flat();
          const joined = fields.map((field) => `${field}\ud800`).join("");
          return Array.from({ length: joined.length }, (_, at) => joined.charCodeAt(at));
        });
        expect(read.map(({ units }) => [...units])).toEqual(expected);
        for (const { units, fields } of read) {
          expect([...fields.subarray(1)].every((end) => units[end - 1] === FIELD_END)).toBe(true);
        }
        for (const field of [0, 1, 2]) {
          const all = read.flatMap((bucket) => listOf(fieldTexts(bucket, field)));
          expect(all).toEqual(rows.map((row) => row[field]));
        }
      }),
      { seed: 3 },
    );
  });
});
