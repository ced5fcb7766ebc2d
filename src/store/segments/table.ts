import { BadSnapshotError, unreadable } from "../bad-snapshot.js";
import { BadColumnsError } from "../columns/file.js";
import type { ListingColumns } from "../columns/listings.js";
import type { Segment } from "../format.js";
import type { CheckedFiles } from "../source.js";
import { COLUMNS } from "./fields.js";
import { type InflatePage, TableReader } from "./parquet.js";
import { type ColumnSource, columnsIn, readRows, type StoredTerms, tableHosts } from "./rows.js";
import { BadTableError } from "./thrift.js";

/** The most values of a column of lists. An empty list counts as one. */
const VALUES_MAX = 1_048_576;
/** The most bytes of a table's pages: hundreds of times those of an ordinary one. */
const PAGES_MAX = 128 * 1024 * 1024;

/** A segment's table whose rows were not read yet. */
export interface OpenTable {
  /** By row. */
  readonly hosts: readonly string[];
  /** Columns of a later version, which this one ignores. */
  readonly unknownColumns: readonly string[];
  /** @param live the rows to read, in order @throws BadTableError */
  rows(live: Uint32Array): ListingColumns;
}

/** As `openTable`, where inflating a page takes a promise. @throws BadTableError, or what `inflate` throws */
export async function openTableLater(
  bytes: Uint8Array,
  segment: Pick<Segment, "rows">,
  terms: StoredTerms,
  inflate: (bytes: Uint8Array, length: number) => Promise<Uint8Array>,
): Promise<OpenTable> {
  const pages = new Map<number, Uint8Array>();
  const found = readerOf(bytes, segment, () => null).compressedPages();
  await Promise.all(
    found.map(async (page) => {
      pages.set(page.bytes.byteOffset, await inflate(page.bytes, page.length));
    }),
  );
  return openTable(bytes, segment, terms, (page) => pages.get(page.byteOffset) ?? null);
}

/** The members of a manifest that its tables are read with. */
export interface TablesManifest {
  readonly segments: readonly Segment[];
  readonly vocabulary: StoredTerms;
}

/** Reads and opens the table of a segment. @throws BadTableError, or what reading and inflating throw */
export type ReadTable = (
  segment: Segment,
  files: CheckedFiles,
  manifest: TablesManifest,
) => Promise<OpenTable>;

/** The tables of a store. @param inflate inflates a page */
export function storedTables(inflate: Parameters<typeof openTableLater>[3]): ReadTable {
  return async (segment, files, { vocabulary }) =>
    openTableLater(await files.file(segment.table), segment, vocabulary, inflate);
}

/** Opens a table. @param bytes whole, and checked against the manifest @throws BadTableError */
export function openTable(
  bytes: Uint8Array,
  segment: Pick<Segment, "rows">,
  terms: StoredTerms,
  inflate: InflatePage,
): OpenTable {
  return openColumns(readerOf(bytes, segment, inflate), terms);
}

/** Opens a table of any form. @throws BadTableError */
export function openColumns(table: ColumnSource, terms: StoredTerms): OpenTable {
  let columns: ReturnType<typeof columnsIn> | null = null;
  return {
    hosts: table.rows === 0 ? [] : tableHosts(table),
    unknownColumns: [...table.names].filter((name) => !Object.hasOwn(COLUMNS, name)),
    rows: (live) => {
      columns ??= columnsIn(table, terms);
      return readRows(columns, live);
    },
  };
}

/** The columns of a Parquet file. @throws BadTableError */
export function readerOf(
  bytes: Uint8Array,
  { rows }: Pick<Segment, "rows">,
  inflate: InflatePage,
): TableReader {
  // Each row has another host, of a byte at least.
  if (rows > bytes.length) throw new BadTableError("its table cannot have so many rows");
  // A table without rows has no columns.
  if (rows === 0) return TableReader.empty();
  return new TableReader(bytes, { rows, valuesMax: VALUES_MAX, bytesMax: PAGES_MAX }, inflate);
}

/** Runs an action that reads a file. @throws BadSnapshotError that names the file */
export function checking<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return namedError(file)(error);
  }
}

/** Makes the error of reading a file name it. @returns what throws the error @throws BadSnapshotError */
export function namedError(file: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof BadSnapshotError) throw error;
    const isBad = error instanceof BadTableError || error instanceof BadColumnsError;
    if (isBad) throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
    throw unreadable(file, error);
  };
}

/**
 * The rows of each segment that count: a host in several segments has them in the last one.
 * @param hosts by segment and row, oldest segment first
 */
export function liveRows(hosts: readonly (readonly string[])[]): Uint32Array[] {
  const seen = new Set<string>();
  const live: Uint32Array[] = hosts.map(() => new Uint32Array(0));
  for (let segment = hosts.length - 1; segment >= 0; segment -= 1) {
    live[segment] = rowsBelow(hosts[segment] ?? [], seen);
  }
  return live;
}

/** The rows of a segment that count. @param seen the hosts of all later segments, to which it adds its own */
export function rowsBelow(hosts: readonly string[], seen: Set<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, host] of hosts.entries()) {
    if (seen.has(host)) continue;
    seen.add(host);
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
