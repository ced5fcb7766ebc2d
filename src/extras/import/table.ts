import { CsvError, parse } from "csv-parse/sync";
import { visit } from "jsonc-parser";
import { isObject } from "../../contract/values.js";
import type { ProblemCode } from "../../input/checking/codes.js";
import { hiddenLosses, parseJsonText } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import { type Problem, quote } from "../../input/checking/problem.js";
import { RECORD_MAX } from "../../input/checking/record.js";

/** A table as another program has exported it. */
export interface Table {
  /** The line of its header, counted from 1. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly ImportRow[];
  /** What the reader of the result should know about how it was read. */
  readonly warnings: readonly string[];
}

export interface ImportRow {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number;
  /** By column; a row may lack some. Texts if the table is CSV. */
  readonly cells: ReadonlyMap<string, unknown>;
}

/** The largest file that is read, and the most that a compressed file unpacks to. */
export const FILE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The largest table that is read: a larger one has to be split. A record has far fewer columns, so a table with more
 * is no table of records. A row of CSV or a line has as much room as a record of a published directory.
 */
const LIMITS = {
  rows: [1_000_000, "rows; split it into several tables"],
  columns: [1_000, "columns; is it a table of listings or scans?"],
  row: [RECORD_MAX, "characters in a row; is a quote not closed?"],
  name: [200, "characters in the name of a column"],
} as const;

function requireAtMost(limit: keyof typeof LIMITS, found: number, line: number): void {
  const [most, what] = LIMITS[limit];
  if (found > most) refuse(line, `has ${found} of at most ${most} ${what}`);
}

/** A table cannot be read. */
export class TableSyntaxError extends Error {
  override readonly name = "TableSyntaxError";
  /** Their file is the table, whose name the caller knows. */
  readonly problems: readonly Omit<Problem, "file">[];

  constructor(problems: readonly Omit<Problem, "file">[]) {
    super("the table cannot be read");
    this.problems = problems;
  }
}

/** @throws TableSyntaxError */
export function refuse(line: number, message: string, code: ProblemCode = "table-wrong"): never {
  throw new TableSyntaxError([{ code, line, column: 1, path: "$", message }]);
}

/**
 * Reads a table: a JSON array of objects, objects one a line, an object with one member that is an array of objects, or
 * CSV (RFC 4180) with a header, whose delimiter may also be a semicolon, a tab or a bar.
 * @param text without byte-order mark
 * @param isRecord whether an object with these members is a row, though one of them may be an array of objects
 * @throws TableSyntaxError
 */
export function readTable(text: string, isRecord: (members: readonly string[]) => boolean): Table {
  const isJson = /^\s*[[{]/.test(text);
  const table = isJson ? jsonTable(text, isRecord) : csvTable(text);
  if (table.columns.length === 0) refuse(table.line, "is empty: it has no columns");
  return table;
}

function jsonTable(text: string, isRecord: (members: readonly string[]) => boolean): Table {
  const content = text.trim();
  const end = content.indexOf("\n");
  if (content.startsWith("{") && end >= 0 && "value" in parseJsonText(content.slice(0, end))) {
    return objectTable(linesIn(text));
  }
  const value = parsedJson(text, 1);
  if (Array.isArray(value)) return objectTable(itemsIn(text, value, null));
  if (!isObject(value) || isRecord(Object.keys(value))) return objectTable([[1, value]]);
  const arrays = Object.keys(value).filter((key) => isRows(value[key]));
  const full = arrays.filter((key) => Array.isArray(value[key]) && value[key].length > 0);
  const named = full.length > 0 ? full : arrays;
  const [taken] = named;
  if (named.length > 1) {
    const arrays = named.map(quote).join(", ");
    refuse(
      1,
      `is an object with several arrays of objects: ${arrays}; write the right one to a file`,
    );
  }
  const rows = taken === undefined ? undefined : value[taken];
  if (taken === undefined || !Array.isArray(rows)) return objectTable([[1, value]]);
  const objects = rows.length === 1 ? "1 object" : `${rows.length} objects`;
  const warnings = [`took the ${objects} of ${quote(taken)}`];
  return { ...objectTable(itemsIn(text, rows, taken)), warnings };
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

type LineObject = readonly [line: number, object: unknown];

/**
 * The items of an array, with the lines on which they begin.
 * @param member the key of the array in the object that the text is; null if the text is the array
 */
function itemsIn(text: string, items: readonly unknown[], member: string | null): LineObject[] {
  requireAtMost("rows", items.length, 1);
  const depth = member === null ? 1 : 2;
  const lines: number[] = [];
  const onBegin = (line: number, path: readonly unknown[]) => {
    if (path.length < depth) return true;
    if (path.length === depth && (member === null || path[0] === member)) lines.push(line + 1);
    return false;
  };
  visit(text, {
    onObjectBegin: (_at, _length, line, _column, pathOf) => onBegin(line, pathOf()),
    onArrayBegin: (_at, _length, line, _column, pathOf) => onBegin(line, pathOf()),
    onLiteralValue: (_value, _at, _length, line, _column, pathOf) => {
      onBegin(line, pathOf());
    },
    // Without these two, what is skipped would never end.
    onObjectEnd: () => {},
    onArrayEnd: () => {},
  });
  return items.map((item, at) => [lines[at] ?? 1, item]);
}

/** The values of a text with one on each line. */
function* linesIn(text: string): Generator<LineObject> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    line += 1;
    requireAtMost("row", end - start, line);
    const content = text.slice(start, end);
    if (content.trim() !== "") yield [line, parsedJson(content, line)];
    // Blank lines count, too: a table has no room for millions of them.
    requireAtMost("rows", line, line);
    start = end + 1;
  }
}

/**
 * The value of a JSON text, whose numbers and keys all survive that.
 * @param line the line on which the text begins
 * @throws TableSyntaxError
 */
export function parsedJson(text: string, line: number): unknown {
  const json = parseJsonText(text);
  const findings = "finding" in json ? [json.finding] : hiddenLosses(json);
  if (findings.length > 0) throw new TableSyntaxError(locatedProblems("", line, text, findings));
  return "finding" in json ? undefined : json.value;
}

function objectTable(objects: Iterable<LineObject>): Table {
  const columns = new Set<string>();
  const rows: ImportRow[] = [];
  for (const [line, object] of objects) {
    if (!isObject(object)) refuse(line, "is not an object");
    const cells = new Map<string, unknown>(Object.entries(object));
    requireNames(line, [...cells.keys()]);
    for (const column of cells.keys()) columns.add(column);
    requireAtMost("columns", columns.size, line);
    rows.push({ line, cells });
  }
  return { line: 1, columns: [...columns], rows, warnings: [] };
}

function requireNames(line: number, columns: readonly string[]): void {
  requireAtMost("columns", columns.length, line);
  for (const { length } of columns) requireAtMost("name", length, line);
}

/** The line that spreadsheets read and write to name the delimiter. */
const SEPARATOR = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i;
const DELIMITERS = [",", ";", "\t", "|"];
const LINE_ENDS = ["\r\n", "\n", "\r"];

function csvTable(text: string): Table {
  const [separator = "", delimiter = delimiterOf(text)] = SEPARATOR.exec(text) ?? [];
  const first = separator === "" ? 1 : 2;
  const [header, ...records] = csvRecords(text.slice(separator.length), delimiter, first);
  const { line, fields } = header ?? { line: first, fields: [] };
  const all = fields.map((name) => name.trim());
  const columns = all.filter((name) => name !== "");
  const twice = columns.find((name, at) => columns.indexOf(name) < at);
  if (twice !== undefined) refuse(line, `has two columns named ${JSON.stringify(twice)}`);
  requireNames(line, columns);
  let nameless = 0;
  const rows = records.map(({ line, fields }): ImportRow => {
    const cells = new Map<string, unknown>();
    for (const [at, field] of fields.entries()) {
      const column = all[at];
      if (column) cells.set(column, field);
      else if (field.trim() === "") continue;
      else if (column === "") nameless += 1;
      else refuse(line, `has ${fields.length} fields, but the header has ${all.length}`);
    }
    return { line, cells };
  });
  const values = nameless === 1 ? "1 value, which is" : `${nameless} values, which are`;
  const warnings = nameless > 0 ? [`a column without a name has ${values} left out`] : [];
  return { line, columns, rows, warnings };
}

/** The delimiter that is most frequent in the header. */
function delimiterOf(text: string): string {
  const header = /[^\r\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const counts = DELIMITERS.map((one) => [header.split(one).length, one] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The rows that are not blank. @param line the line on which the text begins */
function csvRecords(text: string, delimiter: string, line: number): CsvRecord[] {
  const bytes = Buffer.from(text);
  const records: CsvRecord[] = [];
  let start = 0;
  let at = line;
  let rows = 0;
  const take = (fields: readonly string[], end: number) => {
    requireAtMost("columns", fields.length, at);
    // Blank rows count, too. The first row is the header.
    requireAtMost("rows", rows, at);
    rows += 1;
    if (fields.some((field) => field !== "")) records.push({ line: at, fields });
    // The parser's own count of lines is wrong where quoted fields have CRLF.
    for (; start < end; start += 1) {
      if (bytes[start] === 0x0a || (bytes[start] === 0x0d && bytes[start + 1] !== 0x0a)) at += 1;
    }
  };
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      max_record_size: RECORD_MAX,
      on_record: (fields: readonly string[], { bytes }) => {
        take(fields, bytes);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_MAX_RECORD_SIZE") requireAtMost("row", RECORD_MAX + 1, at);
    refuse(at, "has a quote that is not closed, or text beside a quoted field");
  }
  return records;
}
