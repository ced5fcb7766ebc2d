/*
 * A file of columns: a table of their kinds and lengths, then the columns one after the other, each at a
 * multiple of eight bytes. So a column is a view of the file's bytes, and nothing is parsed. Numbers are
 * in the machine's byte order, which is little-endian almost everywhere. A file in the other byte order
 * is rejected, because its magic number does not match.
 */

export type Column = Uint8Array | Uint32Array | Float64Array;

/** The bytes are not a file of columns, or the columns do not end where the table says. */
export class BadColumnsError extends Error {
  override readonly name = "BadColumnsError";
}

/** The bytes "cdx1", read as a little-endian number. */
const MAGIC = 0x31786463;
const ALIGNMENT = 8;
/** Bytes of the table before its first row, and bytes of a row. */
const TABLE_HEAD = 8;
const TABLE_ROW = 8;

/** The bytes of a file with these columns, in this order. */
export function joinColumns(columns: readonly Column[]): Uint8Array {
  let end = aligned(TABLE_HEAD + TABLE_ROW * columns.length);
  const starts = columns.map(({ byteLength }) => {
    const start = end;
    end = aligned(end + byteLength);
    return start;
  });
  const bytes = new Uint8Array(end);
  const table = new Uint32Array(bytes.buffer, 0, (TABLE_HEAD + TABLE_ROW * columns.length) / 4);
  table[0] = MAGIC;
  table[1] = columns.length;
  for (const [place, { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }] of columns.entries()) {
    table[2 + 2 * place] = BYTES_PER_ELEMENT;
    table[3 + 2 * place] = byteLength;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), starts[place]);
  }
  return bytes;
}

/** Reads a file's columns in order, as views of its bytes. Each method throws BadColumnsError. */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  readonly #table: Uint32Array;
  #place = 0;
  #end: number;

  /** @param bytes must begin at a multiple of eight in their buffer */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const words = bytes.length < TABLE_HEAD ? new Uint32Array(2) : this.#view(Uint32Array, 0, 2);
    const [magic, columns = 0] = words;
    const tableEnd = TABLE_HEAD + TABLE_ROW * columns;
    if (magic !== MAGIC || tableEnd > bytes.length)
      throw new BadColumnsError("it is not a file of columns");
    this.#table = this.#view(Uint32Array, TABLE_HEAD, 2 * columns);
    this.#end = aligned(tableEnd);
  }

  u8(): Uint8Array {
    return this.#next(Uint8Array);
  }

  u32(): Uint32Array {
    return this.#next(Uint32Array);
  }

  f64(): Float64Array {
    return this.#next(Float64Array);
  }

  /** Checks that all columns were read. */
  finish(): void {
    if (2 * this.#place !== this.#table.length || this.#end !== this.#bytes.length) {
      throw new BadColumnsError("it has more columns than expected");
    }
  }

  #next<T extends Column>(kind: ColumnKind<T>): T {
    const size = this.#table[2 * this.#place];
    const length = this.#table[2 * this.#place + 1] ?? 0;
    const isWhole = length % kind.BYTES_PER_ELEMENT === 0;
    const isInside = this.#end + length <= this.#bytes.length;
    if (size !== kind.BYTES_PER_ELEMENT || !isWhole || !isInside) {
      throw new BadColumnsError(`its column ${this.#place} has the wrong type or length`);
    }
    const column = this.#view(kind, this.#end, length / size);
    this.#place += 1;
    this.#end = aligned(this.#end + length);
    return column;
  }

  #view<T extends Column>(kind: ColumnKind<T>, start: number, length: number): T {
    return new kind(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }
}

interface ColumnKind<T extends Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** Rounds a length up to a multiple of eight, where a column of any number type may begin. */
export function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/*
 * Many short texts as two columns: their UTF-8 bytes, and where each text starts.
 */

export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each text starts; one more entry than texts. Below 4 GiB. */
  readonly starts: Uint32Array;
}

const encoder = new TextEncoder();
/** A U+FEFF at the start of a text is part of the text, not a byte-order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function textsOf(texts: readonly string[]): Texts {
  const bytes = encoder.encode(texts.join(""));
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  for (const [place, text] of texts.entries()) {
    end += utf8Length(text);
    starts[place + 1] = end;
  }
  return { bytes, starts };
}

/** Distinct texts, numbered in the order of their first occurrence. */
export class DistinctTexts {
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#places.size;
  }

  /** In the order of their numbers. */
  get texts(): string[] {
    return [...this.#places.keys()];
  }

  /** A text's number. A new text gets the next number. */
  placeOf(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }
}

/** Texts whose bytes are elsewhere. */
export interface TextsElsewhere {
  /** Reads the bytes of the text at a place. */
  bytesAt(place: number): Uint8Array;
}

/** Reads the texts of a file: their bytes, then their starts. @throws BadColumnsError */
export function readTexts(reader: ColumnReader): Texts {
  const texts = { bytes: reader.u8(), starts: reader.u32() };
  if (!areStarts(texts.starts, texts.bytes.length)) {
    throw new BadColumnsError("it has a text that does not begin where the previous one ends");
  }
  return texts;
}

/** Whether starts begin with 0, never decrease, and end with the length of the column that they point into. */
export function areStarts(starts: Uint32Array, end: number): boolean {
  return starts[0] === 0 && starts[starts.length - 1] === end && neverFall(starts);
}

/** Whether no number is less than the one before it. */
export function neverFall(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at]! < numbers[at - 1]!) return false;
  return true;
}

/** The text at a place. */
export function textAt(texts: Texts | TextsElsewhere, place: number): string {
  if ("bytesAt" in texts) return decoder.decode(texts.bytesAt(place));
  const { bytes, starts } = texts;
  return decoder.decode(bytes.subarray(starts[place], starts[place + 1]));
}

/** Whether the text at a place equals `ascii`. Always false if `ascii` contains other characters than ASCII. */
export function isTextAt({ bytes, starts }: Texts, place: number, ascii: string): boolean {
  const start = starts[place]!;
  if (starts[place + 1]! - start !== ascii.length) return false;
  for (let at = 0; at < ascii.length; at += 1) {
    const unit = ascii.charCodeAt(at);
    if (unit >= 0x80 || unit !== bytes[start + at]) return false;
  }
  return true;
}

/**
 * All texts, in order.
 * @param change changes each text; in a text of ASCII alone, it may only change the case of letters. Default: no change
 */
export function listOf(texts: Texts, change = (text: string): string => text): string[] {
  const { bytes, starts } = texts;
  const joined = decoder.decode(bytes);
  // In pure ASCII, each unit is one byte, so all texts can be decoded together, in a tenth of the time.
  const isAscii = joined.length === bytes.length;
  const all = isAscii ? change(joined) : "";
  const list: string[] = [];
  for (let place = 0; place + 1 < starts.length; place += 1) {
    list.push(isAscii ? all.slice(starts[place], starts[place + 1]) : change(textAt(texts, place)));
  }
  return list;
}

/** Bytes that a well-formed text takes in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts for two of its four bytes.
    length += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The space: all bytes below are control characters. */
const FIRST_PRINTED = 0x20;

/** A growing array of bytes. */
export class Bytes {
  #room: Uint8Array;
  length = 0;

  /** @param room about how many bytes there will be */
  constructor(room: number) {
    this.#room = new Uint8Array(room);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#room[this.length] = byte;
    this.length += 1;
  }

  all(bytes: Uint8Array): void {
    this.part(bytes, 0, bytes.length);
  }

  part(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const room = this.#room;
    const shift = this.length - start;
    if (length > SHORT) room.set(bytes.subarray(start, end), this.length);
    else for (let at = start; at < end; at += 1) room[at + shift] = bytes[at]!;
    this.length += length;
  }

  /**
   * Writes the bytes of a text between quotes.
   * @returns false, and writes nothing, if JSON would have to escape one of them
   */
  quoted(bytes: Uint8Array, start: number, end: number): boolean {
    this.#reserve(end - start + 2);
    const room = this.#room;
    let into = this.length;
    room[into] = QUOTE;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte < FIRST_PRINTED || byte === QUOTE || byte === BACKSLASH) return false;
      into += 1;
      room[into] = byte;
    }
    room[into + 1] = QUOTE;
    this.length = into + 2;
    return true;
  }

  /** A copy without spare room. */
  taken(): Uint8Array {
    return this.#room.slice(0, this.length);
  }

  /** The bytes themselves: valid until more are written. */
  written(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#room.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#room.length, 1024));
    larger.set(this.#room);
    this.#room = larger;
  }
}

/** A call of `set` costs as much as copying this many bytes one by one. */
const SHORT = 48;
