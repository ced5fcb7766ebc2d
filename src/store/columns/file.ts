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
