import { existsSync } from "node:fs";
import { basename } from "node:path";
import { locatedProblems } from "../../input/checking/positions.js";
import { BadInputError, didYouMean, ProblemList, quote } from "../../input/checking/problem.js";
import { wholeFile } from "../../input/locating/files.js";
import { checkedOptions, requireArgument } from "../../lib/options.js";
import {
  type FittedTable,
  fittedTable,
  ImportUsageError,
  KINDS,
  namesHost,
  requireMappedColumns,
  type UnusedColumn,
} from "./columns.js";
import { Documents } from "./documents.js";
import { textOf } from "./files.js";
import { FORMATS } from "./formats.js";
import { mappedFormat, mappingIn } from "./mapping/mapping.js";
import { FILES, IMPORT, type ImportOptions, type TableKind } from "./options.js";
import { type ImportPlan, type ImportWork, placeRecords } from "./placing.js";
import { Rows } from "./rows.js";
import { runsIn, scannedPlan } from "./scanned.js";
import { DocumentError, type ScannerFormat } from "./scanner.js";
import { parsedJson, readTable, TableSyntaxError } from "./table.js";
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
  const documents = await Documents.open(given.published);
  const work = { ...given, tables, documents, problems: new ProblemList() };
  const plan = await (given.from === undefined ? tablePlan(work) : scannerPlan(work, given.from));
  throwIfBad(work);
  await placeRecords(work, plan);
  throwIfBad(work);
  const files = plan.files.map(({ name, kind, tally, unused }): ImportedTable => {
    const { paths, ...numbers } = tally;
    return { table: name, kind, paths: [...paths], ...numbers, unused };
  });
  return { files, ...plan.result() };
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

/** What is to be written, and what to say of it. */
export interface FullPlan extends ImportPlan {
  readonly files: readonly Pick<FittedTable, "name" | "kind" | "tally" | "unused">[];
  /** Called when the records are placed. */
  result(): Omit<ImportResult, "files">;
}

async function tablePlan(work: ImportWork): Promise<FullPlan> {
  const { documents, replace } = work;
  const map = new Map(Object.entries(work.map ?? {}));
  const isRecord = (members: readonly string[]) =>
    members.some((member) => namesHost(map.get(member) ?? member));
  const paths = work.tables.map((path) => ({ path }));
  const read = await attemptEach(work, paths, async ({ path }) => {
    return { path, table: readTable(await textOf(path, work.encoding), isRecord) };
  });
  throwIfBad(work);
  const columns = read.flatMap(({ table }) => table.columns);
  requireMappedColumns(columns, map);
  const fitted = await attemptEach(work, read, ({ path, table }) =>
    fittedTable(work, path, table, map),
  );
  throwIfBad(work);
  const rows = new Rows(work, fitted);
  const records = fitted.flatMap((table) => rows.recordsIn(table));
  throwIfBad(work);
  rows.placeTerms();
  const terms = [...rows.terms.values()];
  const isRecords = ({ kind }: FittedTable) => KINDS[kind].document === null;
  const targets = fitted.filter(isRecords).map(({ target }) => target);
  return {
    records,
    replaced: new Set(replace ? targets : []),
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

async function scannerPlan(work: ImportWork, from: string): Promise<FullPlan> {
  const { problems } = work;
  const texts = await textsOf(work);
  const [format] = await formatsOf(work, from);
  if (format === undefined) throw refusal(work);
  const files = await attemptEach(work, texts, ({ path, text }) =>
    runsIn(basename(path), text, format),
  );
  const runs = files.flat();
  if (problems.count === 0 && runs.every(({ failure }) => failure !== undefined)) {
    problems.add(
      runs.map(({ file, failure }) => {
        return wholeFile(file, { code: "table-wrong", message: `has no result: ${failure}` });
      }),
    );
  }
  throwIfBad(work);
  return scannedPlan(work, format, runs);
}

/**
 * The format that `--from` names; none if it names a file that is no mapping.
 * @param from the name of a scanner, or the path of a mapping
 * @throws ImportUsageError if it names neither
 */
async function formatsOf(work: ImportWork, from: string): Promise<readonly ScannerFormat[]> {
  const known = FORMATS.find(({ name }) => name === from);
  if (known !== undefined) return [known];
  if (existsSync(from)) {
    const texts = await textsOf({ ...work, tables: [from], encoding: undefined });
    return attemptEach(work, texts, ({ text }) => mappedFormat(mappingIn(parsedJson(text, 1))));
  }
  const names = FORMATS.map(({ name }) => name);
  throw new ImportUsageError(
    `--from: ${quote(from)} is neither a scanner (${names.join(", ")}) nor the file of a mapping` +
      didYouMean(from, names),
  );
}

function textsOf(work: ImportWork) {
  const paths = work.tables.map((path) => ({ path }));
  return attemptEach(work, paths, async ({ path }) => {
    return { path, text: await textOf(path, work.encoding) };
  });
}

/** The results of an action about each file. One that is refused is a problem, and has none. */
async function attemptEach<T extends { readonly path: string; readonly text?: string }, R>(
  { problems }: ImportWork,
  files: readonly T[],
  action: (file: T) => Promise<R> | R,
): Promise<R[]> {
  const results: R[] = [];
  for (const one of files) {
    const file = basename(one.path);
    try {
      results.push(await action(one));
    } catch (error) {
      if (error instanceof TableSyntaxError) {
        problems.add(error.problems.map((problem) => ({ ...problem, file })));
      } else if (error instanceof DocumentError) {
        problems.add(locatedProblems(file, 1, one.text ?? "", error.findings));
      } else throw error;
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
