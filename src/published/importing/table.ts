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

/** A table cannot be read. */
export class TableSyntaxError extends Error {
  override readonly name = "TableSyntaxError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
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
  if (!Array.isArray(rows)) throw new TableSyntaxError(1, "is no array of objects");
  return tableFrom(rows.map((row: unknown, at) => [at + 1, row]));
}

function linesTable(text: string): Table {
  const lines = text.split("\n").map((line, at): [number, string] => [at + 1, line]);
  const filled = lines.filter(([, line]) => line.trim() !== "");
  return tableFrom(filled.map(([at, line]) => [at, parsedJson(line, at)]));
}

function parsedJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TableSyntaxError(line, `is not JSON: ${(error as Error).message}`);
  }
}

function tableFrom(objects: readonly (readonly [line: number, object: unknown])[]): Table {
  const columns = new Set<string>();
  const rows = objects.map(([line, object]): ImportRow => {
    if (typeof object !== "object" || object === null || Array.isArray(object)) {
      throw new TableSyntaxError(line, "is not an object");
    }
    const cells = new Map<string, unknown>(Object.entries(object));
    for (const column of cells.keys()) columns.add(column);
    return { line, cells };
  });
  return { columns: [...columns], rows };
}

function csvTable(text: string): Table {
  const [header, ...records] = csvRecords(text, delimiterOf(text));
  const columns = (header?.fields ?? []).map((name) => name.trim());
  const twice = columns.find((name, at) => columns.indexOf(name) < at);
  if (twice !== undefined) {
    throw new TableSyntaxError(1, `has two columns named ${JSON.stringify(twice)}`);
  }
  const rows = records.map(({ line, fields }): ImportRow => {
    if (fields.length > columns.length) {
      const [found, expected] = [fields.length, columns.length];
      throw new TableSyntaxError(line, `has ${found} fields, but the header has ${expected}`);
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

/** Matches a field, quoted or not, and its end. Quotes in a quoted field are doubled. It may have megabytes of JSON. */
function fieldPattern(delimiter: string): RegExp {
  return new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^${delimiter}\\r\\n"]*))(${delimiter}|\\r?\\n|$)`,
    "y",
  );
}

function csvRecords(text: string, delimiter: string): CsvRecord[] {
  const pattern = fieldPattern(delimiter);
  const records: CsvRecord[] = [];
  let line = 1;
  let record: CsvRecord = { line, fields: [] };
  while (pattern.lastIndex < text.length || record.fields.length > 0) {
    const match = pattern.exec(text);
    if (match === null)
      throw new TableSyntaxError(
        line,
        "has a quote that is not closed, or text beside a quoted field",
      );
    const [, quoted, plain = "", end] = match;
    record.fields.push(quoted?.replaceAll('""', '"') ?? plain);
    line += match[0].split("\n").length - 1;
    if (end === delimiter) continue;
    if (record.fields.some((field) => field !== "")) records.push(record);
    record = { line, fields: [] };
    if (end === "") break;
  }
  return records;
}
