import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { didYouMean, excerpt } from "../../input/checking/problem.js";
import {
  type FittedColumns,
  fitColumns,
  ImportUsageError,
  kindOf,
  requireMappedFields,
} from "./columns.js";
import { stemOf } from "./files.js";
import type { TableKind } from "./options.js";
import type { FittedTable } from "./rows.js";
import { refuse, type Table } from "./table.js";

/** A table of a file. */
export interface ReadTable {
  readonly path: string;
  readonly table: Table;
}

/** How tables are to be fitted. */
interface FittingOptions {
  readonly published: string;
  readonly as: TableKind | undefined;
  readonly map: ReadonlyMap<string, string>;
  readonly update: boolean;
  readonly replace: boolean;
}

/** The columns that a table must have. */
const REQUIRED: Readonly<Record<TableKind, readonly string[]>> = {
  listings: ["host"],
  scans: ["host", "finishedAt"],
  categories: ["slug", "name"],
  tags: ["slug", "name"],
  platforms: ["slug", "name"],
  checks: ["id", "name"],
};

/** The most bytes of a table's name. File systems allow 255, and an unfinished file has a longer name. */
const NAME_MAX = 200;

/** How many columns a message names. */
const COLUMNS_NAMED = 20;

/** @throws ImportUsageError if a column that the map names is in no table */
export function requireMappedColumns(
  tables: readonly ReadTable[],
  map: ReadonlyMap<string, string>,
): void {
  const columns = new Set(tables.flatMap(({ table }) => table.columns));
  const missing = [...map.keys()].find((column) => !columns.has(column));
  if (missing === undefined) return;
  const named = `there is no column ${JSON.stringify(missing)}${didYouMean(missing, columns)}`;
  throw new ImportUsageError(`--map: ${named}`);
}

/**
 * Finds out what a table is.
 * @throws TableSyntaxError if it lacks a column, or has two for one field; ImportUsageError
 */
export function fittedTable({ path, table }: ReadTable, options: FittingOptions): FittedTable {
  const { as, map } = options;
  const columns = fitColumns(table.columns, as ?? kindOf(table.columns, map), map);
  requireMappedFields(table.columns, columns, map);
  requireOneEach(columns);
  requireAll(table, columns);
  const tally = { added: 0, updated: 0, unchanged: 0 };
  const target = targetOf(path, columns.kind, options);
  return { name: basename(path), target, table, columns, tally };
}

function requireOneEach({ fields }: FittedColumns): void {
  const columns = new Map<string, string>();
  for (const [column, { name }] of fields) {
    const other = columns.get(name);
    if (other !== undefined) {
      const remedy = `leave one out with --map ${JSON.stringify(`${column}=`)}`;
      refuse(1, `has two columns for ${name}: ${other} and ${column}; ${remedy}`);
    }
    columns.set(name, column);
  }
}

function requireAll({ columns: all }: Table, { kind, fields, isHostInUrl, unused }: FittedColumns) {
  const names = new Set([...fields.values()].map(({ name }) => name));
  if (isHostInUrl) names.add("host");
  const missing = REQUIRED[kind].find((name) => !names.has(name));
  if (missing === undefined) return;
  const words = all.map((column) => column.toLowerCase());
  const hint = unused.find(({ nearest }) => nearest === missing)?.column;
  const more = all.length - COLUMNS_NAMED;
  const named = all.slice(0, COLUMNS_NAMED).map(excerpt).join(", ");
  const found =
    missing === "host" && ["slug", "name"].every((name) => words.includes(name))
      ? "if it is a table of terms, import it with --as categories, tags or platforms"
      : hint === undefined
        ? `its columns are ${named}${more > 0 ? ` and ${more} more` : ""}`
        : `if ${hint} is the one, say so with --map ${JSON.stringify(`${hint}=${missing}`)}`;
  refuse(1, `has no column ${missing}, which ${kind} need: ${found}`);
}

/** The file for a table's new records, relative to the published directory. */
function targetOf(
  path: string,
  kind: TableKind,
  { published, update, replace }: FittingOptions,
): string {
  if (kind === "checks") return "standards.json";
  if (kind !== "listings" && kind !== "scans") return "taxonomy.json";
  const stem = stemOf(path);
  // A build reads no file whose name begins with a dot.
  if (/^\.|^$/.test(stem) || Buffer.byteLength(stem) > NAME_MAX) {
    refuse(1, `has a name that begins with a dot, or has over ${NAME_MAX} bytes; rename it`);
  }
  const file = `${kind}/${stem}.ndjson`;
  if (!update && !replace && existsSync(join(published, file))) {
    refuse(1, `${file} exists already; --update changes its records, --replace replaces them`);
  }
  return file;
}
