import { Gzip } from "fflate";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { StoreWriteError } from "../../files/disk.js";
import { BadColumnsError } from "../columns/file.js";
import { gunzip } from "../compression.js";
import { writeBrief } from "./brief-writer.js";
import { Bytes } from "./bytes.js";
import type { TableRow } from "./fields.js";
import { openTable, TABLE_BYTES_MAX } from "./table.js";

/**
 * The bytes of a table. Reads them again, which takes little time, because only readers check the limits.
 * @param rows sorted by host
 * @throws StoreWriteError if readers would refuse the table, for example because its summaries are too long
 */
export function writeTable(rows: readonly TableRow[]): Uint8Array {
  const pieces = writeBrief(rows);
  const bytes = new Bytes(0);
  // With a block of its own, each column gets its own codes: a tenth fewer bytes.
  const gzip = new Gzip({ level: 9, mtime: 0 }, (chunk) => bytes.all(chunk));
  for (const piece of pieces) {
    gzip.push(piece);
    gzip.flush();
  }
  gzip.push(new Uint8Array(0), true);
  const table = bytes.taken();
  requireReadable(table, rows);
  return table;
}

function requireReadable(bytes: Uint8Array, summaries: readonly TableRow[]): void {
  const terms = {
    categories: distinct(summaries.map(({ category }) => category)),
    tags: distinct(summaries.flatMap(({ tags }) => tags)),
  };
  try {
    const inflated = gunzip(bytes, TABLE_BYTES_MAX);
    const { hosts, rows } = openTable(inflated, { rows: summaries.length }, terms);
    rows(Uint32Array.from(hosts.keys()));
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    const first = summaries[0]?.host;
    const last = summaries.at(-1)?.host;
    const message = `the segment from ${first} to ${last} cannot be written: ${error.message}`;
    throw new StoreWriteError(message, { cause: error });
  }
}

function distinct(terms: readonly (TaxonomyEntry | null)[]): TaxonomyEntry[] {
  return [...new Map(terms.flatMap((term) => (term ? [[term.slug, term]] : []))).values()];
}
