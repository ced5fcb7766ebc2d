import { areStarts, type Texts } from "../columns/texts.js";
import { badTable, Thrift } from "./thrift.js";

/* The values of a column, from the bytes of its pages. No length is taken before the bytes for it are known to be there. */

/** A column of texts or of lists of texts, with the values that its rows name. */
export interface TextColumn {
  readonly values: Texts;
  /** Where each row starts in `named`; one more entry than rows. */
  readonly starts: Uint32Array;
  /** Places in `values`. A row of a column without lists names one value, or none if it is null. */
  readonly named: Uint32Array;
}

/** A column of whole numbers or of truth values (0 and 1). */
export interface NumberColumn {
  readonly values: Int32Array;
  /** 1 for each row that is null. */
  readonly nulls: Uint8Array;
}

export const ENCODINGS = { plain: 0, rle: 3, dictionary: 8 } as const;

export interface Dictionary {
  readonly count: number;
  readonly bytes: Uint8Array;
}

export interface Page {
  readonly count: number;
  readonly encoding: number;
  /** Empty if the column has no lists. */
  readonly repetitions: Uint32Array;
  /** Empty if no row can be null. */
  readonly definitions: Uint32Array;
  readonly values: Uint8Array;
}

/** One value a row, and none for a null. */
export function valueStarts({ count, definitions }: Page, rows: number): Uint32Array {
  if (count !== rows) throw badTable("a column does not have as many values as rows");
  const starts = new Uint32Array(rows + 1);
  const areAll = definitions.length === 0;
  for (let row = 0; row < rows; row += 1) {
    starts[row + 1] = starts[row]! + (areAll ? 1 : definitions[row]!);
  }
  return starts;
}

/** A repetition of 0 starts a row. A definition of 0 is an empty list. */
export function listStarts({ count, repetitions, definitions }: Page, rows: number): Uint32Array {
  const starts = new Uint32Array(rows + 1);
  let row = -1;
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    if (repetitions[at] === 0) {
      row += 1;
      if (row >= rows) throw badTable("a list has more rows than the table");
      starts[row] = end;
    }
    if (row < 0) throw badTable("a list begins within a row");
    end += definitions[at] === 0 ? 0 : 1;
  }
  if (row !== rows - 1) throw badTable("a list has fewer rows than the table");
  starts[rows] = end;
  return starts;
}

/** The places in a dictionary that a page names. */
export function indexes({ encoding, values }: Page, length: number, limit: number): Uint32Array {
  const width = values[0] ?? 0;
  if (encoding !== ENCODINGS.dictionary || width > 32)
    throw badTable("a column has another encoding");
  const places = new Uint32Array(length);
  if (width > 0) hybrid(values.subarray(1), width, places);
  for (const place of places) if (place >= limit) throw badTable("a column names no value");
  return places;
}

export function levelsIn(bytes: Uint8Array, length: number): Uint32Array {
  return bytes.length === 0 ? new Uint32Array(0) : bitsIn(bytes, length);
}

/** Numbers of one bit each. A run is stored in a whole byte, so it could have any other number. */
export function bitsIn(bytes: Uint8Array, length: number): Uint32Array {
  const bits = new Uint32Array(length);
  hybrid(bytes, 1, bits);
  for (const bit of bits) if (bit > 1) throw badTable("a bit is neither 0 nor 1");
  return bits;
}

/** Reads runs of one number, and groups of eight numbers of `width` bits, until `into` is full. */
function hybrid(bytes: Uint8Array, width: number, into: Uint32Array): void {
  const thrift = new Thrift(bytes);
  let end = 0;
  while (end < into.length) {
    const head = thrift.unsigned();
    const isRun = head % 2 === 0;
    const length = Math.floor(head / 2) * (isRun ? 1 : 8);
    // The last group may have more numbers than are needed, but never eight.
    if (length === 0 || end + length > into.length + (isRun ? 0 : 7))
      throw badTable("a run is too long");
    const last = Math.min(end + length, into.length);
    if (isRun) into.fill(thrift.littleEndian(Math.ceil(width / 8)), end, last);
    else thrift.packed(width, length, into.subarray(end, last));
    end = last;
  }
}

/** Reads texts, each after its length in four bytes. */
export function textsIn(page: Uint8Array, length: number): Texts {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  if (4 * length > page.length) throw badTable("a column ends too early");
  const bytes = new Uint8Array(page.length - 4 * length);
  const starts = new Uint32Array(length + 1);
  let at = 0;
  for (let text = 0; text < length; text += 1) {
    const from = at + 4;
    at = from <= page.length ? from + view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    starts[text + 1] = starts[text]! + at - from;
    // The texts after this one need four bytes each, too.
    if (starts[text]! + at - from > bytes.length) throw badTable("a column ends too early");
    bytes.set(page.subarray(from, at), starts[text]!);
  }
  if (!areStarts(starts, bytes.length)) throw badTable("a column has more than its texts");
  requireTexts({ bytes, starts });
  return { bytes, starts };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks that each text is valid UTF-8: all are together, and no text begins within a character. */
function requireTexts({ bytes, starts }: Texts): void {
  try {
    strict.decode(bytes);
  } catch {
    throw badTable("a text is not UTF-8");
  }
  for (const start of starts) {
    if (((bytes[start] ?? 0) & 0xc0) === 0x80) throw badTable("a text is not UTF-8");
  }
}

export function numbersIn(bytes: Uint8Array, length: number): Int32Array {
  if (bytes.length !== 4 * length) throw badTable("a column of numbers has another length");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length }, (_, at) => view.getInt32(4 * at, true));
}

/** Puts numbers at their rows, with nulls where a row has none. */
export function atRows(found: Int32Array, starts: Uint32Array): NumberColumn {
  const rows = starts.length - 1;
  const values = new Int32Array(rows);
  const nulls = new Uint8Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const at = starts[row]!;
    if (at === starts[row + 1]) nulls[row] = 1;
    else values[row] = found[at]!;
  }
  return { values, nulls };
}
