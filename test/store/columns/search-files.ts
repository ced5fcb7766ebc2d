import { instantKey } from "../../../src/contract/order.js";
import { type IndexedListing, listingColumns } from "../../../src/store/columns/listings.js";
import {
  type SearchRows,
  SUMMARIES_A_BLOCK,
  writeSearchFile,
} from "../../../src/store/columns/search-file.js";
import { textsOf } from "../../../src/store/columns/texts.js";
import { randomListings } from "../../engine/directory.js";

/** Listings whose sort keys belong to their instants. */
export function listingsOf(seed: number, count: number): IndexedListing[] {
  return randomListings(seed, count).map(({ summary }, row) => {
    const fraction = ["", ".5", ".123456789", ".000"][row % 4];
    const latestScannedAt =
      row % 7 === 0 ? null : `2026-08-${10 + (row % 19)}T03:31:12${fraction}+02:00`;
    return {
      summary: { ...summary, latestScannedAt },
      recent: latestScannedAt === null ? "" : instantKey(latestScannedAt),
    };
  });
}

/** What a bucket of these listings contributes to a search file; its blocks are only said to be somewhere. */
export function rowsOf(listings: readonly IndexedListing[], seed = 7): SearchRows {
  const { scores, units, fields, filters } = listingColumns(listings);
  const sorted = listings.toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1));
  const lengths = Array.from(
    { length: 1 + Math.ceil(listings.length / SUMMARIES_A_BLOCK) },
    (_, block) => 1 + (((seed + block) * 7_919) % 100_000),
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

/** A good search file. @param sizes the numbers of listings, by bucket */
export function someSearchFile(sizes: readonly number[]): Uint8Array {
  return writeSearchFile(sizes.map((size, bucket) => rowsOf(listingsOf(bucket, size), bucket)));
}
