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

/**
 * The largest table that is read: a larger one has to be split. A record has far fewer columns, so a table with more
 * is no table of records. A row of CSV or a line has as much room as a record of a published directory.
 */
export const TABLE_LIMITS = {
  /** Of the file, and of what a compressed file unpacks to. */
  bytes: 256 * 1024 * 1024,
  rows: 1_000_000,
  columns: 1_000,
  /** Characters of a row. A cell has this room, too. */
  row: RECORD_MAX,
  /** Characters of a column's name. */
  name: 200,
} as const;

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
  const start = text.trimStart().charAt(0);
  if (start === "[") return arrayTable(text, parsedJson(text, 1), null);
  if (start !== "{") return csvTable(text);
  const content = text.trim();
  const end = content.indexOf("\n");
  if (end >= 0 && "value" in parseJsonText(content.slice(0, end))) return linesTable(text);
  const value = parsedJson(text, 1);
  if (!isObject(value) || isRecord(Object.keys(value))) return tableFrom([[1, value]]);
  const arrays = Object.keys(value).filter((key) => isRows(value[key]));
  const full = arrays.filter((key) => Array.isArray(value[key]) && value[key].length > 0);
  const [taken, other] = full.length > 0 ? full : arrays;
  if (taken === undefined) return tableFrom([[1, value]]);
  if (other !== undefined) {
    const named = (full.length > 0 ? full : arrays).map(quote).join(", ");
    refuse(
      1,
      `is an object with several arrays of objects: ${named}; write the right one to a file`,
    );
  }
  return arrayTable(text, value[taken], taken);
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

/** @param member the key of the array in the object that the text is; null if the text is the array */
function arrayTable(text: string, rows: unknown, member: string | null): Table {
  if (!Array.isArray(rows)) refuse(1, "is no array of objects");
  requireRows(rows.length, 1);
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
  const table = tableFrom(rows.map((row: unknown, at) => [lines[at] ?? 1, row]));
  const warnings = member === null ? [] : [`took the ${rows.length} objects of ${quote(member)}`];
  return { ...table, warnings };
}

function linesTable(text: string): Table {
  const objects: [number, unknown][] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    line += 1;
    requireRoom(line, end - start);
    const content = text.slice(start, end);
    if (content.trim() !== "") objects.push([line, parsedJson(content, line)]);
    // Blank lines count, too: a table has no room for millions of them.
    requireRows(line, line);
    start = end + 1;
  }
  return tableFrom(objects);
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

function tableFrom(objects: readonly (readonly [line: number, object: unknown])[]): Table {
  const columns = new Set<string>();
  const rows = objects.map(([line, object]): ImportRow => {
    if (!isObject(object)) refuse(line, "is not an object");
    const cells = new Map<string, unknown>(Object.entries(object));
    requireColumns(line, cells);
    for (const column of cells.keys()) columns.add(column);
    requireFields(line, columns.size);
    return { line, cells };
  });
  return { columns: [...columns], rows, warnings: [] };
}

/** The line that spreadsheets read and write to name the delimiter. */
const SEPARATOR = /^sep=([^\r\n])(?:\r\n|\r|\n|$)/i;
const DELIMITERS = [",", ";", "\t", "|"];
const LINE_ENDS = ["\r\n", "\n", "\r"];

function csvTable(text: string): Table {
  const [separator = "", delimiter = delimiterOf(text)] = SEPARATOR.exec(text) ?? [];
  const [header, ...records] = csvRecords(
    text.slice(separator.length),
    delimiter,
    separator ? 2 : 1,
  );
  const columns = (header?.fields ?? []).map((name) => name.trim());
  const line = header?.line ?? 1;
  const names = new Set<string>();
  for (const name of columns) {
    if (names.has(name)) refuse(line, `has two columns named ${JSON.stringify(name)}`);
    if (name !== "") names.add(name);
  }
  requireColumns(line, names);
  let nameless = 0;
  const rows = records.map(({ line, fields }): ImportRow => {
    const cells = new Map<string, unknown>();
    for (const [at, field] of fields.entries()) {
      const column = columns[at];
      if (column === undefined && field.trim() !== "") {
        refuse(line, `has ${fields.length} fields, but the header has ${columns.length}`);
      }
      if (column) cells.set(column, field);
      else if (field.trim() !== "") nameless += 1;
    }
    return { line, cells };
  });
  const warning = `a column without a name has ${nameless} values, which are left out`;
  return { columns: [...names], rows, warnings: nameless > 0 ? [warning] : [] };
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
    requireFields(at, fields.length);
    // Blank rows count, too. The first row is the header.
    requireRows(rows, at);
    rows += 1;
    if (fields.some((field) => field !== "")) records.push({ line: at, fields });
    // The parser's own count of lines is wrong where quoted fields have CRLF.
    at += lineEnds(bytes, start, end);
    start = end;
  };
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      max_record_size: TABLE_LIMITS.row,
      on_record: (fields: readonly string[], { bytes }) => {
        take(fields, bytes);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_MAX_RECORD_SIZE") requireRoom(at, TABLE_LIMITS.row + 1);
    refuse(at, "has a quote that is not closed, or text beside a quoted field");
  }
  return records;
}

function lineEnds(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) count += 1;
  }
  return count;
}

function requireColumns(
  line: number,
  names: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): void {
  requireFields(line, names.size);
  for (const { length } of names.keys()) {
    requireAtMost(line, length, TABLE_LIMITS.name, "characters in the name of a column");
  }
}

function requireFields(line: number, count: number): void {
  requireAtMost(line, count, TABLE_LIMITS.columns, "columns; is it a table of listings or scans?");
}

function requireRoom(line: number, characters: number): void {
  const hint = "characters in a row; is a quote not closed?";
  requireAtMost(line, characters, TABLE_LIMITS.row, hint);
}

function requireRows(count: number, line: number): void {
  requireAtMost(line, count, TABLE_LIMITS.rows, "rows; split it into several tables");
}

function requireAtMost(line: number, found: number, most: number, what: string): void {
  if (found > most) refuse(line, `has ${found} of at most ${most} ${what}`);
}
