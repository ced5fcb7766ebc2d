import { Gzip } from "fflate";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { namesOf } from "../../contract/tables.js";
import { StoreWriteError } from "../../files/disk.js";
import { BadColumnsError, Bytes } from "../columns/columns.js";
import { gunzip } from "../folder-source.js";
import { openTable, TABLE_BYTES_MAX } from "./rows.js";
import {
  BITS_MAX,
  type BriefForm,
  type BriefHead,
  COLUMNS,
  type ColumnName,
  GISTS,
  HOST,
  NAMES_HOST,
  NULL_TEXT,
  storedValue,
  type TableRow,
  TEXT_END,
  TIME_BYTES,
} from "./table.js";

/**
 * The bytes of a table. Reads them again, which takes little time, because only readers check the limits.
 * @param rows sorted by host
 * @throws StoreWriteError if readers would refuse the table, for example because its summaries are too long
 */
export function writeTable(rows: readonly TableRow[]): Uint8Array {
  const pieces = writeBrief(rows);
  const bytes = new Bytes(0);
  // With a block of its own, each column gets its own codes: a tenth fewer bytes.
  const gzip = new Gzip({ level: 9, mtime: 0 }, (chunk) => bytes.all(chunk));
  for (const piece of pieces) {
    gzip.push(piece);
    gzip.flush();
  }
  gzip.push(new Uint8Array(0), true);
  const table = bytes.taken();
  requireReadable(table, rows);
  return table;
}

function requireReadable(bytes: Uint8Array, summaries: readonly TableRow[]): void {
  const terms = {
    categories: distinct(summaries.map(({ category }) => category)),
    tags: distinct(summaries.flatMap(({ tags }) => tags)),
  };
  try {
    const inflated = gunzip(bytes, TABLE_BYTES_MAX);
    const { hosts, rows } = openTable(inflated, { rows: summaries.length }, terms);
    rows(Uint32Array.from(hosts.keys()));
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    const first = summaries[0]?.host;
    const last = summaries.at(-1)?.host;
    const message = `the segment from ${first} to ${last} cannot be written: ${error.message}`;
    throw new StoreWriteError(message, { cause: error });
  }
}

function distinct(terms: readonly (TaxonomyEntry | null)[]): TaxonomyEntry[] {
  return [...new Map(terms.flatMap((term) => (term ? [[term.slug, term]] : []))).values()];
}

/** A column's form and its parts. */
type BriefColumn = readonly [BriefForm, ...Uint8Array[]];

/** The most values that a byte can name, besides a null. */
const DISTINCT_MAX = 255;

const encoder = new TextEncoder();

/** Writes a table in the form of `table.ts`. @returns its pieces: the head, then each part of a column */
export function writeBrief(rows: readonly TableRow[]): Uint8Array[] {
  const gists = rows.map((row) => row.gists ?? []);
  const columns = [
    ...namesOf(COLUMNS).map((name) => [name, columnOf(rows, name)] as const),
    ...(gists.some(({ length }) => length > 0) ? [[GISTS, listColumn(gists, [])] as const] : []),
  ];
  const head: BriefHead = columns.map(([name, [form, ...parts]]) => [
    name,
    form,
    ...parts.map(({ length }) => length),
  ]);
  const text = encoder.encode(JSON.stringify(head));
  const pieces = columns.flatMap(([, [, ...parts]]) => parts);
  return [new Uint8Array(Uint32Array.of(text.length).buffer), text, ...pieces];
}

function columnOf(rows: readonly TableRow[], name: ColumnName): BriefColumn {
  const values = rows.map((row) => storedValue(row, name));
  const { kind } = COLUMNS[name];
  if (kind === "number" || kind === "flag") {
    const from1 = (value: unknown) => (value === null ? 0 : Math.min(255, Number(value) + 1));
    return ["numbers", Uint8Array.from(values, from1)];
  }
  if (kind === "texts" || kind === "terms") {
    const lists = values.map((value) => (typeof value === "object" && value !== null ? value : []));
    return listColumn(lists, name === "tags" ? rows : []);
  }
  const texts = values.map((value) => (typeof value === "string" ? value : null));
  if (NAMES_HOST.includes(name)) {
    const hosts = rows.map(({ host }) => host);
    return ["texts", textsPart(texts, hosts)];
  }
  const times = texts.map((text) => (text === null ? 0 : timeOf(text)));
  if (times.some((time) => time > 0)) {
    const others = texts.filter((_, row) => times[row] === 0);
    return ["times", timesPart(times), textsPart(others)];
  }
  const distinct = [...new Set(texts.filter((text) => text !== null))].sort(byCodeUnit);
  if (distinct.length > Math.min(DISTINCT_MAX, texts.length / 2))
    return ["texts", textsPart(texts)];
  const indexes = indexesFrom1(distinct);
  return [
    "distinct",
    textsPart(distinct),
    Uint8Array.from(texts, (text) => (text === null ? 0 : (indexes.get(text) ?? 0))),
  ];
}

function indexesFrom1(texts: readonly string[]): Map<string, number> {
  return new Map(texts.map((text, index) => [text, index + 1]));
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
 * Lists as bits if all of them have their texts in one order; else as indexes. @param tagged rows whose tags give the
 * order
 */
function listColumn(
  lists: readonly (readonly string[])[],
  tagged: readonly TableRow[],
): BriefColumn {
  const orders = new Map(
    tagged.flatMap(({ tags }) => tags.map(({ slug, order }) => [slug, order])),
  );
  const texts = [...new Set(lists.flat())].sort(
    (a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0) || byCodeUnit(a, b),
  );
  const indexes = indexesFrom1(texts);
  const named = lists.map((list) => list.map((text) => indexes.get(text) ?? 0));
  const isOrdered = named.every((list) =>
    list.every((index, at) => at === 0 || list[at - 1]! < index),
  );
  const width = Math.ceil(lists.length / 8);
  if (!isOrdered || width * texts.length > BITS_MAX) {
    const lengths = lists.map(({ length }) => length);
    return ["indexes", textsPart(texts), wordsPart(lengths), wordsPart(named.flat())];
  }
  const bits = new Uint8Array(width * texts.length);
  for (const [row, list] of named.entries()) {
    for (const index of list) bits[(index - 1) * width + (row >> 3)]! |= 1 << (row & 7);
  }
  return ["lists", textsPart(texts), bits];
}

function wordsPart(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}
