import { basename } from "node:path";
import { BadInputError, ProblemList } from "../../input/checking/problem.js";
import { checkedOptions, requireArgument } from "../../lib/options.js";
import {
  fittedTable,
  ImportUsageError,
  namesHost,
  requireMappedColumns,
  type Tally,
  type UnusedColumn,
} from "./columns.js";
import { Documents } from "./documents.js";
import { textOf } from "./files.js";
import { formatFrom } from "./formats.js";
import { FILES, IMPORT, type ImportOptions, type TableKind } from "./options.js";
import { type IncomingRecord, placeRecords } from "./placing.js";
import { Rows } from "./rows.js";
import { type NamedText, scannedRecords } from "./scanned.js";
import { readTable, TableSyntaxError } from "./table.js";
import type { JoinedSpelling, NewTerm } from "./terms.js";

/** What became of a table. */
export interface ImportedTable {
  /** The name of its file. */
  readonly table: string;
  /** What its rows are. */
  readonly kind: TableKind;
  /** The files of the published directory that have its records. */
  readonly paths: readonly string[];
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
  const given = checkedOptions("importTables", options, IMPORT);
  requireFitting(options);
  const { published, from } = given;
  const documents = await Documents.open(published);
  const problems = new ProblemList();
  const work: ImportWork = { ...given, documents, problems, tables };
  const plan = from === undefined ? await tablePlan(work) : await scannerPlan(work, from);
  throwIfBad(work);
  await placeRecords(published, documents, plan.records, plan.replaced, problems);
  throwIfBad(work);
  const { filled, terms, joined, drafted, warnings } = plan.result();
  const files = plan.files.map(({ name, kind, tally, unused }): ImportedTable => {
    const { paths, ...numbers } = tally;
    return { table: name, kind, paths: [...paths], ...numbers, unused };
  });
  return { files, filled, terms, joined, drafted, warnings };
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

interface ImportWork extends ImportOptions {
  readonly published: string;
  readonly update: boolean;
  readonly replace: boolean;
  readonly documents: Documents;
  readonly problems: ProblemList;
  /** The paths of the tables' files. */
  readonly tables: readonly string[];
}

/** What is to be written, and what to say of it. */
interface ImportPlan {
  readonly records: readonly IncomingRecord[];
  /** Files whose records are given anew. */
  readonly replaced: ReadonlySet<string>;
  readonly files: readonly {
    readonly name: string;
    readonly kind: TableKind;
    readonly tally: Tally;
    readonly unused: readonly UnusedColumn[];
  }[];
  /** Called when the records are placed. */
  result(): Omit<ImportResult, "files">;
}

async function tablePlan(work: ImportWork): Promise<ImportPlan> {
  const { documents, problems, update, replace } = work;
  const map = new Map(Object.entries(work.map ?? {}));
  const isRecord = (members: readonly string[]) =>
    members.some((member) => namesHost(map.get(member) ?? member));
  const read = await attemptEach(work, await texts(work), ({ path, text }) => {
    return { path, table: readTable(text, isRecord) };
  });
  throwIfBad(work);
  const tables = read.map(({ table }) => table);
  requireMappedColumns(tables, map);
  const fitted = await attemptEach(work, read, ({ path, table }) =>
    fittedTable(path, table, { ...work, map }),
  );
  throwIfBad(work);
  const rows = new Rows(documents, fitted, problems, work.null ?? []);
  const records = fitted.flatMap((table) => rows.recordsIn(table, update));
  throwIfBad(work);
  rows.placeTerms(documents);
  const terms = [...rows.terms.values()];
  return {
    records,
    replaced: new Set(replace ? fitted.map(({ target }) => target) : []),
    files: fitted,
    result: () => ({
      filled: [...rows.filled].flatMap(([field, all]) => [...all].map((from) => ({ field, from }))),
      terms: terms.flatMap(({ added }) => added),
      joined: terms.flatMap(({ joined }) => joined),
      drafted: rows.drafted,
      warnings: [
        ...fitted.flatMap(({ name, warnings }) => warnings.map((one) => `${name}: ${one}`)),
        ...rows.warnings,
        ...(rows.filled.has("scoreVersion") && documents.hasTemplate("rubric")
          ? [TEMPLATE_RUBRIC]
          : []),
      ],
    }),
  };
}

const TEMPLATE_RUBRIC =
  "the rubric is still that of crawldex init, and the bands of these scores will follow it: write standards.json " +
  "first, or import the files of a scanner with --from";

async function scannerPlan(work: ImportWork, from: string): Promise<ImportPlan> {
  const files = await texts(work);
  const [format] = await attemptEach(work, [{ path: from }], () => formatFrom(from));
  if (format === undefined) throw refusal(work);
  const scanned = await scannedRecords(files, format, work);
  const { records, drafted, warnings } = scanned;
  const { name } = format;
  return {
    records,
    replaced: new Set(),
    files: (["listings", "scans"] as const).map((kind) => {
      return { name, kind, tally: scanned[kind], unused: [] };
    }),
    result: () => ({ filled: [], terms: [], joined: [], drafted, warnings }),
  };
}

interface TableText extends NamedText {
  readonly path: string;
}

function texts(work: ImportWork): Promise<TableText[]> {
  const paths = work.tables.map((path) => ({ path }));
  return attemptEach(work, paths, async ({ path }) => {
    return { path, name: basename(path), text: await textOf(path, work.encoding) };
  });
}

/** The results of an action about each table. A table that is refused is a problem, and has none. */
async function attemptEach<T extends { readonly path: string }, R>(
  { problems }: ImportWork,
  tables: readonly T[],
  action: (table: T) => Promise<R> | R,
): Promise<R[]> {
  const results: R[] = [];
  for (const table of tables) {
    try {
      results.push(await action(table));
    } catch (error) {
      if (!(error instanceof TableSyntaxError)) throw error;
      const file = basename(table.path);
      problems.add(error.problems.map((problem) => ({ ...problem, file })));
    }
  }
  return results;
}

function throwIfBad(work: ImportWork): void {
  if (work.problems.count > 0) throw refusal(work);
}

function refusal({ problems, tables }: ImportWork): TableRefusedError {
  return new TableRefusedError(tables.join(", "), "table", problems);
}
