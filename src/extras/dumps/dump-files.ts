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
import type { DumpFile } from "./names.js";

/* The files with all listings. The same listings give the same bytes everywhere, because fflate compresses them. */

/**
 * Makes the bytes of files with all listings.
 * @param rows the summaries of all listings by host, one a line, in parts of as many as a row group has. Their
 * buffers belong to the maker
 */
export type MakeDump = (
  files: readonly DumpFile[],
  rows: AsyncIterable<Uint8Array>,
) => Promise<ReadonlyMap<DumpFile, Uint8Array>>;

/** Makes them from one reading of the rows. */
export const dumpFiles: MakeDump = async (files, rows) => {
  const writers = files.map((file) => [file, WRITERS[file]()] as const);
  for await (const lines of rows) {
    const listings = listingsIn(lines);
    for (const [, writer] of writers) await writer.add(listings);
  }
  const made = new Map<DumpFile, Uint8Array>();
  for (const [file, writer] of writers) made.set(file, await writer.finish());
  return made;
};

/** Writes a file of the dump. */
interface DumpWriter {
  add(listings: readonly SiteSummary[]): Promise<void>;
  finish(): Promise<Uint8Array>;
}

const WRITERS: Readonly<Record<DumpFile, () => DumpWriter>> = {
  "listings.parquet": parquetWriter,
  "listings.ndjson.gz": () => gzipWriter("", ndjsonText),
  "listings.csv.gz": () => gzipWriter(csvText(summaryColumns(), []), tableText),
};

/** Listings per gzip member. */
const MEMBER = 500;

/** @param head before the first row @param textOf writes rows */
function gzipWriter(head: string, textOf: (rows: readonly SiteSummary[]) => string): DumpWriter {
  const members = [member(head)];
  return {
    add: async (listings) => {
      for (let at = 0; at < listings.length; at += MEMBER)
        members.push(member(textOf(listings.slice(at, at + MEMBER))));
    },
    finish: async () => concatenated(members),
  };
}

function member(text: string): Uint8Array {
  return gzipSync(new TextEncoder().encode(text), { mtime: 0 });
}

function ndjsonText(rows: readonly SiteSummary[]): string {
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

function parquetWriter(): DumpWriter {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ ...PARQUET_OPTIONS, writer });
  return {
    add: async (listings) => {
      await file.write({ columnData: columnsOf(listings), rowGroupSize: listings.length });
    },
    finish: async () => {
      await file.finish();
      return new Uint8Array(writer.getBuffer());
    },
  };
}

type ParquetOptions = Parameters<typeof parquetWriteBuffer>[0];
type ParquetSchema = NonNullable<ParquetOptions["schema"]>;

const PARQUET_OPTIONS = {
  columnData: columnsOf([]),
  schema: [
    { name: "listings", num_children: summaryColumns().length },
    ...summaryColumns().flatMap((name) => columnSchema(name, COLUMNS[name])),
  ],
  codec: "GZIP",
  compressors: { GZIP: (page) => gzipSync(page, { mtime: 0 }) },
  createdBy: "crawldex",
} satisfies ParquetOptions;

function columnsOf(listings: readonly SiteSummary[]): ParquetOptions["columnData"] {
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
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  if (kind === "text" || kind === "term") return [{ name, ...text, repetition_type }];
  return [
    { name, repetition_type, converted_type: "LIST" as const, num_children: 1 },
    { name: "list", repetition_type: "REPEATED" as const, num_children: 1 },
    { name: "element", ...text, repetition_type: "REQUIRED" as const },
  ];
}

function listingsIn(lines: Uint8Array): SiteSummary[] {
  const texts = new TextDecoder().decode(lines).split("\n").slice(0, -1);
  return texts.map((text) => storedJson<SiteSummary>(text));
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
