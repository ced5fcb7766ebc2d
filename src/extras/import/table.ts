import { isObject } from "../../contract/values.js";
import { hiddenLosses, parseJsonText } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import type { Problem } from "../../input/checking/problem.js";
import { RECORD_MAX } from "../../input/checking/record.js";

/** A table as another program has exported it. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly ImportRow[];
}

export interface ImportRow {
  /** The line of the file on which the row begins, counted from 1; in a JSON array, the number of the row. */
  readonly line: number;
  /** By column. Texts if the table is CSV. */
  readonly cells: ReadonlyMap<string, unknown>;
}

/**
 * The largest table that is read: a larger one has to be split. A record has far fewer columns, so a table with more
 * is no table of records. A row of CSV or a line has as much room as a record of a published directory.
 */
export const TABLE_LIMITS = {
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

/**
 * Reads a table: a JSON array of objects, objects one a line, or CSV (RFC 4180) with a header, whose delimiter may also
 * be a semicolon or a tab.
 * @throws TableSyntaxError
 */
export function readTable(text: string): Table {
  const content = text.replace(/^\uFEFF/, "");
  const start = content.trimStart().charAt(0);
  if (start === "[") return objectsTable(content);
  return start === "{" ? linesTable(content) : csvTable(content);
}

function objectsTable(text: string): Table {
  const rows = parsedJson(text, 1);
  if (!Array.isArray(rows)) refuse(1, "is no array of objects");
  requireRows(rows.length, rows.length);
  return tableFrom(rows.map((row: unknown, at) => [at + 1, row]));
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

/** @param line the line on which the text begins */
function parsedJson(text: string, line: number): unknown {
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
  return { columns: [...columns], rows };
}

function csvTable(text: string): Table {
  const [header, ...records] = csvRecords(text, delimiterOf(text));
  const columns = (header?.fields ?? []).map((name) => name.trim());
  const names = new Set<string>();
  for (const name of columns) {
    if (names.has(name)) refuse(1, `has two columns named ${JSON.stringify(name)}`);
    names.add(name);
  }
  requireColumns(1, names);
  const rows = records.map(({ line, fields }): ImportRow => {
    if (fields.length > columns.length) {
      const found = fields.length;
      const expected = columns.length;
      refuse(line, `has ${found} fields, but the header has ${expected}`);
    }
    const cells = fields.map((field, at) => [columns[at] ?? "", field] as const);
    return { line, cells: new Map(cells) };
  });
  return { columns, rows };
}

/** The delimiter that is most frequent in the header. */
function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = [",", ";", "\t"].map((one) => [header.split(one).length, one] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}

interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

function csvRecords(text: string, delimiter: string): CsvRecord[] {
  const plain = new RegExp(`[^${delimiter}\\r\\n"]*`, "y");
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  let rows = 0;
  while (at < text.length) {
    const record: CsvRecord = { line, fields: [] };
    const start = at;
    for (;;) {
      const isQuoted = text.startsWith('"', at);
      plain.lastIndex = at;
      const field = isQuoted ? quotedField(text, at) : (plain.exec(text)?.[0] ?? "");
      if (field === null) refuse(line, BAD_QUOTE);
      record.fields.push(isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field);
      at += field.length;
      line += field.split("\n").length - 1;
      requireRoom(record.line, at - start);
      requireFields(record.line, record.fields.length);
      if (!text.startsWith(delimiter, at)) break;
      at += delimiter.length;
    }
    const [end] = LINE_END.exec(text.slice(at, at + 2)) ?? refuse(line, BAD_QUOTE);
    at += end.length;
    line += 1;
    if (record.fields.some((field) => field !== "")) records.push(record);
    // Blank rows count, too. The first row is the header.
    requireRows(rows, record.line);
    rows += 1;
  }
  return records;
}

const LINE_END = /^(?:\r?\n|$)/;
const BAD_QUOTE = "has a quote that is not closed, or text beside a quoted field";

/** The quoted field that begins at an offset, with its quotes; null if it does not end. Quotes inside are doubled. */
function quotedField(text: string, start: number): string | null {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? null : text.slice(start, end + 1);
}

function refuse(line: number, message: string): never {
  throw new TableSyntaxError([{ code: "table-wrong", line, column: 1, path: "$", message }]);
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
  requireAtMost(line, characters, TABLE_LIMITS.row, "characters in a row");
}

function requireRows(count: number, line: number): void {
  requireAtMost(line, count, TABLE_LIMITS.rows, "rows; split it into several tables");
}

function requireAtMost(line: number, found: number, most: number, what: string): void {
  if (found > most) refuse(line, `has ${found} of at most ${most} ${what}`);
}
