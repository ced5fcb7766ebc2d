import { areStarts, type Texts } from "../columns/texts.js";

/*
 * Reads the Parquet files that `write-table.ts` writes: one row group, and in each column one page of version 2, after a
 * dictionary if it has one. A reader for any Parquet file would trust the lengths in it. This one takes no length before
 * it has checked that the bytes for it are there, so a hostile file costs no more than its size.
 */

/** The bytes are no table that this program writes. */
export class BadTableError extends Error {
  override readonly name = "BadTableError";
}

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

export interface TableLimits {
  /** How many rows the table must have. */
  readonly rows: number;
  /** The most values of a column of lists. */
  readonly valuesMax: number;
  /** The most bytes of all pages together, inflated. */
  readonly bytesMax: number;
}

/** Inflates a page. Must stop once the page has more than `length` bytes. @returns null if it has not that many */
export type InflatePage = (bytes: Uint8Array, length: number) => Uint8Array | null;

/** The columns of a table by their names, each read when it is asked for. */
export class TableReader {
  readonly rows: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limits: TableLimits;
  readonly #inflate: InflatePage;
  readonly #chunks = new Map<string, Chunk>();
  #inflated = 0;

  /** A table without rows and columns. */
  static empty(): TableReader {
    return new TableReader(null, { rows: 0, valuesMax: 0, bytesMax: 0 }, () => null);
  }

  /** @throws BadTableError, as all methods do */
  constructor(bytes: Uint8Array | null, limits: TableLimits, inflate: InflatePage) {
    this.#bytes = bytes ?? new Uint8Array(0);
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#limits = limits;
    this.#inflate = inflate;
    this.rows = limits.rows;
    if (bytes === null) return;
    for (const chunk of chunksIn(this.#footer(), limits)) this.#chunks.set(chunk.name, chunk);
  }

  has(name: string): boolean {
    return this.#chunks.has(name);
  }

  /** @param isList whether each row is a list of texts */
  texts(name: string, isList: boolean): TextColumn {
    const { dictionary, page } = this.#pages(name, TYPES.bytes);
    if (page.repetitions.length > 0 !== isList) throw bad(`${name} is not of the right kind`);
    const starts = isList ? listStarts(page, this.rows) : valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    if (dictionary !== null) {
      const named = indexes(page, count, dictionary.count);
      return { values: textsIn(dictionary.bytes, dictionary.count), starts, named };
    }
    if (page.encoding !== ENCODINGS.plain) throw bad(`${name} has another encoding`);
    const values = textsIn(page.values, count);
    return { values, starts, named: Uint32Array.from({ length: count }, (_, at) => at) };
  }

  numbers(name: string): NumberColumn {
    const { dictionary, page } = this.#pages(name, TYPES.number);
    if (page.repetitions.length > 0) throw bad(`${name} is not of the right kind`);
    const starts = valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    const all = dictionary === null ? null : numbersIn(dictionary.bytes, dictionary.count);
    const found =
      all === null || dictionary === null
        ? numbersIn(page.values, count)
        : Int32Array.from(indexes(page, count, dictionary.count), (place) => all[place]!);
    return spread(found, starts);
  }

  flags(name: string): NumberColumn {
    const { dictionary, page } = this.#pages(name, TYPES.flag);
    const starts = valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    if (dictionary !== null || page.repetitions.length > 0) throw bad(`${name} is not of flags`);
    if (page.encoding === ENCODINGS.rle) {
      const found = new Uint32Array(count);
      // The length of the runs comes first.
      hybrid(page.values.subarray(4), 1, found);
      return spread(Int32Array.from(found), starts);
    }
    if (page.values.length < Math.ceil(count / 8)) throw bad(`${name} ends too early`);
    const bit = (_: unknown, at: number) => (page.values[at >> 3]! >> (at & 7)) & 1;
    return spread(Int32Array.from({ length: count }, bit), starts);
  }

  #footer(): Struct {
    const { length } = this.#bytes;
    const isParquet = length >= 12 && this.#view.getUint32(length - 4, true) === MAGIC;
    const size = isParquet ? this.#view.getUint32(length - 8, true) : length;
    if (size > length - 12) throw bad("it is not a Parquet file");
    return new Thrift(this.#bytes.subarray(length - 8 - size, length - 8)).struct();
  }

  #pages(name: string, type: number): { dictionary: Dictionary | null; page: Page } {
    const chunk = this.#chunks.get(name);
    if (chunk === undefined || chunk.type !== type) throw bad(`it has no right column ${name}`);
    let at = chunk.start;
    let dictionary: Dictionary | null = null;
    for (let pages = 0; pages < 2; pages += 1) {
      const thrift = new Thrift(this.#bytes.subarray(at, chunk.end));
      const header = thrift.struct();
      const body = at + thrift.at;
      const end = body + count(header, 3);
      if (end > chunk.end) throw bad(`${name} ends too early`);
      const bytes = this.#bytes.subarray(body, end);
      at = end;
      if (count(header, 1) === PAGES.dictionary && dictionary === null) {
        const content = this.#page(bytes, count(header, 2), chunk);
        dictionary = { count: count(structIn(header, 7), 1), bytes: content };
        // Each value takes a byte at least.
        if (dictionary.count > content.length) throw bad(`${name} has a wrong dictionary`);
      } else {
        if (count(header, 1) !== PAGES.data || at !== chunk.end)
          throw bad(`${name} has other pages`);
        return { dictionary, page: this.#dataPage(header, bytes, chunk) };
      }
    }
    throw bad(`${name} has no values`);
  }

  #dataPage(header: Struct, bytes: Uint8Array, chunk: Chunk): Page {
    const facts = structIn(header, 8);
    const values = count(facts, 1);
    const [definitions, repetitions] = [count(facts, 5), count(facts, 6)];
    const levels = definitions + repetitions;
    if (values !== chunk.values || count(facts, 3) !== this.rows || levels > bytes.length) {
      throw bad(`${chunk.name} has other rows than the table`);
    }
    const isCompressed = facts.get(7) !== false;
    const length = count(header, 2) - levels;
    const rest = bytes.subarray(levels);
    return {
      count: values,
      encoding: count(facts, 4),
      repetitions: levelsIn(bytes.subarray(0, repetitions), values),
      definitions: levelsIn(bytes.subarray(repetitions, levels), values),
      values: isCompressed ? this.#page(rest, length, chunk) : rest,
    };
  }

  #page(bytes: Uint8Array, length: number, { name, codec }: Chunk): Uint8Array {
    this.#inflated += length;
    if (length < 0 || this.#inflated > this.#limits.bytesMax) throw bad("it is too large");
    const page = codec === CODECS.none ? bytes : this.#inflate(bytes, length);
    if (page === null || page.length !== length) throw bad(`${name} cannot be inflated`);
    return page;
  }
}

/** "PAR1", read as a little-endian number. */
const MAGIC = 0x31524150;
const TYPES = { flag: 0, number: 1, bytes: 6 } as const;
const CODECS = { none: 0, gzip: 2 } as const;
const PAGES = { dictionary: 2, data: 3 } as const;
const ENCODINGS = { plain: 0, rle: 3, dictionary: 8 } as const;

/** The pages of a column, from `start` to before `end`. */
interface Chunk {
  readonly name: string;
  readonly type: number;
  readonly codec: number;
  readonly values: number;
  readonly start: number;
  readonly end: number;
}

interface Dictionary {
  readonly count: number;
  readonly bytes: Uint8Array;
}

interface Page {
  readonly count: number;
  readonly encoding: number;
  /** Empty if the column has no lists. */
  readonly repetitions: Uint32Array;
  /** Empty if no row can be null. */
  readonly definitions: Uint32Array;
  readonly values: Uint8Array;
}

function chunksIn(footer: Struct, { rows, valuesMax }: TableLimits): Chunk[] {
  const groups = listIn(footer, 4);
  const [group] = groups;
  if (groups.length !== 1 || !(group instanceof Map) || count(group, 3) !== rows) {
    throw bad("it does not have as many rows as its manifest says");
  }
  return listIn(group, 1).map((column) => {
    if (!(column instanceof Map)) throw bad("its footer is malformed");
    const facts = structIn(column, 3);
    const [name] = listIn(facts, 3);
    const values = count(facts, 5);
    const start = facts.has(11) ? count(facts, 11) : count(facts, 9);
    if (!(name instanceof Uint8Array) || values > valuesMax) throw bad("a column is too large");
    return {
      name: new TextDecoder().decode(name),
      type: count(facts, 1),
      codec: count(facts, 4),
      values,
      start,
      end: start + count(facts, 7),
    };
  });
}

/** One value a row, and none for a null. */
function valueStarts({ count, definitions }: Page, rows: number): Uint32Array {
  if (count !== rows) throw bad("a column does not have as many values as rows");
  const starts = new Uint32Array(rows + 1);
  const areAll = definitions.length === 0;
  for (let row = 0; row < rows; row += 1) {
    starts[row + 1] = starts[row]! + (areAll ? 1 : definitions[row]!);
  }
  return starts;
}

/** A repetition of 0 starts a row. A definition of 0 is an empty list. */
function listStarts({ count, repetitions, definitions }: Page, rows: number): Uint32Array {
  const starts = new Uint32Array(rows + 1);
  let row = -1;
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    if (repetitions[at] === 0) {
      row += 1;
      if (row >= rows) throw bad("a list has more rows than the table");
      starts[row] = end;
    }
    if (row < 0) throw bad("a list begins within a row");
    end += definitions[at] === 0 ? 0 : 1;
  }
  if (row !== rows - 1) throw bad("a list has fewer rows than the table");
  starts[rows] = end;
  return starts;
}

/** The places in a dictionary that a page names. */
function indexes({ encoding, values }: Page, length: number, limit: number): Uint32Array {
  const width = values[0] ?? 0;
  if (encoding !== ENCODINGS.dictionary || width > 32) throw bad("a column has another encoding");
  const places = new Uint32Array(length);
  if (width > 0) hybrid(values.subarray(1), width, places);
  for (const place of places) if (place >= limit) throw bad("a column names no value");
  return places;
}

function levelsIn(bytes: Uint8Array, length: number): Uint32Array {
  if (bytes.length === 0) return new Uint32Array(0);
  const levels = new Uint32Array(length);
  hybrid(bytes, 1, levels);
  return levels;
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
      throw bad("a run is too long");
    const last = Math.min(end + length, into.length);
    if (isRun) into.fill(thrift.littleEndian(Math.ceil(width / 8)), end, last);
    else thrift.packed(width, length, into.subarray(end, last));
    end = last;
  }
}

/** Reads texts, each after its length in four bytes. */
function textsIn(page: Uint8Array, length: number): Texts {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  if (4 * length > page.length) throw bad("a column ends too early");
  const bytes = new Uint8Array(page.length - 4 * length);
  const starts = new Uint32Array(length + 1);
  let at = 0;
  for (let text = 0; text < length; text += 1) {
    const from = at + 4;
    at = from <= page.length ? from + view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (at > page.length) throw bad("a column ends too early");
    bytes.set(page.subarray(from, at), starts[text]!);
    starts[text + 1] = starts[text]! + at - from;
  }
  if (!areStarts(starts, bytes.length)) throw bad("a column has more than its texts");
  requireTexts({ bytes, starts });
  return { bytes, starts };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks that each text is valid UTF-8: all are together, and no text begins within a character. */
function requireTexts({ bytes, starts }: Texts): void {
  try {
    strict.decode(bytes);
  } catch {
    throw bad("a text is not UTF-8");
  }
  for (const start of starts) {
    if (((bytes[start] ?? 0) & 0xc0) === 0x80) throw bad("a text is not UTF-8");
  }
}

function numbersIn(bytes: Uint8Array, length: number): Int32Array {
  if (bytes.length !== 4 * length) throw bad("a column of numbers has another length");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length }, (_, at) => view.getInt32(4 * at, true));
}

/** Puts numbers at their rows, with nulls where a row has none. */
function spread(found: Int32Array, starts: Uint32Array): NumberColumn {
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

type Value = number | boolean | Uint8Array | readonly Value[] | Struct;
type Struct = ReadonlyMap<number, Value>;

/** Members of a struct that a table cannot do without. @throws BadTableError */
function count(struct: Struct, field: number): number {
  const value = struct.get(field);
  if (typeof value !== "number" || value < 0) throw bad("its footer is malformed");
  return value;
}

function structIn(struct: Struct, field: number): Struct {
  const value = struct.get(field);
  if (!(value instanceof Map)) throw bad("its footer is malformed");
  return value;
}

function listIn(struct: Struct, field: number): readonly Value[] {
  const value = struct.get(field);
  if (!Array.isArray(value)) throw bad("its footer is malformed");
  return value;
}

/** The deepest nesting of structs in a footer: file, row group, column, its facts, their statistics. */
const DEPTH_MAX = 8;

/** Reads Thrift's compact protocol, and the numbers of pages. Throws BadTableError at the end of the bytes. */
class Thrift {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth = 0): Map<number, Value> {
    if (depth > DEPTH_MAX) throw bad("its footer is malformed");
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
    if (!Number.isSafeInteger(number)) throw bad("a number is too large");
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
    if (end > this.#bytes.length) throw bad("it ends too early");
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
    if (type === 9) return this.#list(depth);
    if (type === 12) return this.struct(depth + 1);
    if (type === 7) return this.#take(8).length;
    throw bad("its footer is malformed");
  }

  #list(depth: number): Value[] {
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.unsigned() : head >> 4;
    // Each item takes a byte at least.
    if (length > this.#bytes.length - this.at) throw bad("its footer is malformed");
    const type = head & 15;
    return Array.from({ length }, () =>
      type === 1 || type === 2 ? this.#byte() === 1 : this.#value(type, depth),
    );
  }

  #signed(): number {
    const number = this.unsigned();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.at) throw bad("it ends too early");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw bad("it ends too early");
    this.at += 1;
    return byte;
  }
}

function bad(what: string): BadTableError {
  return new BadTableError(`its table is malformed: ${what}`);
}
