import { LIMITS } from "../../contract/limits.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { foldText, instantKey } from "../../contract/order.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import {
  BadColumnsError,
  Bytes,
  DistinctTexts,
  listOf,
  type Texts,
  textAt,
  textsOf,
} from "../columns/columns.js";
import {
  FIELD_END,
  type ListingColumns,
  NO_SCORE,
  VALUE_NAMES,
  VALUES,
  type ValueName,
  type ValueRows,
} from "../columns/listings.js";
import type { Segment } from "../format.js";
import {
  BriefTable,
  COLUMNS,
  type ColumnName,
  GISTS,
  summaryColumns,
  type TableColumn,
  type TextColumn,
} from "./table.js";

/** The most bytes of an inflated table: hundreds of times those of an ordinary one. */
export const TABLE_BYTES_MAX = 64 * 1024 * 1024;

/** The most bytes of all inflated tables of a snapshot for each of its rows: more than ten times as many as usual. */
const ROW_BYTES_MAX = 4_096;

/** How much the tables of a snapshot may inflate to. A small file may become large, and be named many times. */
export class TableRoom {
  #left: number;

  constructor(segments: readonly Pick<Segment, "rows">[]) {
    this.#left = segments.reduce((sum, { rows }) => sum + ROW_BYTES_MAX * rows, TABLE_BYTES_MAX);
  }

  /** The most bytes of the next table. */
  get most(): number {
    return Math.min(this.#left, TABLE_BYTES_MAX);
  }

  take({ length }: Uint8Array): void {
    this.#left = Math.max(0, this.#left - length);
  }
}

/** A segment's table whose rows have not been read yet. */
export interface OpenTable {
  /** By row. */
  readonly hosts: readonly string[];
  /** @param live the rows to read, in order @throws BadColumnsError */
  rows(live: Uint32Array): ListingColumns;
  /** What extras keep of the reports, which takes less time. @param live the rows to read @throws BadColumnsError */
  gists(live: Uint32Array): GistRow[];
}

/** A listing in search with what extras keep of its latest report (`ListingEntry.search`). */
export interface GistRow {
  readonly host: string;
  readonly score: number | null;
  readonly gists: readonly string[];
}

/** Opens a table. @param bytes inflated, and checked against the manifest @throws BadColumnsError */
export function openTable(
  bytes: Uint8Array,
  { rows }: Pick<Segment, "rows">,
  terms: StoredTerms,
): OpenTable {
  const table = new BriefTable(bytes, rows);
  const hosts = tableHosts(table);
  let columns: ReturnType<typeof columnsIn> | null = null;
  return {
    hosts,
    gists: (live) => gistRows(table, hosts, live),
    rows: (live) => {
      columns ??= columnsIn(table, terms);
      return readRows(columns, live);
    },
  };
}

/**
 * The rows of each segment that count: a host in several segments counts in the last one.
 * @param hosts by segment and row, oldest segment first
 */
export function liveRows(hosts: readonly (readonly string[])[]): Uint32Array[] {
  const seen = new Set<string>();
  const live: Uint32Array[] = hosts.map(() => new Uint32Array(0));
  for (let segment = hosts.length - 1; segment >= 0; segment -= 1) {
    live[segment] = rowsBelow(hosts[segment] ?? [], seen);
  }
  return live;
}

/** The rows of a segment that count. @param seen the hosts of all later segments, to which it adds its own */
export function rowsBelow(hosts: readonly string[], seen: Set<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, host] of hosts.entries()) {
    if (seen.has(host)) continue;
    seen.add(host);
    rows.push(row);
  }
  return Uint32Array.from(rows);
}

/*
 * From a segment's table to the engine's typed arrays. Nothing becomes an object for each listing: the JSON of a
 * summary is copied from its columns' bytes.
 */

/** The taxonomy entries that tables name by their slugs. */
export interface StoredTerms {
  readonly categories: readonly TaxonomyEntry[];
  readonly tags: readonly TaxonomyEntry[];
}

/** The hosts of a table's rows. @throws BadColumnsError if they are not sorted, or a host is there twice */
function tableHosts(table: BriefTable): string[] {
  const { values, named, starts } = textColumn(table, "host");
  const all = listOf(values);
  const hosts = Array.from({ length: table.rows }, (_, row) => all[named[starts[row]!]!]!);
  for (let row = 1; row < hosts.length; row += 1) {
    if (hosts[row - 1]! >= hosts[row]!)
      throw new BadColumnsError("its table is not sorted by host");
  }
  return hosts;
}

/** The columns of a table, each with a value for every row. */
interface TableColumns {
  readonly texts: TextColumns;
  readonly scores: Uint8Array;
  /** Whether each listing is highlighted. */
  readonly flags: ArrayLike<number>;
}

/** @throws BadColumnsError */
function columnsIn(table: BriefTable, terms: StoredTerms): TableColumns {
  return {
    texts: textColumns(table, terms),
    scores: scoresOf(table),
    flags: table.has("highlighted") ? table.numbers("highlighted").values : [],
  };
}

/**
 * Reads rows of a table.
 * @param live the rows to read, in order
 * @throws BadColumnsError
 */
function readRows(table: TableColumns, live: Uint32Array): ListingColumns {
  const { texts: columns } = table;
  requireShort(table, live);
  const write = summaryWriter(table);
  const scores = Uint8Array.from(live, (row) => table.scores[row]!);
  return {
    size: live.length,
    summary: (row) => write(live[row]!),
    scores,
    recents: recentsOf(columns.latestScannedAt, live),
    ...foldedOf(columns, live),
    filters: tableOf(VALUE_NAMES, (name) => selectedValues(columns, scores, name, live)),
  };
}

type TextColumns = Readonly<Record<ColumnName, RowTexts>>;

interface RowTexts extends TextColumn {
  /** The values as JSON; null if that is quoted texts. */
  readonly json: Texts | null;
}

const NO_TEXTS: TextColumn = {
  values: textsOf([]),
  starts: new Uint32Array(0),
  named: new Uint32Array(0),
};

function textColumns(table: BriefTable, { categories, tags }: StoredTerms): TextColumns {
  return tableOf(namesOf(COLUMNS), (name) => {
    const { kind } = COLUMNS[name];
    if (kind === "number" || kind === "flag") return { ...NO_TEXTS, json: null };
    const column = textColumn(table, name);
    if (kind === "term" || kind === "terms") {
      return { ...column, json: termsJson(column.values, kind === "term" ? categories : tags) };
    }
    return { ...column, json: null };
  });
}

function textColumn(table: BriefTable, name: ColumnName): TextColumn {
  const { kind, isNullable = false } = COLUMNS[name];
  const isList = kind === "texts" || kind === "terms";
  const column = table.has(name)
    ? table.texts(name, isList)
    : { ...NO_TEXTS, starts: new Uint32Array(table.rows + 1) };
  const isFull = isList || isNullable || column.starts[table.rows] === table.rows;
  if (!isFull) throw new BadColumnsError(`its table has rows without ${name}`);
  return column;
}

function termsJson(slugs: Texts, entries: readonly TaxonomyEntry[]): Texts {
  const known = new Map(entries.map((entry) => [entry.slug, JSON.stringify(entry)]));
  return textsOf(
    listOf(slugs).map((slug) => {
      const json = known.get(slug);
      if (json === undefined)
        throw new BadColumnsError(`its table names an unknown category or tag: ${slug}`);
      return json;
    }),
  );
}

function scoresOf(table: BriefTable): Uint8Array {
  if (!table.has("latestScore")) return new Uint8Array(table.rows).fill(NO_SCORE);
  const { values, nulls } = table.numbers("latestScore");
  return Uint8Array.from(values, (score, row) => {
    if (nulls[row] === 1) return NO_SCORE;
    if (score < 0 || score > LIMITS.scoreMax)
      throw new BadColumnsError("its table has a score that is not from 0 to 100");
    return score;
  });
}

function recentsOf({ values, starts, named }: TextColumn, live: Uint32Array): Texts {
  const keys = listOf(values).map(recentKey);
  return textsOf(
    Array.from(live, (row) => (starts[row] === starts[row + 1] ? "" : keys[named[starts[row]!]!]!)),
  );
}

function recentKey(instant: string): string {
  try {
    return instantKey(instant);
  } catch {
    throw new BadColumnsError("its table has an invalid date");
  }
}

function gistRows(table: BriefTable, hosts: readonly string[], live: Uint32Array): GistRow[] {
  const scores = scoresOf(table);
  const { values, starts, named } = table.has(GISTS) ? table.texts(GISTS, true) : NO_TEXTS;
  const texts = listOf(values);
  return Array.from(live, (row) => {
    const score = scores[row]!;
    const gists = Array.from(named.subarray(starts[row], starts[row + 1]), (at) => texts[at]!);
    return { host: hosts[row]!, score: score === NO_SCORE ? null : score, gists };
  });
}

/** The values of a filter, numbered in the order of their first use. */
function selectedValues(
  columns: TextColumns,
  scores: Uint8Array,
  name: ValueName,
  live: Uint32Array,
): ValueRows {
  const { values, starts, named } = columns[VALUES[name].column];
  const known = new DistinctTexts();
  const numbers = new Uint32Array(values.starts.length);
  /** By number, the last row that has it, plus 1: no value counts twice. */
  const lastRows: number[] = [];
  const rowStarts = new Uint32Array(live.length + 1);
  const places: number[] = [];
  for (const [place, row] of live.entries()) {
    const isLeftOut = name === "scoreVersion" && scores[place] === NO_SCORE;
    const end = isLeftOut ? 0 : starts[row + 1]!;
    for (let at = starts[row]!; at < end; at += 1) {
      const value = named[at]!;
      if (numbers[value] === 0) numbers[value] = 1 + known.placeOf(textAt(values, value));
      const number = numbers[value]! - 1;
      if (lastRows[number] === place + 1) continue;
      lastRows[number] = place + 1;
      places.push(number);
    }
    rowStarts[place + 1] = places.length;
  }
  return { values: known.texts, starts: rowStarts, places: Uint32Array.from(places) };
}

const FIELD_END_TEXT = String.fromCharCode(FIELD_END);

/** Folded host, name and tagline of each row, each ended by FIELD_END. */
function foldedOf(
  { host, name, tagline }: TextColumns,
  live: Uint32Array,
): Pick<ListingColumns, "units" | "fields"> {
  const columns = [host, name, tagline].map((column) => ({
    ...column,
    folded: listOf(column.values, foldText),
  }));
  const texts: string[] = [];
  for (const row of live) {
    for (const { folded, starts, named } of columns) {
      const isNull = starts[row] === starts[row + 1];
      texts.push((isNull ? "" : folded[named[starts[row]!]!]!) + FIELD_END_TEXT);
    }
  }
  const fields = new Uint32Array(texts.length + 1);
  for (const [field, { length }] of texts.entries()) fields[field + 1] = fields[field]! + length;
  const units = new Uint16Array(fields[texts.length]!);
  const joined = texts.join("");
  for (let at = 0; at < units.length; at += 1) units[at] = joined.charCodeAt(at);
  return { units, fields };
}

/* The JSON of summaries, copied from the bytes of their columns. */

const COMMA = 0x2c;
const encoder = new TextEncoder();

/** The most bytes of the texts of one summary, and of all of a segment. Their JSON has up to six times as many. */
const SUMMARY_MAX = 16 * 1024 * 1024;
const SUMMARIES_MAX = 64 * 1024 * 1024;

const NULL = encoder.encode("null");
const FLAGS = [encoder.encode("false"), encoder.encode("true")] as const;
const NUMBERS = Array.from({ length: LIMITS.scoreMax + 1 }, (_, score) =>
  encoder.encode(`${score}`),
);
/** The bytes before the value of each member. */
const HEADS = tableOf(summaryColumns(), (name) =>
  encoder.encode(`${name === "host" ? "{" : ","}${JSON.stringify(name)}:`),
);
const [OPEN_LIST, CLOSE_LIST, CLOSE_OBJECT] = ["[", "]", "}"].map((text) =>
  encoder.encode(text),
) as [Uint8Array, Uint8Array, Uint8Array];

const MEMBERS = summaryColumns();

/**
 * Makes the JSON of summaries from their columns.
 * @returns the bytes of the summary of a row. They are valid until the next one is made
 */
function summaryWriter({ texts, scores, flags }: TableColumns): (row: number) => Uint8Array {
  const json = new Bytes(1_024);
  return (row) => {
    json.length = 0;
    for (const name of MEMBERS) {
      json.all(HEADS[name]);
      if (name === "latestScore") json.all(NUMBERS[scores[row]!] ?? NULL);
      else if (name === "highlighted") json.all(FLAGS[flags[row] === 1 ? 1 : 0]);
      else writeTexts(json, texts[name], row, COLUMNS[name].kind);
    }
    json.all(CLOSE_OBJECT);
    return json.written();
  };
}

/**
 * Checks the lengths of summaries, as a table may name a long text many times, even in one row.
 * @throws BadColumnsError if the summaries of rows are too long
 */
function requireShort({ texts }: Pick<TableColumns, "texts">, live: Uint32Array): void {
  const lengths = new Float64Array(live.length);
  for (const name of MEMBERS) {
    const { json, values, starts, named } = texts[name];
    const { starts: bounds } = json ?? values;
    for (let place = 0; place < live.length; place += 1) {
      const end = starts[live[place]! + 1]!;
      for (let at = starts[live[place]!]!; at < end; at += 1) {
        lengths[place]! += bounds[named[at]! + 1]! - bounds[named[at]!]!;
      }
    }
  }
  const all = lengths.reduce((sum, length) => sum + length, 0);
  if (all > SUMMARIES_MAX || lengths.some((length) => length > SUMMARY_MAX)) {
    throw new BadColumnsError("its table has a summary that is too long");
  }
}

function writeTexts(
  into: Bytes,
  { json, values, starts, named }: RowTexts,
  row: number,
  kind: TableColumn["kind"],
): void {
  const isList = kind === "texts" || kind === "terms";
  const start = starts[row]!;
  const end = starts[row + 1]!;
  if (!isList && start === end) {
    into.all(NULL);
    return;
  }
  if (isList) into.all(OPEN_LIST);
  for (let at = start; at < end; at += 1) {
    if (at > start) into.byte(COMMA);
    if (json === null) writeText(into, values, named[at]!);
    else into.part(json.bytes, json.starts[named[at]!]!, json.starts[named[at]! + 1]!);
  }
  if (isList) into.all(CLOSE_LIST);
}

/** Writes the JSON of a text. Most texts need only quotes. */
function writeText(into: Bytes, texts: Texts, place: number): void {
  const { bytes, starts } = texts;
  if (into.quoted(bytes, starts[place]!, starts[place + 1]!)) return;
  into.all(encoder.encode(JSON.stringify(textAt(texts, place))));
}
