import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FILTER_NAMES } from "../../../src/contract/filters.js";
import { instantKey } from "../../../src/contract/instant.js";
import { BadColumnsError } from "../../../src/store/columns/file.js";
import { type IndexedListing, listingColumns } from "../../../src/store/columns/listings.js";
import {
  readSearchFile,
  type SearchRows,
  SUMMARIES_A_BLOCK,
  writeSearchFile,
} from "../../../src/store/columns/search-file.js";
import { listOf, textsOf } from "../../../src/store/columns/texts.js";
import { randomListings } from "../../engine/directory.js";

/** Listings whose sort keys belong to their instants. */
function listingsOf(seed: number, count: number): IndexedListing[] {
  return randomListings(seed, count).map(({ summary }) => ({
    summary,
    recent: summary.latestScannedAt === null ? "" : instantKey(summary.latestScannedAt),
  }));
}

/** What a bucket of these listings contributes; its blocks are only said to be somewhere. */
function rowsOf(listings: readonly IndexedListing[], seed = 7): SearchRows {
  const { scores, units, fields, filters } = listingColumns(listings);
  const sorted = listings.toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1));
  const lengths = Array.from(
    { length: 1 + Math.ceil(listings.length / SUMMARIES_A_BLOCK) },
    (_, block) => 1 + ((seed + block) * 7_919) % 100_000,
  );
  const places = lengths.map((length, block) => ({
    offset: lengths.slice(0, block).reduce((a, b) => a + b, 0),
    length,
    digest: (seed + block).toString(16).padStart(32, "0"),
  }));
  const [answers, ...summaries] = places;
  const scannedAt = textsOf(sorted.map(({ summary }) => summary.latestScannedAt ?? ""));
  return { scores, units, fields, scannedAt, filters, answers: answers!, summaries };
}

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
        for (const name of FILTER_NAMES) {
          expect(valuesIn(read[bucket]!.filters[name])).toEqual(valuesIn(filters[name]));
        }
      }
    }
  });

  it("has the same bytes when it is written from what was read of other files", () => {
    const rows = sizes.map((size, bucket) => rowsOf(listingsOf(bucket, size), bucket));
    const [first, ...others] = readSearchFile(writeSearchFile([...rows].reverse())).reverse();
    expect(writeSearchFile([rows[0]!, ...others])).toEqual(writeSearchFile(rows));
    expect(first!.size).toBe(0);
    // A value that no listing has any more leaves no trace.
    const without = sizes.map((size, bucket) => (bucket === 1 ? rowsOf([]) : rows[bucket]!));
    const kept = readSearchFile(writeSearchFile(rows));
    expect(writeSearchFile(kept.map((one, bucket) => (bucket === 1 ? rowsOf([]) : one)))).toEqual(
      writeSearchFile(without),
    );
  });
});

/** By row, its values, sorted. */
function valuesIn({ values, starts, places }: SearchRows["filters"]["tag"]): string[][] {
  return Array.from({ length: starts.length - 1 }, (_, row) =>
    Array.from(places.subarray(starts[row], starts[row + 1]), (place) => values[place]!).sort(),
  );
}
