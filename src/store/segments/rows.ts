import { FILTERS } from "../../contract/filters.js";
import { LIMITS } from "../../contract/limits.js";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { foldText, instantKey } from "../../contract/order.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import { narrowColumn } from "../columns/file.js";
import { type GramRows, gramRows } from "../columns/gram-rows.js";
import {
  FIELD_END,
  type ListingColumns,
  NO_SCORE,
  VALUE_NAMES,
  type ValueName,
  type ValueRows,
} from "../columns/listings.js";
import { SHOWN, type SummaryRows } from "../columns/summaries.js";
import { DistinctTexts, listOf, type Texts, textAt, textsOf } from "../columns/texts.js";
import { COLUMNS } from "./fields.js";
import { BadTableError, type TableReader, type TextColumn } from "./parquet.js";

/*
 * From a segment's table to the engine's typed arrays. Nothing becomes an object for each listing: the JSON of a
 * summary is copied from its columns' bytes.
 */

/** The taxonomy entries that tables name by their slugs. */
export interface Terms {
  readonly categories: readonly TaxonomyEntry[];
  readonly tags: readonly TaxonomyEntry[];
}

/** The rows of one segment that are in search, as columns; without what finds texts quickly. */
export type SegmentRows = Omit<ListingColumns, "grams">;

/** Rows with what finds texts quickly, as a server needs them. */
export function withGrams(rows: SegmentRows): SegmentRows & { readonly grams: GramRows } {
  return { ...rows, grams: gramRows(rows.units, rows.fields) };
}

/** The hosts of a table's rows. @throws BadTableError */
export function hostsIn(table: TableReader): string[] {
  const { values, named, starts } = textColumn(table, "host");
  const hosts = listOf(values);
  return Array.from({ length: table.rows }, (_, row) => hosts[named[starts[row]!]!]!);
}

/**
 * Reads rows of a table.
 * @param live the rows to read, in order
 * @throws BadTableError
 */
export function readRows(table: TableReader, terms: Terms, live: Uint32Array): SegmentRows {
  const columns = textColumns(table, terms);
  const scores = scoresOf(table, live);
  return {
    size: live.length,
    summaries: summariesOf(table, columns, scores, live),
    scores,
    recents: recentsOf(columns.latestScannedAt, live),
    ...foldedOf(columns, live),
    filters: tableOf(VALUE_NAMES, (name) => valuesOf(columns, scores, name, live)),
  };
}

type TextColumns = Readonly<Record<keyof SiteSummary, RowTexts>>;

/** A column whose values are also JSON. */
interface RowTexts extends TextColumn {
  readonly json: Texts;
}

const NOTHING: TextColumn = {
  values: textsOf([]),
  starts: new Uint32Array(0),
  named: new Uint32Array(0),
};

function textColumns(table: TableReader, { categories, tags }: Terms): TextColumns {
  return tableOf(namesOf(COLUMNS), (name) => {
    const { kind } = COLUMNS[name];
    if (kind === "number" || kind === "flag") return { ...NOTHING, json: NOTHING.values };
    const column = textColumn(table, name);
    if (kind === "term" || kind === "terms") {
      return { ...column, json: termsJson(column.values, kind === "term" ? categories : tags) };
    }
    return { ...column, json: jsonOf(column.values) };
  });
}

function textColumn(table: TableReader, name: keyof SiteSummary): TextColumn {
  const { kind, isNullable = false } = COLUMNS[name];
  const isList = kind === "texts" || kind === "terms";
  if (!table.has(name)) return { ...NOTHING, starts: new Uint32Array(table.rows + 1) };
  const column = table.texts(name, isList);
  const isFull = isList || isNullable || column.starts[table.rows] === table.rows;
  if (!isFull) throw new BadTableError(`its table has no ${name} in some rows`);
  return column;
}

function termsJson(slugs: Texts, entries: readonly TaxonomyEntry[]): Texts {
  const known = new Map(entries.map((entry) => [entry.slug, JSON.stringify(entry)]));
  return textsOf(
    listOf(slugs).map((slug) => {
      const json = known.get(slug);
      if (json === undefined) throw new BadTableError(`its table names an unknown term: ${slug}`);
      return json;
    }),
  );
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const encoder = new TextEncoder();

/** The JSON of texts: the bytes of most need only quotes. */
function jsonOf(texts: Texts): Texts {
  const count = texts.starts.length - 1;
  const json = new Bytes(texts.bytes.length + 2 * count);
  const starts = new Uint32Array(count + 1);
  for (let text = 0; text < count; text += 1) {
    const [start, end] = [texts.starts[text]!, texts.starts[text + 1]!];
    if (isPlain(texts.bytes, start, end)) {
      json.byte(QUOTE);
      json.part(texts.bytes, start, end);
      json.byte(QUOTE);
    } else {
      json.all(encoder.encode(JSON.stringify(textAt(texts, text))));
    }
    starts[text + 1] = json.length;
  }
  return { bytes: json.taken(), starts };
}

/** Whether JSON has these bytes as they are. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

/** Bytes that grow. */
class Bytes {
  #bytes: Uint8Array;
  length = 0;

  /** @param room about how many bytes there will be */
  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length] = byte;
    this.length += 1;
  }

  all(bytes: Uint8Array): void {
    this.part(bytes, 0, bytes.length);
  }

  part(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const shift = this.length - start;
    if (length > SHORT) this.#bytes.set(bytes.subarray(start, end), this.length);
    else for (let at = start; at < end; at += 1) this.#bytes[at + shift] = bytes[at]!;
    this.length += length;
  }

  /** A copy without spare room. */
  taken(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length, 1024));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** A call of `set` costs as much as copying this many bytes one by one. */
const SHORT = 48;

function scoresOf(table: TableReader, live: Uint32Array): Uint8Array {
  if (!table.has("latestScore")) return new Uint8Array(live.length).fill(NO_SCORE);
  const { values, nulls } = table.numbers("latestScore");
  return Uint8Array.from(live, (row) => {
    if (nulls[row] === 1) return NO_SCORE;
    const score = values[row]!;
    if (score < 0 || score > LIMITS.scoreMax)
      throw new BadTableError("its table has a wrong score");
    return score;
  });
}

/** The largest JSON of a summary, in bytes, and that of all summaries of a segment. */
const SUMMARY_MAX = 16 * 1024 * 1024;
const SUMMARIES_MAX = 512 * 1024 * 1024;

const NULL = encoder.encode("null");
const FLAGS = [encoder.encode("false"), encoder.encode("true")] as const;
const NUMBERS = Array.from({ length: LIMITS.scoreMax + 1 }, (_, score) =>
  encoder.encode(`${score}`),
);
/** Of each member: what stands before its value. */
const HEADS = tableOf(namesOf(COLUMNS), (name) =>
  encoder.encode(`${name === "host" ? "{" : ","}${JSON.stringify(name)}:`),
);
const [OPEN, CLOSE, END] = ["[", "]", "},"].map((text) => encoder.encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The JSON of summaries, cut before the pieces that listings share (columns/summaries.ts). */
function summariesOf(
  table: TableReader,
  columns: TextColumns,
  scores: Uint8Array,
  live: Uint32Array,
): SummaryRows {
  const flags = table.has("highlighted") ? table.flags("highlighted").values : [];
  const own = new Bytes(512 * live.length);
  const starts = new Uint32Array(live.length + 1);
  const cuts = new Uint32Array(live.length);
  const shown = new Uint32Array(2 * SHOWN.length * live.length);
  const pieces = new SharedPieces(columns, live.length);
  for (const [place, row] of live.entries()) {
    const start = own.length;
    let next = 2 * SHOWN.length * place;
    for (const name of ORDER) {
      if (name === "category") cuts[place] = own.length - start;
      else if (name === "tags") own.all(CLOSE);
      else {
        own.all(HEADS[name]);
        const from = own.length - start;
        if (name === "latestScore") own.all(scoreJson(scores[place]!));
        else if (name === "highlighted") own.all(FLAGS[flags[row] === 1 ? 1 : 0]);
        else writeTexts(own, columns[name], row, COLUMNS[name].kind === "texts");
        if (IS_SHOWN.has(name)) {
          shown.set([from, own.length - start], next);
          next += 2;
        }
      }
    }
    own.all(END);
    starts[place + 1] = own.length;
    requireShort(own.length - start + pieces.add(row), own.length);
  }
  return {
    own: { bytes: own.taken(), starts },
    cuts: narrow(cuts),
    shown: narrow(shown),
    ...pieces.rows(),
  };
}

function scoreJson(score: number): Uint8Array {
  return NUMBERS[score] ?? NULL;
}

/** A table may name a long text many times. */
function requireShort(summary: number, all: number): void {
  if (summary > SUMMARY_MAX || all > SUMMARIES_MAX) {
    throw new BadTableError("its table has a summary that is too long");
  }
}

const ORDER = namesOf(COLUMNS);
const IS_SHOWN: ReadonlySet<string> = new Set(SHOWN);

function writeTexts(
  into: Bytes,
  { json, starts, named }: RowTexts,
  row: number,
  isList: boolean,
): void {
  const [start, end] = [starts[row]!, starts[row + 1]!];
  if (!isList && start === end) {
    into.all(NULL);
    return;
  }
  if (isList) into.all(OPEN);
  for (let at = start; at < end; at += 1) {
    if (at > start) into.byte(COMMA);
    into.part(json.bytes, json.starts[named[at]!]!, json.starts[named[at]! + 1]!);
  }
  if (isList) into.all(CLOSE);
}

/** The category and tags of summaries: pieces that are stored once, numbered in the order of their first use. */
class SharedPieces {
  readonly #category: RowTexts;
  readonly #tags: RowTexts;
  readonly #known = new DistinctTexts();
  /** Of each value, its number plus 1 as a category, as a first tag and as a later one. */
  readonly #categories: Uint32Array;
  readonly #firsts: Uint32Array;
  readonly #others: Uint32Array;
  readonly #lengths: number[] = [];
  readonly #starts: Uint32Array;
  readonly #named: number[] = [];
  #row = 0;

  constructor({ category, tags }: TextColumns, size: number) {
    this.#category = category;
    this.#tags = tags;
    this.#categories = new Uint32Array(category.json.starts.length);
    this.#firsts = new Uint32Array(tags.json.starts.length);
    this.#others = new Uint32Array(tags.json.starts.length);
    this.#starts = new Uint32Array(size + 1);
  }

  /** @returns the bytes of the row's pieces */
  add(row: number): number {
    const before = this.#named.length;
    const { starts, named } = this.#category;
    const none = this.#category.json.starts.length - 1;
    const value = starts[row] === starts[row + 1] ? none : named[starts[row]!]!;
    this.#name(this.#categories, value, () =>
      value === none ? ',"category":null' : `,"category":${textAt(this.#category.json, value)}`,
    );
    this.#addTags(row);
    this.#row += 1;
    this.#starts[this.#row] = this.#named.length;
    let bytes = 0;
    for (let at = before; at < this.#named.length; at += 1)
      bytes += this.#lengths[this.#named[at]!]!;
    return bytes;
  }

  #addTags(row: number): void {
    const { starts, named, json } = this.#tags;
    const none = json.starts.length - 1;
    const [start, end] = [starts[row]!, starts[row + 1]!];
    const first = start === end ? none : named[start]!;
    this.#name(this.#firsts, first, () => `,"tags":[${first === none ? "" : textAt(json, first)}`);
    for (let at = start + 1; at < end; at += 1) {
      const value = named[at]!;
      this.#name(this.#others, value, () => `,${textAt(json, value)}`);
    }
  }

  rows(): Pick<SummaryRows, "pieces" | "starts" | "named"> {
    return {
      pieces: textsOf(this.#known.texts),
      starts: this.#starts,
      named: narrowColumn(this.#named, this.#known.size),
    };
  }

  /** @param text makes the piece when it is first used */
  #name(numbers: Uint32Array, value: number, text: () => string): void {
    if (numbers[value] === 0) {
      const piece = text();
      const number = this.#known.placeOf(piece);
      this.#lengths[number] = encoder.encode(piece).length;
      numbers[value] = number + 1;
    }
    this.#named.push(numbers[value]! - 1);
  }
}

function recentsOf({ values, starts, named }: TextColumn, live: Uint32Array): Texts {
  const keys = listOf(values).map(keyOf);
  return textsOf(
    Array.from(live, (row) => (starts[row] === starts[row + 1] ? "" : keys[named[starts[row]!]!]!)),
  );
}

function keyOf(instant: string): string {
  try {
    return instantKey(instant);
  } catch {
    throw new BadTableError("its table has a date that is none");
  }
}

/** Folded host, name and tagline of each row, each ended by FIELD_END. */
function foldedOf(
  { host, name, tagline }: TextColumns,
  live: Uint32Array,
): Pick<ListingColumns, "units" | "fields"> {
  const searched = [host, name, tagline];
  const fields = new Uint32Array(searched.length * live.length + 1);
  const room = searched.reduce((sum, { values }) => sum + values.bytes.length, 0);
  const units = new Units(room + fields.length);
  let field = 0;
  for (const row of live) {
    for (const { values, starts, named } of searched) {
      if (starts[row] !== starts[row + 1]) units.fold(values, named[starts[row]!]!);
      units.endField();
      field += 1;
      fields[field] = units.length;
    }
  }
  return { units: units.taken(), fields };
}

/** UTF-16 code units that grow. */
class Units {
  #units: Uint16Array;
  length = 0;

  constructor(room: number) {
    this.#units = new Uint16Array(room);
  }

  /** Appends a folded text. */
  fold(texts: Texts, text: number): void {
    const { bytes, starts } = texts;
    const [start, end] = [starts[text]!, starts[text + 1]!];
    this.#reserve(end - start);
    const shift = this.length - start;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte > 0x7f) {
        this.#append(foldText(textAt(texts, text)));
        return;
      }
      this.#units[at + shift] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    }
    this.length += end - start;
  }

  endField(): void {
    this.#reserve(1);
    this.#units[this.length] = FIELD_END;
    this.length += 1;
  }

  taken(): Uint16Array {
    return this.#units.slice(0, this.length);
  }

  #append(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) this.#units[this.length + at] = text.charCodeAt(at);
    this.length += text.length;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#units.length) return;
    const larger = new Uint16Array(Math.max(needed, 2 * this.#units.length));
    larger.set(this.#units);
    this.#units = larger;
  }
}

/** The values of a filter, numbered in the order of their first use. */
function valuesOf(
  columns: TextColumns,
  scores: Uint8Array,
  name: ValueName,
  live: Uint32Array,
): ValueRows {
  const column = name === "scoreVersion" ? "latestScoreVersion" : FILTERS[name].column;
  const { values, starts, named } = columns[column];
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
  return { values: known.texts, starts: rowStarts, places: narrowColumn(places, known.size) };
}

function narrow(numbers: Uint32Array): Uint16Array | Uint32Array {
  let greatest = 0;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest < 0x10000 ? Uint16Array.from(numbers) : numbers;
}
