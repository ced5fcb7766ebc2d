import { basename } from "node:path";
import { BadInputError, ProblemList } from "../../input/checking/problem.js";
import { checkedOptions, requireArgument } from "../../lib/options.js";
import { ImportUsageError, namesHost, type UnusedColumn } from "./columns.js";
import { Documents } from "./documents.js";
import { textOf } from "./files.js";
import { fittedTable, type ReadTable, requireMappedColumns } from "./fitting.js";
import { formatFrom } from "./formats.js";
import { FILES, IMPORT, type ImportOptions, type TableKind } from "./options.js";
import { type IncomingRecord, placeRecords } from "./placing.js";
import { type FittedTable, Rows } from "./rows.js";
import { isTemplate, type ScannedFile, scannedRecords } from "./scanned.js";
import { readTable, TableSyntaxError } from "./table.js";
import type { JoinedSpelling, NewTerm } from "./terms.js";

/** What became of a table. */
export interface ImportedTable {
  /** The name of its file. */
  readonly table: string;
  /** What its rows are. */
  readonly kind: TableKind;
  /** The file of the published directory that its new records are in. */
  readonly file: string;
  /** The numbers of records that were added, changed, and left as they were. */
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The columns whose names match no field. They are left out. */
  readonly unused: readonly UnusedColumn[];
}

/** The result of `importTables`. */
export interface ImportResult {
  readonly files: readonly ImportedTable[];
  /** The required fields, such as `status`, that got a value where a table has none, with the value or its origin. */
  readonly filled: readonly { readonly field: string; readonly from: string }[];
  /** The terms that were added to taxonomy.json, because listings name them, with their first places. */
  readonly terms: readonly NewTerm[];
  /** Spellings that were taken for the name of a term that is spelt otherwise. */
  readonly joined: readonly JoinedSpelling[];
  /** The ids of the checks that standards.json got, because scans have results of them. */
  readonly drafted: readonly string[];
  readonly warnings: readonly string[];
}

/** A table does not fit. Nothing was written. */
export class TableRefusedError extends BadInputError {
  override readonly name = "TableRefusedError";
  override readonly unwritten = "no record";
}

/**
 * Turns tables into records of a published directory, as `crawldex import` does: all of them, or nothing. A table is
 * CSV with a header, a JSON array of objects, or objects one a line; it may be compressed with gzip. Columns have the
 * names of fields (docs/publishing.md), those of objects with a dot, such as `entitlements.history`.
 * @param tables the tables' files
 * @throws TableRefusedError if a table cannot be read or a row does not fit; ImportUsageError if `map` or `from` name
 * what does not exist; BadPublishedError and PublishedFolderError for what is in the published directory;
 * StoreWriteError; TypeError for a wrong argument
 */
export async function importTables(
  tables: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  requireArgument("importTables", "files", tables, FILES);
  const { published, from, ...given } = checkedOptions("importTables", options, IMPORT);
  requireFitting(options);
  const problems = new ProblemList();
  const documents = await Documents.open(published);
  const work: ImportWork = { published, documents, problems, tables };
  return from === undefined ? importRows(work, given) : importScanned(work, from, given);
}

/** Refuses options that do not go together. @throws ImportUsageError */
function requireFitting(options: ImportOptions): void {
  if (options.update && options.replace) {
    throw new ImportUsageError("--update and --replace exclude each other");
  }
  if (options.from === undefined && options.counts !== undefined) {
    throw new ImportUsageError("--counts needs --from");
  }
  const ofTables = (["as", "map", "null", "replace"] as const).find((name) => options[name]);
  if (options.from !== undefined && ofTables !== undefined) {
    throw new ImportUsageError(`--${ofTables} is for tables, not for the files of a scanner`);
  }
}

interface ImportWork {
  readonly published: string;
  readonly documents: Documents;
  readonly problems: ProblemList;
  /** The paths of the tables' files. */
  readonly tables: readonly string[];
}

type RowOptions = Pick<ImportOptions, "as" | "counts" | "encoding" | "map" | "null"> & {
  readonly update: boolean;
  readonly replace: boolean;
};

async function importRows(work: ImportWork, options: RowOptions): Promise<ImportResult> {
  const { published, documents, problems, tables } = work;
  const { as, encoding, update, replace } = options;
  const map = new Map(Object.entries(options.map ?? {}));
  const isRecord = (members: readonly string[]) =>
    members.some((member) => namesHost(map.get(member) ?? member));
  const read: ReadTable[] = [];
  for (const path of tables) {
    const text = await attempt(work, path, () => textOf(path, encoding));
    if (text === undefined) continue;
    const table = await attempt(work, path, () => readTable(text, isRecord));
    if (table !== undefined) read.push({ path, table });
  }
  throwIfBad(work);
  requireMappedColumns(read, map);
  const fitting = { published, as, map, update, replace };
  const fitted: FittedTable[] = [];
  for (const one of read) {
    const table = await attempt(work, one.path, () => fittedTable(one, fitting));
    if (table !== undefined) fitted.push(table);
  }
  throwIfBad(work);
  const rows = new Rows(documents, problems, { empty: options.null ?? [], isUpdate: update });
  rows.learnChecks(fitted);
  const records: IncomingRecord[] = [];
  for (const one of fitted) {
    const { kind } = one.columns;
    if (kind === "listings" || kind === "scans") records.push(...rows.recordsIn(one));
    else rows.placeEntries(one, kind);
  }
  throwIfBad(work);
  rows.placeTerms();
  const targets = fitted.map(({ target }) => target).filter((file) => file.endsWith(".ndjson"));
  const replaced = new Set(replace ? targets : []);
  await placeRecords(published, documents, records, replaced, problems);
  throwIfBad(work);
  const files = fitted.map(({ name, target, columns: { kind, unused }, tally }) => {
    return { table: name, kind, file: target, ...tally, unused };
  });
  const terms = [...rows.terms.values()];
  return {
    files,
    filled: [...rows.filled].flatMap(([field, all]) => [...all].map((from) => ({ field, from }))),
    terms: terms.flatMap(({ added }) => added),
    joined: terms.flatMap(({ joined }) => joined),
    drafted: rows.drafted,
    warnings: [
      ...fitted.flatMap(({ name, table }) => table.warnings.map((one) => `${name}: ${one}`)),
      ...rows.warnings,
      ...(rows.filled.has("scoreVersion") && isTemplate(documents) ? [TEMPLATE_RUBRIC] : []),
    ],
  };
}

const TEMPLATE_RUBRIC =
  "the rubric is still that of crawldex init, and the bands of these scores will follow it: write standards.json " +
  "first, or import the files of a scanner with --from";

async function importScanned(
  work: ImportWork,
  from: string,
  { encoding, update, counts }: RowOptions,
): Promise<ImportResult> {
  const { published, documents, problems, tables } = work;
  const files: ScannedFile[] = [];
  for (const path of tables) {
    const text = await attempt(work, path, () => textOf(path, encoding));
    if (text === undefined) continue;
    files.push({ path, text });
  }
  const format = await attempt(work, from, () => formatFrom(from));
  if (format === undefined) throw refusal(work);
  const options = { published, documents, update, counts, problems };
  const { records, tallies, drafted, warnings } = await scannedRecords(files, format, options);
  throwIfBad(work);
  await placeRecords(published, documents, records, new Set(), problems);
  throwIfBad(work);
  const unused: readonly UnusedColumn[] = [];
  return {
    files: tallies.map(({ name, kind, target, tally }) => {
      return { table: name, kind, file: target, ...tally, unused };
    }),
    filled: [],
    terms: [],
    joined: [],
    drafted,
    warnings,
  };
}

/** The result of an action about a table; undefined if the table is refused, which is a problem of it. */
async function attempt<T>(
  { problems }: ImportWork,
  path: string,
  action: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof TableSyntaxError)) throw error;
    problems.add(error.problems.map((problem) => ({ ...problem, file: basename(path) })));
    return undefined;
  }
}

function throwIfBad(work: ImportWork): void {
  if (work.problems.count > 0) throw refusal(work);
}

function refusal({ problems, tables }: ImportWork): TableRefusedError {
  return new TableRefusedError(tables.join(", "), "table", problems);
}
