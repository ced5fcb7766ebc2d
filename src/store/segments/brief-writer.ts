import { byCodeUnit } from "../../contract/order.js";
import { namesOf } from "../../contract/tables.js";
import { textAt } from "../columns/texts.js";
import {
  type BriefForm,
  type BriefHead,
  HOST,
  NAMES_HOST,
  NULL_TEXT,
  TEXT_END,
  TIME_BYTES,
} from "./brief-table.js";
import { Bytes } from "./bytes.js";
import { COLUMNS, type ColumnName } from "./fields.js";
import type { ColumnSource } from "./rows.js";

/** A column's form and its parts. */
type BriefColumn = readonly [BriefForm, ...Uint8Array[]];

/** The most values that a byte can name, besides a null. */
const DISTINCT_MAX = 255;

const encoder = new TextEncoder();

/**
 * Writes tables in the form that browsers download (`brief-table.ts`), not compressed yet.
 * @param orders the values of lists of texts, in the order in which lists have them. Default: by code unit
 */
export function writeBrief(
  tables: readonly ColumnSource[],
  orders: Partial<Record<ColumnName, readonly string[]>>,
): Uint8Array {
  // A table without rows has no columns.
  const hosts = tables.map((table) =>
    table.rows === 0 ? [] : textsByRow(table, "host").map(([host = ""]) => host),
  );
  const columns = namesOf(COLUMNS).flatMap((name) =>
    [...tables.entries()]
      .filter(([, table]) => table.has(name))
      .map(([at, table]) => [at, name, columnOf(table, name, hosts[at]!, orders[name])] as const),
  );
  const head: BriefHead = columns.map(([at, name, [form, ...parts]]) => [
    at,
    name,
    form,
    ...parts.map(({ length }) => length),
  ]);
  const text = encoder.encode(JSON.stringify(head));
  const bytes = new Bytes(text.length);
  bytes.all(new Uint8Array(Uint32Array.of(text.length).buffer));
  bytes.all(text);
  for (const [, , [, ...parts]] of columns) for (const part of parts) bytes.all(part);
  return bytes.taken();
}

function columnOf(
  table: ColumnSource,
  name: ColumnName,
  hosts: readonly string[],
  order: readonly string[] | undefined,
): BriefColumn {
  const { kind } = COLUMNS[name];
  if (kind === "number" || kind === "flag") {
    const { values, nulls } = kind === "flag" ? table.flags(name) : table.numbers(name);
    return ["numbers", Uint8Array.from(values, (value, row) => (nulls[row] === 1 ? 0 : value + 1))];
  }
  const lists = textsByRow(table, name);
  if (kind === "texts" || kind === "terms") return listColumn(lists, order);
  const texts = lists.map(([text]) => text ?? null);
  if (NAMES_HOST.includes(name)) return ["texts", textsPart(texts, hosts)];
  const times = texts.map((text) => (text === null ? 0 : timeOf(text)));
  if (times.some((time) => time > 0)) {
    const others = texts.filter((_, row) => times[row] === 0);
    return ["times", timesPart(times), textsPart(others)];
  }
  const distinct = [...new Set(texts.filter((text) => text !== null))].sort(byCodeUnit);
  if (distinct.length > Math.min(DISTINCT_MAX, texts.length / 2))
    return ["texts", textsPart(texts)];
  const places = new Map(distinct.map((text, place) => [text, place + 1]));
  return [
    "distinct",
    textsPart(distinct),
    Uint8Array.from(texts, (text) => (text === null ? 0 : (places.get(text) ?? 0))),
  ];
}

/** The texts of each row: one or none, if the column has no lists. */
function textsByRow(table: ColumnSource, name: ColumnName): string[][] {
  const { kind } = COLUMNS[name];
  const { values, starts, named } = table.texts(name, kind === "texts" || kind === "terms");
  return Array.from({ length: table.rows }, (_, row) =>
    Array.from(named.subarray(starts[row], starts[row + 1]), (place) => textAt(values, place)),
  );
}

function textsPart(texts: readonly (string | null)[], hosts: readonly string[] = []): Uint8Array {
  const bytes = new Bytes(32 * texts.length);
  for (const [row, text] of texts.entries()) {
    const host = hosts[row] ?? "";
    const at = host === "" || text === null ? -1 : text.indexOf(host);
    if (text === null) bytes.byte(NULL_TEXT);
    else if (at < 0) bytes.all(encoder.encode(text));
    else {
      bytes.all(encoder.encode(text.slice(0, at)));
      bytes.byte(HOST);
      bytes.all(encoder.encode(text.slice(at + host.length)));
    }
    bytes.byte(TEXT_END);
  }
  return bytes.taken();
}

/** A text as milliseconds; 0 if no time after 1970 gives just this text. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  const isTime = time > 0 && time < 256 ** TIME_BYTES && new Date(time).toISOString() === text;
  return isTime ? time : 0;
}

function timesPart(times: readonly number[]): Uint8Array {
  const part = new Uint8Array(TIME_BYTES * times.length);
  for (const [row, time] of times.entries()) {
    let left = time;
    for (let at = 0; at < TIME_BYTES; at += 1, left = Math.floor(left / 256)) {
      part[at * times.length + row] = left % 256;
    }
  }
  return part;
}

/**
 * Lists as bits. Each list is a part of one sequence of all values, which has a value again wherever a list has it in
 * another order.
 */
function listColumn(
  lists: readonly (readonly string[])[],
  order: readonly string[] = [],
): BriefColumn {
  const known = new Set(lists.flat());
  const first = order.filter((value) => known.delete(value));
  const sequence = [...first, ...[...known].sort(byCodeUnit)];
  const places = lists.map((list) => {
    let place = -1;
    return list.map((value) => {
      place = sequence.indexOf(value, place + 1);
      if (place < 0) place = sequence.push(value) - 1;
      return place;
    });
  });
  const width = Math.ceil(lists.length / 8);
  const bits = new Uint8Array(width * sequence.length);
  for (const [row, list] of places.entries()) {
    for (const place of list) bits[place * width + (row >> 3)]! |= 1 << (row & 7);
  }
  return ["lists", textsPart(sequence), bits];
}
