import { LIMITS } from "../../contract/limits.js";
import type { SiteSummary } from "../../contract/listing.js";
import { tableOf } from "../../contract/tables.js";
import { BadColumnsError } from "../columns/file.js";
import { type Texts, textAt } from "../columns/texts.js";
import { Bytes } from "./bytes.js";
import { COLUMNS, summaryColumns, type TableColumn } from "./fields.js";
import type { RowTexts, TableColumns } from "./rows.js";

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

/** The largest JSON of a summary, in bytes, and that of all summaries of a segment. */
const SUMMARY_MAX = 16 * 1024 * 1024;
const SUMMARIES_MAX = 64 * 1024 * 1024;

/** Room for the bytes of a summary: more than most of them take. Room that is never written takes no memory. */
const SUMMARY_ROOM = 1_024;

const NULL = encoder.encode("null");
const FLAGS = [encoder.encode("false"), encoder.encode("true")] as const;
const NUMBERS = Array.from({ length: LIMITS.scoreMax + 1 }, (_, score) =>
  encoder.encode(`${score}`),
);
/** Of each member: what stands before its value. */
const HEADS = tableOf(summaryColumns(), (name) =>
  encoder.encode(`${name === "host" ? "{" : ","}${JSON.stringify(name)}:`),
);
const [OPEN, CLOSE, END] = ["[", "]", "}"].map((text) => encoder.encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The JSON of summaries. */
export function summariesOf(table: TableColumns, live: Uint32Array): Texts {
  const json = new Bytes(SUMMARY_ROOM * live.length);
  const starts = new Uint32Array(live.length + 1);
  for (const [place, row] of live.entries()) {
    for (const name of MEMBERS) writeMember(json, starts[place]!, table, name, row);
    json.all(END);
    starts[place + 1] = json.length;
  }
  return { bytes: json.written(), starts };
}

const MEMBERS = summaryColumns();

/** Writes a member of the summary that begins at `start`. */
function writeMember(
  json: Bytes,
  start: number,
  { texts, scores, flags }: TableColumns,
  name: keyof SiteSummary,
  row: number,
): void {
  json.all(HEADS[name]);
  if (name === "latestScore") json.all(NUMBERS[scores[row]!] ?? NULL);
  else if (name === "highlighted") json.all(FLAGS[flags[row] === 1 ? 1 : 0]);
  else writeTexts(json, start, texts[name], row, COLUMNS[name].kind);
}

/** A table may name a long text many times, also in one row. */
function requireShort(summary: number, all: number): void {
  if (summary > SUMMARY_MAX || all > SUMMARIES_MAX) {
    throw new BadColumnsError("its table has a summary that is too long");
  }
}

function writeTexts(
  into: Bytes,
  summaryStart: number,
  { json, starts, named }: RowTexts,
  row: number,
  kind: TableColumn["kind"],
): void {
  const isList = kind === "texts" || kind === "terms";
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
