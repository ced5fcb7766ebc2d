import { parquetWriteBuffer } from "hyparquet-writer";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";
import { StoreWriteError } from "../../files/disk.js";
import { inflatePage } from "../compression.js";
import { COLUMNS, type TableRow } from "./fields.js";
import { parquetOf } from "./parquet-columns.js";
import { openTable } from "./table.js";
import { BadTableError } from "./thrift.js";

/* Writes a segment's table: a Parquet file that other programs read too. */

/** A page never ends before its column, so that there is one of each. */
const PAGE_BYTES = 2 ** 31;
const ROWS_MAX = 2 ** 31;

/**
 * The bytes of a table. Reads them again, which takes little of the time: the limits of readers are nowhere else.
 * @param summaries sorted by host
 * @throws StoreWriteError if readers would refuse the table, for example because its summaries are too long
 */
export function writeTable(summaries: readonly TableRow[]): Uint8Array {
  const bytes = parquetWriteBuffer({
    ...parquetOf(summaries, namesOf(COLUMNS)),
    statistics: false,
    pageSize: PAGE_BYTES,
    rowGroupSize: ROWS_MAX,
  });
  const table = new Uint8Array(bytes);
  requireReadable(table, summaries);
  return table;
}

function requireReadable(bytes: Uint8Array, summaries: readonly TableRow[]): void {
  const terms = {
    categories: distinct(summaries.map(({ category }) => category)),
    tags: distinct(summaries.flatMap(({ tags }) => tags)),
  };
  try {
    const { hosts, rows } = openTable(bytes, { rows: summaries.length }, terms, inflatePage);
    rows(Uint32Array.from(hosts.keys()));
  } catch (error) {
    if (!(error instanceof BadTableError)) throw error;
    const [first, last] = [summaries[0]?.host, summaries.at(-1)?.host];
    const message = `the segment from ${first} to ${last} cannot be written: ${error.message}`;
    throw new StoreWriteError(message, { cause: error });
  }
}

function distinct(terms: readonly (TaxonomyEntry | null)[]): TaxonomyEntry[] {
  return [...new Map(terms.flatMap((term) => (term ? [[term.slug, term]] : []))).values()];
}
