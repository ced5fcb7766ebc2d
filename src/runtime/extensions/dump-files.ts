import { gzipSync } from "fflate";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import type { DumpFile } from "../../contract/dump.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { Engine } from "../../engine/answering.js";
import { csvText } from "../../pages/kit/escape.js";
import { storedValue, summaryColumns } from "../../store/segments/fields.js";
import { parquetOf } from "../../store/segments/parquet-columns.js";

/* The files with all listings. The same listings give the same bytes everywhere, because fflate compresses them. */

/** Listings that are processed between two pauses for other requests: those of a gzip member, which take about 25 ms. */
const IN_A_ROW = 500;
/** Listings of a row group of the Parquet file, which take about 60 ms. Smaller groups would make the file larger. */
const GROUP = 2_000;

/** What a dump is made from. */
interface DumpSource {
  readonly engine: Engine;
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
}

/** The bytes of a file of the dump. */
export function dumpFile(file: DumpFile, source: DumpSource): Promise<Uint8Array> {
  return MAKERS[file](source);
}

const MAKERS: Readonly<Record<DumpFile, (source: DumpSource) => Promise<Uint8Array>>> = {
  "listings.parquet": parquetFile,
  "listings.ndjson.gz": (source) => gzipped(source, "", ndjsonText),
  "listings.csv.gz": (source) => gzipped(source, csvText([summaryColumns()]), tableText),
};

/** @param head before the first row @param textOf writes rows */
async function gzipped(
  source: DumpSource,
  head: string,
  textOf: (rows: readonly SiteSummary[]) => string,
): Promise<Uint8Array> {
  const members = [member(head)];
  for await (const rows of rowPages(source)) members.push(member(textOf(rows)));
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
  return csvText(
    rows.map((row) =>
      summaryColumns().map((name) => {
        const value = storedValue(row, name);
        if (typeof value === "boolean") return String(value);
        return typeof value === "object" && value !== null ? value.join(" ") : value;
      }),
    ),
  );
}

async function parquetFile(source: DumpSource): Promise<Uint8Array> {
  const columns = (rows: readonly SiteSummary[]) => parquetOf(rows, summaryColumns());
  const writer = new ByteWriter();
  const file = new ParquetWriter({ ...columns([]), writer });
  for await (const rows of rowPages(source, GROUP)) {
    await file.write({ columnData: columns(rows).columnData, rowGroupSize: GROUP });
  }
  await file.finish();
  return new Uint8Array(writer.getBuffer());
}

/** All listings, sorted by host, `limit` at a time. */
async function* rowPages(
  { engine, pause }: DumpSource,
  limit = IN_A_ROW,
): AsyncGenerator<SiteSummary[]> {
  for (let page = 1; (page - 1) * limit < engine.size; page += 1) {
    const body = await engine.search({ sort: "host", page, limit });
    const { data }: { readonly data: SiteSummary[] } = JSON.parse(new TextDecoder().decode(body));
    yield data;
    await pause();
  }
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
