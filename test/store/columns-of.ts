import type { SiteSummary } from "../../src/contract/listing.js";
import { textsOf } from "../../src/store/columns/columns.js";
import type { ListingColumns } from "../../src/store/columns/listings.js";
import { gunzip } from "../../src/store/folder-source.js";
import { openTable, TABLE_BYTES_MAX } from "../../src/store/segments/rows.js";
import { writeTable } from "../../src/store/segments/write-table.js";

/** One listing in search. */
export interface IndexedListing {
  readonly summary: SiteSummary;
  /** Sort key of its scan. Unlike in a store, it need not be that of `latestScannedAt`. */
  readonly recent: string;
}

/** The rows of a table that has these listings, as the engine takes them. */
export function columnsOf(listings: readonly IndexedListing[]): ListingColumns {
  const rows = listings.toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1));
  const summaries = rows.map(({ summary }) => summary);
  const terms = {
    categories: summaries.flatMap(({ category }) => category ?? []),
    tags: summaries.flatMap(({ tags }) => tags),
  };
  const bytes = gunzip(writeTable(summaries), TABLE_BYTES_MAX);
  const table = openTable(bytes, { rows: rows.length }, terms);
  return {
    ...table.rows(Uint32Array.from(rows.keys())),
    recents: textsOf(rows.map(({ recent }) => recent)),
  };
}
