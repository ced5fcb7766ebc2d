import {
  atRows,
  bitsIn,
  type Dictionary,
  ENCODINGS,
  indexes,
  levelsIn,
  listStarts,
  type NumberColumn,
  numbersIn,
  type Page,
  type TextColumn,
  textsIn,
  valueStarts,
} from "./pages.js";
import { badTable, listIn, numberIn, type Struct, structIn, Thrift } from "./thrift.js";

/*
 * Reads the Parquet files that `write-table.ts` writes: one row group, and in each column one page of version 2, after a
 * dictionary if it has one. A reader for any Parquet file would trust the lengths in it. This one takes no length before
 * it has checked that the bytes for it are there, so a hostile file costs no more than its size.
 */

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

/** Bytes of the head and of the end of what gzip makes. */
const [GZIP_HEAD, GZIP_END] = [10, 8];

/** The part of a page that gzip has compressed. */
export function deflatedIn(page: Uint8Array): Uint8Array {
  return page.subarray(GZIP_HEAD, page.length - GZIP_END);
}

export interface CompressedPage {
  readonly bytes: Uint8Array;
  /** Bytes of the inflated page. */
  readonly length: number;
}

/** The columns of a table by their names, each read when it is first needed. */
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

  /** Of all columns; of a list, that of its elements. */
  get names(): Iterable<string> {
    return this.#chunks.keys();
  }

  has(name: string): boolean {
    return this.#chunks.has(name);
  }

  /** @param isList whether each row is a list of texts */
  texts(name: string, isList: boolean): TextColumn {
    const { dictionary, page } = this.#pages(name, TYPES.bytes);
    if (page.repetitions.length > 0 !== isList) throw badTable(`${name} is not of the right kind`);
    const starts = isList ? listStarts(page, this.rows) : valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    if (dictionary !== null) {
      const named = indexes(page, count, dictionary.count);
      return { values: textsIn(dictionary.bytes, dictionary.count), starts, named };
    }
    if (page.encoding !== ENCODINGS.plain) throw badTable(`${name} has another encoding`);
    const values = textsIn(page.values, count);
    return { values, starts, named: Uint32Array.from({ length: count }, (_, at) => at) };
  }

  numbers(name: string): NumberColumn {
    const { dictionary, page } = this.#pages(name, TYPES.number);
    if (page.repetitions.length > 0) throw badTable(`${name} is not of the right kind`);
    const starts = valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    if (dictionary !== null) {
      const all = numbersIn(dictionary.bytes, dictionary.count);
      const named = indexes(page, count, dictionary.count);
      return atRows(
        Int32Array.from(named, (place) => all[place]!),
        starts,
      );
    }
    if (page.encoding !== ENCODINGS.plain) throw badTable(`${name} has another encoding`);
    return atRows(numbersIn(page.values, count), starts);
  }

  flags(name: string): NumberColumn {
    const { dictionary, page } = this.#pages(name, TYPES.flag);
    const starts = valueStarts(page, this.rows);
    const count = starts[this.rows]!;
    if (dictionary !== null || page.repetitions.length > 0)
      throw badTable(`${name} is not of flags`);
    if (page.encoding === ENCODINGS.rle) {
      // The length of the runs comes first.
      return atRows(Int32Array.from(bitsIn(page.values.subarray(4), count)), starts);
    }
    if (page.encoding !== ENCODINGS.plain) throw badTable(`${name} has another encoding`);
    if (page.values.length < Math.ceil(count / 8)) throw badTable(`${name} ends too early`);
    const bit = (_: unknown, at: number) => (page.values[at >> 3]! >> (at & 7)) & 1;
    return atRows(Int32Array.from({ length: count }, bit), starts);
  }

  #footer(): Struct {
    const { length } = this.#bytes;
    const isParquet = length >= 12 && this.#view.getUint32(length - 4, true) === MAGIC;
    const size = isParquet ? this.#view.getUint32(length - 8, true) : length;
    if (size > length - 12) throw badTable("it is not a Parquet file");
    if (size > FOOTER_MAX) throw badTable("its footer is too large");
    return new Thrift(this.#bytes.subarray(length - 8 - size, length - 8)).struct();
  }

  /** The compressed pages of all columns. @returns each with its length once it is inflated */
  compressedPages(): CompressedPage[] {
    const pages: CompressedPage[] = [];
    for (const chunk of this.#chunks.values()) {
      if (chunk.codec !== CODECS.gzip) continue;
      for (const { header, bytes } of this.#headers(chunk)) {
        const facts = header.get(8) instanceof Map ? structIn(header, 8) : null;
        const levels = facts === null ? 0 : numberIn(facts, 5) + numberIn(facts, 6);
        const length = numberIn(header, 2) - levels;
        this.#requireLength(bytes.subarray(levels), length, chunk);
        pages.push({ bytes: bytes.subarray(levels), length });
      }
    }
    this.#inflated = 0;
    return pages;
  }

  /** The headers of a column's pages, two at most, each with the bytes that follow it. */
  *#headers({ name, start, end: last }: Chunk): Generator<{ header: Struct; bytes: Uint8Array }> {
    let at = start;
    for (let pages = 0; pages < 2 && at < last; pages += 1) {
      const thrift = new Thrift(this.#bytes.subarray(at, Math.min(last, at + HEADER_MAX)));
      const header = thrift.struct();
      const body = at + thrift.at;
      at = body + numberIn(header, 3);
      if (at > last) throw badTable(`${name} ends too early`);
      yield { header, bytes: this.#bytes.subarray(body, at) };
    }
    if (at !== last) throw badTable(`${name} has other pages`);
  }

  #pages(name: string, type: number): { dictionary: Dictionary | null; page: Page } {
    const chunk = this.#chunks.get(name);
    if (chunk === undefined || chunk.type !== type)
      throw badTable(`it has no right column ${name}`);
    let dictionary: Dictionary | null = null;
    let page: Page | null = null;
    for (const { header, bytes } of this.#headers(chunk)) {
      const kind = numberIn(header, 1);
      if (kind === PAGES.dictionary && dictionary === null && page === null) {
        const content = this.#page(bytes, numberIn(header, 2), chunk);
        dictionary = { count: numberIn(structIn(header, 7), 1), bytes: content };
        // Each value takes a byte at least.
        if (dictionary.count > content.length) throw badTable(`${name} has a wrong dictionary`);
      } else {
        if (kind !== PAGES.data || page !== null) throw badTable(`${name} has other pages`);
        page = this.#dataPage(header, bytes, chunk);
      }
    }
    if (page === null) throw badTable(`${name} has no values`);
    return { dictionary, page };
  }

  #dataPage(header: Struct, bytes: Uint8Array, chunk: Chunk): Page {
    const facts = structIn(header, 8);
    const values = numberIn(facts, 1);
    const [definitions, repetitions] = [numberIn(facts, 5), numberIn(facts, 6)];
    const levels = definitions + repetitions;
    if (values !== chunk.values || numberIn(facts, 3) !== this.rows || levels > bytes.length) {
      throw badTable(`${chunk.name} has other rows than the table`);
    }
    const isCompressed = facts.get(7) !== false;
    const length = numberIn(header, 2) - levels;
    const rest = bytes.subarray(levels);
    return {
      count: values,
      encoding: numberIn(facts, 4),
      repetitions: levelsIn(bytes.subarray(0, repetitions), values),
      definitions: levelsIn(bytes.subarray(repetitions, levels), values),
      values: isCompressed ? this.#page(rest, length, chunk) : rest,
    };
  }

  #requireLength(bytes: Uint8Array, length: number, { name }: Pick<Chunk, "name">): void {
    this.#inflated += length;
    if (length < 0 || this.#inflated > this.#limits.bytesMax) throw badTable("it is too large");
    if (length > INFLATION_MAX * bytes.length) throw badTable(`${name} cannot become so long`);
  }

  #page(bytes: Uint8Array, length: number, { name, codec }: Chunk): Uint8Array {
    this.#requireLength(bytes, length, { name });
    const page = codec === CODECS.none ? bytes : this.#inflate(bytes, length);
    if (page === null || page.length !== length) throw badTable(`${name} cannot be inflated`);
    return page;
  }
}

/** "PAR1", read as a little-endian number. */
const MAGIC = 0x31524150;
const TYPES = { flag: 0, number: 1, bytes: 6 } as const;
const CODECS = { none: 0, gzip: 2 } as const;
const PAGES = { dictionary: 2, data: 3 } as const;
/** The most bytes of a footer and of a page's header: some ten times as many as they have. Each byte may become an object. */
const [FOOTER_MAX, HEADER_MAX] = [65_536, 1_024];
/** Deflate makes at most 1,032 bytes of one. */
const INFLATION_MAX = 1_032;

/** The pages of a column, from `start` to before `end`. */
interface Chunk {
  readonly name: string;
  readonly type: number;
  readonly codec: number;
  readonly values: number;
  readonly start: number;
  readonly end: number;
}

function chunksIn(footer: Struct, { rows, valuesMax }: TableLimits): Chunk[] {
  const groups = listIn(footer, 4);
  const [group] = groups;
  if (groups.length !== 1 || !(group instanceof Map) || numberIn(group, 3) !== rows) {
    throw badTable("it does not have as many rows as its manifest says");
  }
  return listIn(group, 1).map((column) => {
    if (!(column instanceof Map)) throw badTable("its footer is malformed");
    const facts = structIn(column, 3);
    const [name] = listIn(facts, 3);
    const values = numberIn(facts, 5);
    const start = facts.has(11) ? numberIn(facts, 11) : numberIn(facts, 9);
    if (!(name instanceof Uint8Array) || values > valuesMax)
      throw badTable("a column is too large");
    return {
      name: new TextDecoder().decode(name),
      type: numberIn(facts, 1),
      codec: numberIn(facts, 4),
      values,
      start,
      end: start + numberIn(facts, 7),
    };
  });
}
