/* Thrift's compact protocol, in which a Parquet file describes itself. */

/** The bytes are no table that this program writes. */
export class BadTableError extends Error {
  override readonly name = "BadTableError";
}

export type Value = number | boolean | Uint8Array | readonly Value[] | Struct;
export type Struct = ReadonlyMap<number, Value>;

/** Members of a struct that a table cannot do without. @throws BadTableError */
export function numberIn(struct: Struct, field: number): number {
  const value = struct.get(field);
  if (typeof value !== "number" || value < 0) throw badTable("its footer is malformed");
  return value;
}

export function structIn(struct: Struct, field: number): Struct {
  const value = struct.get(field);
  if (!(value instanceof Map)) throw badTable("its footer is malformed");
  return value;
}

export function listIn(struct: Struct, field: number): readonly Value[] {
  const value = struct.get(field);
  if (!Array.isArray(value)) throw badTable("its footer is malformed");
  return value;
}

/** The deepest nesting of structs in a footer: file, row group, column, its facts, their statistics. */
const DEPTH_MAX = 8;

/** Reads Thrift's compact protocol, and the numbers of pages. Throws BadTableError at the end of the bytes. */
export class Thrift {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth = 0): Map<number, Value> {
    if (depth > DEPTH_MAX) throw badTable("its footer is malformed");
    const struct = new Map<number, Value>();
    for (let field = 0, head = this.#byte(); head !== 0; head = this.#byte()) {
      field = head >> 4 === 0 ? this.#signed() : field + (head >> 4);
      struct.set(field, this.#value(head & 15, depth));
    }
    return struct;
  }

  /** A number of any length, exact up to 2 ** 53. */
  unsigned(): number {
    let [number, scale] = [0, 1];
    for (;;) {
      const byte = this.#byte();
      number += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 0x80;
    }
    if (!Number.isSafeInteger(number)) throw badTable("a number is too large");
    return number;
  }

  littleEndian(bytes: number): number {
    let number = 0;
    for (let at = 0; at < bytes; at += 1) number += this.#byte() * 256 ** at;
    return number;
  }

  /** Reads numbers of `width` bits each, lowest bits first. Moves on by `length` of them, a multiple of eight. */
  packed(width: number, length: number, into: Uint32Array): void {
    const end = this.at + (length / 8) * width;
    if (end > this.#bytes.length) throw badTable("it ends too early");
    for (const place of into.keys()) {
      let bit = place * width;
      let number = 0;
      for (let taken = 0; taken < width; ) {
        const used = bit & 7;
        const some = Math.min(8 - used, width - taken);
        const bits = (this.#bytes[this.at + (bit >> 3)]! >> used) & (2 ** some - 1);
        number += bits * 2 ** taken;
        taken += some;
        bit += some;
      }
      into[place] = number;
    }
    this.at = end;
  }

  #value(type: number, depth: number): Value {
    if (type === 1 || type === 2) return type === 1;
    if (type === 3) return this.#byte();
    if (type >= 4 && type <= 6) return this.#signed();
    if (type === 8) return this.#take(this.unsigned());
    if (type === 9) return this.#list(depth + 1);
    if (type === 12) return this.struct(depth + 1);
    if (type === 7) return this.#take(8).length;
    throw badTable("its footer is malformed");
  }

  #list(depth: number): Value[] {
    if (depth > DEPTH_MAX) throw badTable("its footer is malformed");
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.unsigned() : head >> 4;
    // Each item takes a byte at least.
    if (length > this.#bytes.length - this.at) throw badTable("its footer is malformed");
    const type = head & 15;
    const list: Value[] = [];
    while (list.length < length) {
      list.push(type === 1 || type === 2 ? this.#byte() === 1 : this.#value(type, depth));
    }
    return list;
  }

  #signed(): number {
    const number = this.unsigned();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.at) throw badTable("it ends too early");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw badTable("it ends too early");
    this.at += 1;
    return byte;
  }
}

export function badTable(what: string): BadTableError {
  return new BadTableError(`its table is malformed: ${what}`);
}
