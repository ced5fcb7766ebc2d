import { gzipSync } from "fflate";
import type { parquetWriteBuffer } from "hyparquet-writer";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import type { SiteSummary } from "../../contract/listing.js";
import { csvRows, csvText } from "../../pages/kit/escape.js";
import {
  COLUMNS,
  storedValue,
  summaryColumns,
  type TableColumn,
} from "../../store/segments/table.js";
import { storedJson } from "../../store/stored-json.js";
import { HISTORY_COLUMNS, type HistoryColumn, type ScanRow, scansIn } from "./history.js";
import { type DumpFile, type HistoryFile, isHistoryFile, type ListingFile } from "./names.js";

/*
 * The files with all listings, and those with all scans. The same rows give the same bytes everywhere, because fflate
 * compresses them.
 */

/**
 * Makes the bytes of files with all listings, or of those with all scans.
 * @param rows for each listing by host a line: its summary, or its scans (history.ts). They come in parts of as many as
 * a row group has, whose buffers belong to the maker
 */
export type MakeDump = (
  files: readonly DumpFile[],
  rows: AsyncIterable<Uint8Array>,
) => Promise<ReadonlyMap<DumpFile, Uint8Array>>;

/** Makes them from one reading of the rows. */
export const dumpFiles: MakeDump = (files, rows) => {
  const history = files.filter(isHistoryFile);
  if (history.length > 0) return written(history, HISTORY_WRITERS, scansIn, rows);
  const listings = files.filter((file) => !isHistoryFile(file));
  return written(listings, LISTING_WRITERS, (line) => [storedJson<SiteSummary>(line)], rows);
};

async function written<F extends DumpFile, R>(
  files: readonly F[],
  writers: Readonly<Record<F, () => DumpWriter<R>>>,
  rowsIn: (line: string) => readonly R[],
  parts: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<DumpFile, Uint8Array>> {
  const open = files.map((file) => [file, writers[file]()] as const);
  for await (const part of parts) {
    const rows = new TextDecoder().decode(part).split("\n").slice(0, -1).flatMap(rowsIn);
    for (const [, writer] of open) await writer.add(rows);
  }
  const made = new Map<DumpFile, Uint8Array>();
  for (const [file, writer] of open) made.set(file, await writer.finish());
  return made;
}

/** Writes a file of the dump. @template R its rows */
interface DumpWriter<R> {
  add(rows: readonly R[]): Promise<void>;
  finish(): Promise<Uint8Array>;
}

const LISTING_WRITERS: Readonly<Record<ListingFile, () => DumpWriter<SiteSummary>>> = {
  "listings.parquet": () => parquetWriter("listings", listingSchema(), listingColumns),
  "listings.ndjson.gz": () => gzipWriter("", ndjsonText),
  "listings.csv.gz": () => gzipWriter(csvText(summaryColumns(), []), tableText),
};

const HISTORY_WRITERS: Readonly<Record<HistoryFile, () => DumpWriter<ScanRow>>> = {
  "history.parquet": () =>
    parquetWriter("history", HISTORY_COLUMNS.map(historySchema), historyColumns),
  "history.ndjson.gz": () => gzipWriter("", ndjsonText),
};

/** Rows per gzip member. */
const MEMBER = 500;

/** @param head before the first row @param textOf writes rows */
function gzipWriter<R>(head: string, textOf: (rows: readonly R[]) => string): DumpWriter<R> {
  const members = [member(head)];
  return {
    add: async (rows) => {
      for (let at = 0; at < rows.length; at += MEMBER)
        members.push(member(textOf(rows.slice(at, at + MEMBER))));
    },
    finish: async () => concatenated(members),
  };
}

function member(text: string): Uint8Array {
  return gzipSync(new TextEncoder().encode(text), { mtime: 0 });
}

function ndjsonText(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** The rows as CSV. Spaces join the values of a list, since no slug and no id contains one. */
function tableText(rows: readonly SiteSummary[]): string {
  return csvRows(
    rows.map((row) =>
      summaryColumns().map((name) => {
        const value = storedValue(row, name);
        if (typeof value === "boolean") return String(value);
        return typeof value === "object" && value !== null ? value.join(" ") : value;
      }),
    ),
  );
}

type ParquetOptions = Parameters<typeof parquetWriteBuffer>[0];
type ParquetSchema = NonNullable<ParquetOptions["schema"]>;
type ParquetColumns = ParquetOptions["columnData"];

/** @param schema of each column */
function parquetWriter<R>(
  name: string,
  schema: readonly ParquetSchema[],
  columnsOf: (rows: readonly R[]) => ParquetColumns,
): DumpWriter<R> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    schema: [{ name, num_children: schema.length }, ...schema.flat()],
    codec: "GZIP",
    compressors: { GZIP: (page) => gzipSync(page, { mtime: 0 }) },
    createdBy: "crawldex",
    writer,
  });
  return {
    add: async (rows) => {
      await file.write({ columnData: columnsOf(rows), rowGroupSize: rows.length });
    },
    finish: async () => {
      await file.finish();
      return new Uint8Array(writer.getBuffer());
    },
  };
}

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

function historySchema({ name, type, isNullable }: HistoryColumn): ParquetSchema {
  const repetition_type = isNullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
  return [{ name, ...(type === "text" ? TEXT : { type: "INT32" as const }), repetition_type }];
}

function historyColumns(rows: readonly ScanRow[]): ParquetColumns {
  return HISTORY_COLUMNS.map(({ name }) => {
    return { name, data: rows.map((row) => row[name]), offsetIndex: false };
  });
}

function listingSchema(): ParquetSchema[] {
  return summaryColumns().map((name) => columnSchema(name, COLUMNS[name]));
}

function listingColumns(listings: readonly SiteSummary[]): ParquetColumns {
  return summaryColumns().map((name) => ({
    name,
    data: listings.map((listing) => storedValue(listing, name)),
    offsetIndex: false,
  }));
}

function columnSchema(name: string, { kind, isNullable = false }: TableColumn): ParquetSchema {
  const repetition_type = isNullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
  if (kind === "number") return [{ name, type: "INT32" as const, repetition_type }];
  if (kind === "flag") return [{ name, type: "BOOLEAN" as const, repetition_type }];
  if (kind === "text" || kind === "term") return [{ name, ...TEXT, repetition_type }];
  return [
    { name, repetition_type, converted_type: "LIST" as const, num_children: 1 },
    { name: "list", repetition_type: "REPEATED" as const, num_children: 1 },
    { name: "element", ...TEXT, repetition_type: "REQUIRED" as const },
  ];
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
