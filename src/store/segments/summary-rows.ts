import { LIMITS } from "../../contract/limits.js";
import type { SiteSummary } from "../../contract/listing.js";
import { tableOf } from "../../contract/tables.js";
import { narrowColumn } from "../columns/file.js";
import { SHOWN, type SummaryRows } from "../columns/summaries.js";
import { DistinctTexts, type Texts, textAt, textsOf } from "../columns/texts.js";
import { Bytes } from "./bytes.js";
import { COLUMNS, summaryColumns } from "./fields.js";
import type { RowTexts, TableColumns, TextColumns } from "./rows.js";
import { BadTableError } from "./thrift.js";

/* The JSON of summaries, copied from the bytes of their columns. */

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const encoder = new TextEncoder();

/** The JSON of texts: the bytes of most need only quotes. */
export function jsonOf(texts: Texts): Texts {
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

/** The largest JSON of a summary, in bytes, and that of all summaries of a segment, without what they share. */
const SUMMARY_MAX = 16 * 1024 * 1024;
const SUMMARIES_MAX = 64 * 1024 * 1024;

/** Room for the bytes of a summary: more than most of them take. Room that is never written takes no memory. */
const OWN_BYTES = 1_024;

const NULL = encoder.encode("null");
const FLAGS = [encoder.encode("false"), encoder.encode("true")] as const;
const NUMBERS = Array.from({ length: LIMITS.scoreMax + 1 }, (_, score) =>
  encoder.encode(`${score}`),
);
/** Of each member: what stands before its value. */
const HEADS = tableOf(summaryColumns(), (name) =>
  encoder.encode(`${name === "host" ? "{" : ","}${JSON.stringify(name)}:`),
);
const [OPEN, CLOSE, END] = ["[", "]", "},"].map((text) => encoder.encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The JSON of summaries, cut before the pieces that listings share (columns/summaries.ts). */
export function summariesOf(table: TableColumns, live: Uint32Array): SummaryRows {
  const own = new Bytes(OWN_BYTES * live.length);
  const starts = new Uint32Array(live.length + 1);
  const cuts = new Uint32Array(live.length);
  const shown = new Uint32Array(2 * SHOWN.length * live.length);
  const pieces = new SharedPieces(table.texts, live.length);
  for (const [place, row] of live.entries()) {
    const start = own.length;
    const places: number[] = [];
    for (const name of OWN_BEFORE) writeMember(own, start, table, name, row, places);
    cuts[place] = own.length - start;
    own.all(CLOSE);
    for (const name of OWN_AFTER) writeMember(own, start, table, name, row, places);
    own.all(END);
    shown.set(places, 2 * SHOWN.length * place);
    starts[place + 1] = own.length;
    requireShort(own.length - start + pieces.add(row), own.length);
  }
  return {
    own: { bytes: own.written(), starts },
    cuts: narrowed(cuts),
    shown: narrowed(shown),
    ...pieces.rows(),
  };
}

/** Writes a member of a summary. @param places receives its start and end if suggestions show it */
function writeMember(
  own: Bytes,
  start: number,
  { texts, scores, flags }: TableColumns,
  name: keyof SiteSummary,
  row: number,
  places: number[],
): void {
  own.all(HEADS[name]);
  const from = own.length - start;
  if (name === "latestScore") own.all(NUMBERS[scores[row]!] ?? NULL);
  else if (name === "highlighted") own.all(FLAGS[flags[row] === 1 ? 1 : 0]);
  else writeTexts(own, start, texts[name], row, COLUMNS[name].kind === "texts");
  if (IS_SHOWN.has(name)) places.push(from, own.length - start);
}

/** A table may name a long text many times, also in one row. */
function requireShort(summary: number, all: number): void {
  if (summary > SUMMARY_MAX || all > SUMMARIES_MAX) {
    throw new BadTableError("its table has a summary that is too long");
  }
}

/** The members before and after the pieces, which are the category and the tags. */
const ORDER = summaryColumns();
const OWN_BEFORE = ORDER.slice(0, ORDER.indexOf("category"));
const OWN_AFTER = ORDER.slice(ORDER.indexOf("tags") + 1);
const IS_SHOWN: ReadonlySet<string> = new Set(SHOWN);

function writeTexts(
  into: Bytes,
  summaryStart: number,
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
    requireShort(into.length - summaryStart, into.length);
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

function narrowed(numbers: Uint32Array): Uint16Array | Uint32Array {
  let greatest = 0;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest < 0x10000 ? Uint16Array.from(numbers) : numbers;
}
