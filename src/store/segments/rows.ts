import { LIMITS } from "../../contract/limits.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { foldText, instantKey } from "../../contract/order.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import { BadColumnsError } from "../columns/file.js";
import {
  FIELD_END,
  type ListingColumns,
  NO_SCORE,
  VALUE_NAMES,
  VALUES,
  type ValueName,
  type ValueRows,
} from "../columns/listings.js";
import { DistinctTexts, listOf, type Texts, textAt, textsOf } from "../columns/texts.js";
import type { BriefTable, TextColumn } from "./brief-table.js";
import { COLUMNS, type ColumnName } from "./fields.js";
import { requireShort, summaryWriter } from "./summary-rows.js";

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
export function tableHosts(table: BriefTable): string[] {
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
export interface TableColumns {
  readonly texts: TextColumns;
  readonly scores: Uint8Array;
  /** Whether each listing is highlighted. */
  readonly flags: ArrayLike<number>;
}

/** @throws BadColumnsError */
export function columnsIn(table: BriefTable, terms: StoredTerms): TableColumns {
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
export function readRows(table: TableColumns, live: Uint32Array): ListingColumns {
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

export type TextColumns = Readonly<Record<ColumnName, RowTexts>>;

export interface RowTexts extends TextColumn {
  /** The values as JSON; null if that is quoted texts. */
  readonly json: Texts | null;
}

const NOTHING: TextColumn = {
  values: textsOf([]),
  starts: new Uint32Array(0),
  named: new Uint32Array(0),
};

function textColumns(table: BriefTable, { categories, tags }: StoredTerms): TextColumns {
  return tableOf(namesOf(COLUMNS), (name) => {
    const { kind } = COLUMNS[name];
    if (kind === "number" || kind === "flag") return { ...NOTHING, json: null };
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
    : { ...NOTHING, starts: new Uint32Array(table.rows + 1) };
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

const END = String.fromCharCode(FIELD_END);

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
      texts.push((isNull ? "" : folded[named[starts[row]!]!]!) + END);
    }
  }
  const fields = new Uint32Array(texts.length + 1);
  for (const [field, { length }] of texts.entries()) fields[field + 1] = fields[field]! + length;
  const units = new Uint16Array(fields[texts.length]!);
  const joined = texts.join("");
  for (let at = 0; at < units.length; at += 1) units[at] = joined.charCodeAt(at);
  return { units, fields };
}
