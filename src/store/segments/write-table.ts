import { gzipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";
import { StoreWriteError } from "../../files/disk.js";
import { inflatePage } from "../compression.js";
import { COLUMNS, type ColumnName, type TableColumn, type TableRow } from "./fields.js";
import { openTable } from "./table.js";
import { BadTableError } from "./thrift.js";

/*
 * Writes a segment's table: a Parquet file that other programs read too. Its bytes are the same on every machine, because
 * fflate compresses it; Node's zlib gives other bytes on other processors.
 */

/** A page never ends before its column, so that there is one of each. */
const PAGE_BYTES = 2 ** 31;
const ROWS_MAX = 2 ** 31;

/**
 * The bytes of a table. Reads them again, which takes little of the time: the limits of readers are nowhere else.
 * @param summaries sorted by host
 * @throws StoreWriteError if readers would refuse the table, for example because its summaries are too long
 */
export function writeTable(summaries: readonly TableRow[]): Uint8Array {
  const names = namesOf(COLUMNS);
  const bytes = parquetWriteBuffer({
    columnData: names.map((name) => ({
      name,
      data: summaries.map((summary) => storedValue(summary, name)),
      offsetIndex: false,
    })),
    schema: [
      { name: "listings", num_children: names.length },
      ...names.flatMap((name) => parquetSchema(name, COLUMNS[name])),
    ],
    codec: "GZIP",
    compressors: { GZIP: (page) => gzipSync(page, { mtime: 0 }) },
    statistics: false,
    pageSize: PAGE_BYTES,
    rowGroupSize: ROWS_MAX,
    createdBy: "crawldex",
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

/** Terms are stored by their slugs: the manifest has their names. */
function storedValue(summary: TableRow, name: ColumnName) {
  if (name === "exempt") return summary.exempt ?? [];
  if (name === "category") return summary.category?.slug ?? null;
  if (name === "tags") return summary.tags.map(({ slug }) => slug);
  return summary[name];
}

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;

function parquetSchema(name: string, { kind, isNullable = false }: TableColumn): Schema {
  const repetition_type = isNullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
  if (kind === "number") return [{ name, type: "INT32" as const, repetition_type }];
  if (kind === "flag") return [{ name, type: "BOOLEAN" as const, repetition_type }];
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  if (kind === "text" || kind === "term") return [{ name, ...text, repetition_type }];
  return [
    { name, repetition_type, converted_type: "LIST" as const, num_children: 1 },
    { name: "list", repetition_type: "REPEATED" as const, num_children: 1 },
    { name: "element", ...text, repetition_type: "REQUIRED" as const },
  ];
}
