import { gzipSync } from "fflate";
import type { parquetWriteBuffer } from "hyparquet-writer";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import type { DumpFile } from "../../contract/dump.js";
import type { SiteSummary } from "../../contract/listing.js";
import { csvRows, csvText } from "../../pages/kit/escape.js";
import {
  COLUMNS,
  storedValue,
  summaryColumns,
  type TableColumn,
} from "../../store/segments/fields.js";
import type { MakeDump } from "../answer/content.js";

/* The files with all listings. The same listings give the same bytes everywhere, because fflate compresses them. */

/** Makes the bytes of a file of the dump. */
export const dumpFile: MakeDump = (file, rows) => MAKERS[file](rows);

type DumpRows = Parameters<MakeDump>[1];

const MAKERS: Readonly<Record<DumpFile, (rows: DumpRows) => Promise<Uint8Array>>> = {
  "listings.parquet": parquetFile,
  "listings.ndjson.gz": (rows) => gzipped(rows, "", ndjsonText),
  "listings.csv.gz": (rows) => gzipped(rows, csvText(summaryColumns(), []), tableText),
};

/** @param head before the first row @param textOf writes rows */
async function gzipped(
  rows: DumpRows,
  head: string,
  textOf: (rows: readonly SiteSummary[]) => string,
): Promise<Uint8Array> {
  const members = [member(head)];
  for await (const body of rows) members.push(member(textOf(listingsIn(body))));
  return concatenated(members);
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

async function parquetFile(rows: DumpRows): Promise<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ ...PARQUET_OPTIONS, writer });
  for await (const body of rows) {
    const listings = listingsIn(body);
    await file.write({ columnData: columnsOf(listings), rowGroupSize: listings.length });
  }
  await file.finish();
  return new Uint8Array(writer.getBuffer());
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

function listingsIn(body: Uint8Array): SiteSummary[] {
  const { data }: { readonly data: SiteSummary[] } = JSON.parse(new TextDecoder().decode(body));
  return data;
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
