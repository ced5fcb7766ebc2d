import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { itemAt, tableOf } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";
import { disk } from "../../files/disk.js";
import { IrregularFileError, readRegular } from "../../files/regular.js";
import { breaches } from "../../input/checking/breaches.js";
import type { ProblemCode } from "../../input/checking/codes.js";
import { encodingFinding } from "../../input/checking/json.js";
import { BadInputError, excerpt, formatPath, ProblemList } from "../../input/checking/problem.js";
import { TERM_LISTS, type TermList } from "../../input/checking/schemas.js";
import { goodStandards } from "../../input/input.js";
import { fileError, RECORD_KINDS } from "../../input/locating/files.js";
import { readWhole } from "../../input/locating/locate.js";
import {
  checkedOptions,
  FILE,
  FLAG,
  FOLDER,
  oneOfTexts,
  optional,
  requireArgument,
  withDefault,
} from "../../lib/options.js";
import {
  cellValue,
  type FittedColumns,
  fitColumns,
  isTerms,
  kindOf,
  lossesIn,
  SCHEMAS,
  slugOf,
  type TableKind,
  termListOf,
  termsIn,
  type UnusedColumn,
} from "./columns.js";
import { type ImportRow, readTable, TABLE_LIMITS, type Table, TableSyntaxError } from "./table.js";

/** Options of `importTable`. */
export interface ImportOptions {
  /** The published directory, which must have its three documents. Default: "published". */
  readonly published?: string | undefined;
  /** What the rows are. Default: the kind of record that more columns fit. */
  readonly as?: TableKind | undefined;
  /** Whether to replace the file that an earlier import of a table of the same name wrote. Default: false. */
  readonly replace?: boolean | undefined;
}

const OPTIONS = {
  published: withDefault(FOLDER, "published"),
  as: optional(oneOfTexts(RECORD_KINDS)),
  replace: withDefault(FLAG, false),
};

/** The result of `importTable`. */
export interface ImportResult {
  /** What the rows are. */
  readonly kind: TableKind;
  /** The file that was written, relative to the published directory. */
  readonly file: string;
  /** Number of records in it. */
  readonly records: number;
  /** The columns whose names match no field. They are left out. */
  readonly unused: readonly UnusedColumn[];
  /** The required fields, such as `status`, that got a value where the table has none. */
  readonly filled: readonly string[];
  /** How many terms were added to taxonomy.json, because listings name them. */
  readonly added: AddedTerms;
}

/** A table does not fit. Nothing was written. */
export class TableRefusedError extends BadInputError {
  override readonly name = "TableRefusedError";
  override readonly unwritten = "no record";
}

/**
 * Turns a table of listings or of scans into records of a published directory, as `crawldex import` does: CSV with a
 * header, a JSON array of objects, or objects one a line. Columns have the names of fields (docs/publishing.md), those
 * of objects with a dot, such as `entitlements.history`. Lists are separated by commas, semicolons or bars.
 * @param table the table's file
 * @throws TableRefusedError if the table cannot be read or a row does not fit; BadPublishedError if a document of the
 * published directory is bad; PublishedFolderError if it does not exist; StoreWriteError; TypeError for a wrong
 * argument
 */
export async function importTable(
  table: string,
  options: ImportOptions = {},
): Promise<ImportResult> {
  requireArgument("importTable", "table", table, FILE);
  const { published, as, replace } = checkedOptions("importTable", options, OPTIONS);
  const name = basename(table);
  const problems = new ProblemList();
  const refuse = (line: number, message: string, code: ProblemCode = "table-wrong"): never => {
    problems.add([{ code, file: name, line, column: 1, path: "$", message }]);
    throw new TableRefusedError(table, "table", problems);
  };
  const bytes = await readRegular(table, TABLE_LIMITS.bytes).catch((error: unknown) =>
    refuse(1, unreadable(error), "file-unreadable"),
  );
  const text = bytes.toString("utf8");
  const encoding = encodingFinding(bytes, text);
  if (encoding !== null) {
    refuse(text.slice(0, encoding.at).split("\n").length, encoding.message, encoding.code);
  }
  const content = tableIn(text, (found) => {
    problems.add(found.map((problem) => ({ ...problem, file: name })));
    throw new TableRefusedError(table, "table", problems);
  });
  const fitted = fitColumns(content.columns, as ?? kindOf(content.columns));
  const { kind, fields, unused } = fitted;
  const columns = new Map<string, string>();
  for (const [column, { name: field }] of fields) {
    const other = columns.get(field);
    if (other !== undefined) refuse(1, `has two columns for ${field}: ${other} and ${column}`);
    columns.set(field, column);
  }
  const missing = REQUIRED[kind].find((field) => !columns.has(field));
  if (missing !== undefined) {
    const hint = unused.find(({ nearest }) => nearest === missing)?.column;
    const found = hint === undefined ? `its columns are ${listed(content)}` : `rename ${hint}`;
    refuse(1, `has no column ${missing}, which ${kind} need: ${found}`);
  }
  const stem = name.replace(/\.[^.]*$/, "");
  // A build reads no file whose name begins with a dot.
  if (/^\.|^$/.test(stem) || Buffer.byteLength(stem) > NAME_MAX) {
    refuse(1, `has a name that begins with a dot, or has over ${NAME_MAX} bytes; rename it`);
  }
  const file = `${kind}/${stem}.ndjson`;
  const path = join(published, file);
  if (!replace && existsSync(path)) refuse(1, `${file} exists already; --replace replaces it`);
  const filled = new Set<string>();
  const records = content.rows.map((row) => recordOf(row, fitted, filled));
  const { version } = goodStandards(published).rubric;
  for (const [at, record] of records.entries()) {
    const { line, cells } = itemAt(content.rows, at);
    if (kind === "scans" && !columns.has("scoreVersion") && typeof record.score === "number") {
      record.scoreVersion = version;
      filled.add("scoreVersion");
    }
    const losses = [...fields].flatMap(([column, field]) => lossesIn(field, cells.get(column)));
    for (const { code, path, message } of [...losses, ...breaches(SCHEMAS[kind], record)]) {
      problems.add([{ code, file: name, line, column: 1, path: formatPath(path), message }]);
    }
  }
  if (problems.count > 0) throw new TableRefusedError(table, "table", problems);
  const added = await addTerms(published, content, fitted);
  for (const folder of RECORD_KINDS) await disk.makeFolder(join(published, folder));
  const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
  await disk.writeFile(path, Buffer.concat(lines));
  return { kind, file, records: records.length, unused, filled: [...filled], added };
}

function tableIn(text: string, refuse: (problems: TableSyntaxError["problems"]) => never): Table {
  try {
    return readTable(text);
  } catch (error) {
    if (error instanceof TableSyntaxError) refuse(error.problems);
    throw error;
  }
}

/** The most bytes of a table's name. File systems allow 255, and an unfinished file has a longer name. */
const NAME_MAX = 200;

/** How many columns a message names. */
const COLUMNS_NAMED = 20;

function listed({ columns }: Table): string {
  const more = columns.length - COLUMNS_NAMED;
  const named = columns.slice(0, COLUMNS_NAMED).map(excerpt).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}

/** Why a table's file cannot be read, and the remedy. */
function unreadable(error: unknown): string {
  if (!(error instanceof IrregularFileError)) return fileError(error).message;
  const remedy = error.isTooLarge
    ? "split it into several tables"
    : "write the table to a file, and import that";
  return `cannot be read, because ${error.message}; ${remedy}`;
}

/** The columns that a table must have. */
const REQUIRED: Readonly<Record<TableKind, readonly string[]>> = {
  listings: ["host"],
  scans: ["host", "finishedAt"],
};

/** A record that may lack fields. */
type PartialRecord = Record<string, unknown>;

/** The values of the other required fields if no column has one. */
const FILLING: Readonly<Record<TableKind, readonly (readonly [string, Filler])[]>> = {
  listings: [
    ["url", ({ host }) => `https://${host}/`],
    ["status", () => "unclaimed"],
  ],
  scans: [
    ["id", ({ finishedAt }) => `scan-${String(finishedAt).replace(/\D+/g, "-").replace(/-$/, "")}`],
    ["status", () => "complete"],
  ],
};
type Filler = (record: PartialRecord) => string;

/** @param filled receives the fields that got a value of `FILLING` */
function recordOf(
  { cells }: ImportRow,
  { kind, fields }: FittedColumns,
  filled: Set<string>,
): PartialRecord {
  const record: PartialRecord = {};
  for (const [column, field] of fields) {
    const value = cellValue(field, cells.get(column));
    if (value === undefined) continue;
    const [key = "", inner] = field.name.split(".");
    if (inner === undefined) record[key] = value;
    else record[key] = { ...(isObject(record[key]) ? record[key] : {}), [inner]: value };
  }
  for (const [field, fill] of FILLING[kind]) {
    if (record[field] !== undefined) continue;
    record[field] = fill(record);
    filled.add(field);
  }
  return record;
}

/** How many terms were added to each list of taxonomy.json. */
export interface AddedTerms {
  /** Of `categories`. */
  readonly categories: number;
  /** Of `tags`. */
  readonly tags: number;
  /** Of `platforms`. */
  readonly platforms: number;
}

const LISTS = TERM_LISTS.map(({ list }) => list);

interface TaxonomyTerm {
  readonly slug: string;
  readonly name: string;
  readonly group?: string;
  readonly order?: number;
}

/**
 * Adds to taxonomy.json the terms that listings name and that it lacks. Their names are as in their first use.
 * @param published the published directory, whose taxonomy.json must be good
 * @throws StoreWriteError
 */
async function addTerms(
  published: string,
  { rows }: Table,
  { fields }: FittedColumns,
): Promise<AddedTerms> {
  const path = join(published, "taxonomy.json");
  const taxonomy: Partial<Record<TermList, TaxonomyTerm[]>> = JSON.parse(
    String(readWhole(path).bytes),
  );
  const added = tableOf(LISTS, () => 0);
  for (const [column, field] of fields) {
    const list = termListOf(field);
    if (list === undefined) continue;
    const terms = rows.flatMap(({ cells }) => {
      const cell = cells.get(column);
      return isTerms(cell) ? termsIn(list, cell) : [];
    });
    const known = taxonomy[list] ?? [];
    const fresh = newTerms(terms, known, list);
    taxonomy[list] = [...known, ...fresh];
    added[list] = fresh.length;
  }
  if (LISTS.some((list) => added[list] > 0)) {
    await disk.writeFile(path, Buffer.from(`${JSON.stringify(taxonomy, null, 2)}\n`));
  }
  return added;
}

function newTerms(
  names: readonly string[],
  known: readonly TaxonomyTerm[],
  list: TermList,
): TaxonomyTerm[] {
  const slugs = new Set(known.map(({ slug }) => slug));
  const fresh: TaxonomyTerm[] = [];
  for (const name of names) {
    const slug = slugOf(name);
    if (slug === "" || slugs.has(slug)) continue;
    slugs.add(slug);
    const order = slugs.size;
    fresh.push({ slug, name, ...(list !== "platforms" && { group: "imported", order }) });
  }
  return fresh;
}
