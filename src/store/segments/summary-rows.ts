import { LIMITS } from "../../contract/limits.js";
import { tableOf } from "../../contract/tables.js";
import { BadColumnsError } from "../columns/file.js";
import { type Texts, textAt } from "../columns/texts.js";
import { Bytes } from "./bytes.js";
import { COLUMNS, summaryColumns, type TableColumn } from "./fields.js";
import type { RowTexts, TableColumns } from "./rows.js";

/* The JSON of summaries, copied from the bytes of their columns. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const encoder = new TextEncoder();

/** Whether a JSON text can have these bytes without escapes. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

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
const [OPEN, CLOSE, END] = ["[", "]", "}"].map((text) => encoder.encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

const MEMBERS = summaryColumns();

/**
 * Makes the JSON of summaries from their columns.
 * @returns the bytes of the summary of a row. They are valid until the next one is made
 */
export function summaryWriter({ texts, scores, flags }: TableColumns): (row: number) => Uint8Array {
  const json = new Bytes(1_024);
  return (row) => {
    json.length = 0;
    for (const name of MEMBERS) {
      json.all(HEADS[name]);
      if (name === "latestScore") json.all(NUMBERS[scores[row]!] ?? NULL);
      else if (name === "highlighted") json.all(FLAGS[flags[row] === 1 ? 1 : 0]);
      else writeTexts(json, texts[name], row, COLUMNS[name].kind);
    }
    json.all(END);
    return json.written();
  };
}

/**
 * Checks the lengths of summaries, as a table may name a long text many times, even in one row.
 * @throws BadColumnsError if the summaries of rows are too long
 */
export function requireShort({ texts }: Pick<TableColumns, "texts">, live: Uint32Array): void {
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
  if (isList) into.all(OPEN);
  for (let at = start; at < end; at += 1) {
    if (at > start) into.byte(COMMA);
    if (json === null) writeText(into, values, named[at]!);
    else into.part(json.bytes, json.starts[named[at]!]!, json.starts[named[at]! + 1]!);
  }
  if (isList) into.all(CLOSE);
}

/** Writes the JSON of a text. Most texts need only quotes. */
function writeText(into: Bytes, texts: Texts, place: number): void {
  const { bytes, starts } = texts;
  const start = starts[place]!;
  const end = starts[place + 1]!;
  if (!isPlain(bytes, start, end)) {
    into.all(encoder.encode(JSON.stringify(textAt(texts, place))));
    return;
  }
  into.byte(QUOTE);
  into.part(bytes, start, end);
  into.byte(QUOTE);
}
