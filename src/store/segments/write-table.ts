import { gzipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { SiteSummary } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";
import { COLUMNS, type ColumnKind } from "./fields.js";

/*
 * Writes a segment's table: a Parquet file that other programs read too. Its bytes are the same on every machine, because
 * fflate compresses it; Node's zlib gives other bytes on other processors.
 */

/** A page never ends before its column, so that there is one of each. */
const PAGE_BYTES = 2 ** 31;
const ROWS_MAX = 2 ** 31;

/** The bytes of a table. @param summaries sorted by host */
export function writeTable(summaries: readonly SiteSummary[]): Uint8Array {
  const names = namesOf(COLUMNS);
  const bytes = parquetWriteBuffer({
    columnData: names.map((name) => ({
      name,
      data: summaries.map((summary) => storedValue(summary, name)),
      offsetIndex: false,
    })),
    schema: [
      { name: "listings", num_children: names.length },
      ...names.flatMap((name) => schemaOf(name, COLUMNS[name])),
    ],
    codec: "GZIP",
    compressors: { GZIP: (page) => gzipSync(page, { mtime: 0 }) },
    statistics: false,
    pageSize: PAGE_BYTES,
    rowGroupSize: ROWS_MAX,
    createdBy: "crawldex",
  });
  return new Uint8Array(bytes);
}

/** Terms are stored by their slugs: the manifest has their names. */
function storedValue(summary: SiteSummary, name: keyof SiteSummary) {
  if (name === "category") return summary.category?.slug ?? null;
  if (name === "tags") return summary.tags.map(({ slug }) => slug);
  return summary[name];
}

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;

function schemaOf(name: string, { kind, isNullable = false }: ColumnKind): Schema {
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
