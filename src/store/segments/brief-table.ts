import { type Texts, textAt, textsOf } from "../columns/texts.js";
import { Bytes } from "./bytes.js";
import type { ColumnName } from "./fields.js";
import { atRows, type NumberColumn, type TextColumn } from "./pages.js";
import type { ColumnSource } from "./rows.js";
import { badTable } from "./thrift.js";

/*
 * The tables of neighbouring segments as browsers download them (`brief-files.ts`): 40 % of the bytes of their Parquet files,
 * which other programs read. After the length of the head comes the head, JSON that names each column's table and form and
 * the lengths of its parts, then the parts. The same columns of all tables lie side by side, because they are alike.
 */

/** How a column is stored; see `FORMS`. */
export type BriefForm = keyof typeof FORMS;
/** Each column begins with the place of its table. */
export type BriefHead = readonly (readonly [number, ColumnName, BriefForm, ...number[]])[];

/** Bytes that no UTF-8 has: the end of a text, a null, and the listing's host within an address. */
export const [TEXT_END, NULL_TEXT, HOST] = [0xff, 0xfd, 0xfe];
/** Columns in which the listing's host is replaced. */
export const NAMES_HOST: readonly ColumnName[] = ["url", "logoUrl", "ogImageUrl"];
/** Bytes of a time, in milliseconds. The first bytes of all times come first. */
export const TIME_BYTES = 6;

const decoder = new TextDecoder();

/**
 * The tables of a file in the form of `brief-writer.ts`.
 * @param bytes whole and undamaged @param rows the number of rows of each table
 * @throws BadTableError
 */
export function briefTables(bytes: Uint8Array, rows: readonly number[]): BriefTable[] {
  const tables = rows.map((count) => new BriefTable(count));
  const length =
    bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  let at = 4 + length;
  for (const [table, name, form, ...lengths] of headIn(bytes.subarray(4, at))) {
    const parts = lengths.map((size) => {
      at += size;
      return bytes.subarray(at - size, at);
    });
    tables[table]?.add(name, form, parts);
  }
  if (at !== bytes.length) throw badTable("it has another length");
  return tables;
}

/** The columns of a table. Its methods throw BadTableError. */
class BriefTable implements ColumnSource {
  readonly rows: number;
  readonly #columns = new Map<string, () => TextColumn | NumberColumn>();
  #hosts: Texts | null = null;

  constructor(rows: number) {
    this.rows = rows;
  }

  add(name: ColumnName, form: BriefForm, parts: Parts): void {
    this.#columns.set(name, () => FORMS[form](parts, this.rows, this.#hostsFor(name)));
  }

  get names(): Iterable<string> {
    return this.#columns.keys();
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  texts(name: string): TextColumn {
    const column = this.#columns.get(name)?.();
    if (column === undefined || !("named" in column)) throw badTable(`it has no texts ${name}`);
    return column;
  }

  numbers(name: string): NumberColumn {
    const column = this.#columns.get(name)?.();
    if (column === undefined || "named" in column) throw badTable(`it has no numbers ${name}`);
    return column;
  }

  flags(name: string): NumberColumn {
    return this.numbers(name);
  }

  #hostsFor(name: string): Texts | null {
    if (!NAMES_HOST.some((one) => one === name)) return null;
    this.#hosts ??= this.texts("host").values;
    return this.#hosts;
  }
}

function headIn(bytes: Uint8Array): BriefHead {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw badTable("its head is malformed");
  }
}

type Parts = readonly Uint8Array[];

/** Reads each form of a column. @param hosts by row, if the column names them */
const FORMS = {
  /** A text for each row, or a null. */
  texts: ([bytes = NOTHING]: Parts, rows: number, hosts: Texts | null): TextColumn => {
    const { values, nulls } = endedTexts(bytes, hosts);
    if (nulls.length !== rows) throw badTable("a column has other rows");
    return { values, ...namedOnce(rows, (row) => nulls[row] === 0) };
  },
  /** All distinct texts, then of each row the place of its text, from 1; 0 is a null. */
  distinct: ([bytes = NOTHING, places = NOTHING]: Parts, rows: number): TextColumn => {
    const { values } = endedTexts(bytes, null);
    requirePlaces(places, rows, values);
    const { starts } = namedOnce(rows, (row) => places[row] !== 0);
    return {
      values,
      starts,
      named: Uint32Array.from(
        places.filter((place) => place > 0),
        (place) => place - 1,
      ),
    };
  },
  /** All distinct texts in the order of the lists, then of each text one bit a row: whether the row's list has it. */
  lists: ([bytes = NOTHING, bits = NOTHING]: Parts, rows: number): TextColumn => {
    const { values, nulls } = endedTexts(bytes, null);
    const width = Math.ceil(rows / 8);
    if (bits.length !== width * nulls.length) throw badTable("a column has other rows");
    const starts = new Uint32Array(rows + 1);
    const named: number[] = [];
    for (let row = 0; row < rows; row += 1) {
      for (let place = 0; place < nulls.length; place += 1) {
        if ((bits[place * width + (row >> 3)]! >> (row & 7)) & 1) named.push(place);
      }
      starts[row + 1] = named.length;
    }
    return { values, starts, named: Uint32Array.from(named) };
  },
  /** A time for each row, as `toISOString` writes it, or 0; then of each 0 the text, or a null. */
  times: ([bytes = NOTHING, others = NOTHING]: Parts, rows: number): TextColumn => {
    if (bytes.length !== TIME_BYTES * rows) throw badTable("a column has other rows");
    const left = endedTexts(others, null);
    let [other, text] = [0, 0];
    const texts = Array.from({ length: rows }, (_, row) => {
      let time = 0;
      for (let at = TIME_BYTES - 1; at >= 0; at -= 1) time = 256 * time + bytes[at * rows + row]!;
      if (time > 0) return new Date(time).toISOString();
      const isNull = left.nulls[other] === 1;
      other += 1;
      if (isNull) return null;
      text += 1;
      return textAt(left.values, text - 1);
    });
    if (other !== left.nulls.length) throw badTable("a column has other rows");
    const values = textsOf(texts.filter((one) => one !== null));
    return { values, ...namedOnce(rows, (row) => texts[row] !== null) };
  },
  /** A number for each row, from 1; 0 is a null. */
  numbers: ([bytes = NOTHING]: Parts, rows: number): NumberColumn => {
    if (bytes.length !== rows) throw badTable("a column has other rows");
    const { starts } = namedOnce(rows, (row) => bytes[row] !== 0);
    return atRows(
      Int32Array.from(
        bytes.filter((byte) => byte > 0),
        (byte) => byte - 1,
      ),
      starts,
    );
  },
} as const;

const NOTHING = new Uint8Array(0);

function requirePlaces(places: Uint8Array, rows: number, { starts }: Texts): void {
  const isKnown = places.every((place) => place < starts.length);
  if (places.length !== rows || !isKnown) throw badTable("a column names no value");
}

/** The rows of a column whose values are in the order of the rows that have one. */
function namedOnce(
  rows: number,
  hasValue: (row: number) => boolean,
): Pick<TextColumn, "starts" | "named"> {
  const starts = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + (hasValue(row) ? 1 : 0);
  return { starts, named: Uint32Array.from({ length: starts[rows]! }, (_, at) => at) };
}

/** Texts that end with TEXT_END. @returns them without nulls, and of each whether it is null @param hosts by text */
function endedTexts(bytes: Uint8Array, hosts: Texts | null): { values: Texts; nulls: number[] } {
  const texts = new Bytes(bytes.length);
  const starts: number[] = [0];
  const nulls: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(TEXT_END, from);
    if (end < 0) throw badTable("a text has no end");
    const isNull = end === from + 1 && bytes[from] === NULL_TEXT;
    nulls.push(isNull ? 1 : 0);
    if (!isNull) {
      const at = hosts === null ? -1 : bytes.subarray(from, end).indexOf(HOST);
      if (hosts !== null && at >= 0) {
        const row = nulls.length - 1;
        texts.part(bytes, from, from + at);
        texts.part(hosts.bytes, hosts.starts[row] ?? 0, hosts.starts[row + 1] ?? 0);
        texts.part(bytes, from + at + 1, end);
      } else texts.part(bytes, from, end);
      starts.push(texts.length);
    }
    from = end + 1;
  }
  return { values: { bytes: texts.taken(), starts: Uint32Array.from(starts) }, nulls };
}
