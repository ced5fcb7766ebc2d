import { gzipSync } from "fflate";
import type { parquetWriteBuffer } from "hyparquet-writer";
import {
  COLUMNS,
  type ColumnName,
  storedValue,
  type TableColumn,
  type TableRow,
} from "./fields.js";

type ParquetOptions = Parameters<typeof parquetWriteBuffer>[0];

/**
 * The columns and the schema of a Parquet file, for its writer. Its bytes are the same on every machine, because fflate
 * compresses it; the output of Node's zlib depends on the processor.
 * @param names of its columns, in order
 */
export function parquetOf(summaries: readonly TableRow[], names: readonly ColumnName[]) {
  return {
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
    createdBy: "crawldex",
  } satisfies ParquetOptions;
}

type Schema = NonNullable<ParquetOptions["schema"]>;

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
