import { partOfHash } from "../../contract/host.js";
/** How many 32-bit words of a record's digest are stored: 128 bits, so that no two records collide by chance. */
export const DIGEST_WORDS = 4;

/** The position of one record. */
export interface RecordPointer {
  /** Number of its file. */
  readonly file: number;
  /** In bytes; may exceed 4 GB. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Counted from 1. */
  readonly line: number;
  /** The digest of its bytes (`recordDigest`) at the time it was located. */
  readonly digest: Uint32Array;
}

/** How many records the first columns have room for. */
const FIRST_ROOM = 1_024;

/** A record index as it is handed to other threads: columns in shared memory, which are not copied. */
export interface RecordColumns {
  readonly count: number;
  readonly file: Uint32Array;
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  readonly line: Uint32Array;
  readonly hostHash: Uint32Array;
  /** `DIGEST_WORDS` per record. */
  readonly digest: Uint32Array;
}

/**
 * Pointers to records, in the order in which they were located. They are columns that threads share and take 40
 * bytes per record without any object, so that a directory of any size fits into memory.
 */
export class RecordIndex {
  #columns: RecordColumns;
  #count: number;

  /** @param columns the columns of another thread's index, which must not grow any more */
  constructor(columns: RecordColumns = grown(null, FIRST_ROOM)) {
    this.#columns = columns;
    this.#count = columns.count;
  }

  get count(): number {
    return this.#count;
  }

  get columns(): RecordColumns {
    return { ...this.#columns, count: this.#count };
  }

  add({ file, offset, length, line, digest }: RecordPointer, hostHash: number): void {
    this.#makeRoom(1);
    const at = this.#count;
    const columns = this.#columns;
    columns.file[at] = file;
    columns.offset[at] = offset;
    columns.length[at] = length;
    columns.line[at] = line;
    columns.hostHash[at] = hostHash;
    columns.digest.set(digest, DIGEST_WORDS * at);
    this.#count += 1;
  }

  /** Adds all records of a file that was located before. */
  addFile(file: number, records: FileRecords): void {
    const { offset, length, line, hostHash, digest } = records;
    this.#makeRoom(offset.length);
    const at = this.#count;
    const columns = this.#columns;
    columns.file.fill(file, at, at + offset.length);
    columns.offset.set(offset, at);
    columns.length.set(length, at);
    columns.line.set(line, at);
    columns.hostHash.set(hostHash, at);
    columns.digest.set(digest, DIGEST_WORDS * at);
    this.#count += offset.length;
  }

  at(record: number): RecordPointer {
    const { file, offset, length, line, digest } = this.#columns;
    return {
      file: file[record]!,
      offset: offset[record]!,
      length: length[record]!,
      line: line[record]!,
      digest: digest.subarray(DIGEST_WORDS * record, DIGEST_WORDS * (record + 1)),
    };
  }

  /** The hash of the host (`hostHash`) that the record names. */
  hostHashAt(record: number): number {
    return this.#columns.hostHash[record]!;
  }

  #makeRoom(records: number): void {
    const room = this.#columns.file.length;
    const needed = this.#count + records;
    if (needed > room) {
      this.#columns = grown({ ...this.#columns, count: this.#count }, Math.max(needed, 2 * room));
    }
  }
}

/** The records of one file, from first to last: views of an index's columns, or separate columns. */
export type FileRecords = Omit<RecordColumns, "count" | "file">;

/** The records from `start` up to, but not including, `end`. */
export function recordsBetween(columns: FileRecords, start: number, end: number): FileRecords {
  return {
    offset: columns.offset.subarray(start, end),
    length: columns.length.subarray(start, end),
    line: columns.line.subarray(start, end),
    hostHash: columns.hostHash.subarray(start, end),
    digest: columns.digest.subarray(DIGEST_WORDS * start, DIGEST_WORDS * end),
  };
}

/** Columns with room for `room` records, which begin with the records of `from`. */
function grown(from: RecordColumns | null, room: number): RecordColumns {
  const count = from?.count ?? 0;
  const words = (old: Uint32Array | undefined, each = 1) => {
    const column = new Uint32Array(new SharedArrayBuffer(4 * each * room));
    if (old !== undefined) column.set(old.subarray(0, each * count));
    return column;
  };
  const offset = new Float64Array(new SharedArrayBuffer(8 * room));
  if (from !== null) offset.set(from.offset.subarray(0, count));
  return {
    count,
    file: words(from?.file),
    offset,
    length: words(from?.length),
    line: words(from?.line),
    hostHash: words(from?.hostHash),
    digest: words(from?.digest, DIGEST_WORDS),
  };
}

/** The records of each part. A record's part is the first `bits` bits of its host's hash. */
export class RecordParts {
  readonly bits: number;
  readonly #starts: Uint32Array;
  readonly #records: Uint32Array;

  constructor(index: RecordIndex, bits: number) {
    this.bits = bits;
    const partOf = (record: number) => partOfHash(index.hostHashAt(record), bits);
    this.#starts = new Uint32Array(2 ** bits + 1);
    for (let record = 0; record < index.count; record += 1) {
      this.#starts[partOf(record) + 1]! += 1;
    }
    for (let part = 0; part < 2 ** bits; part += 1) {
      this.#starts[part + 1]! += this.#starts[part]!;
    }
    const next = this.#starts.slice();
    this.#records = new Uint32Array(index.count);
    for (let record = 0; record < index.count; record += 1) {
      const part = partOf(record);
      this.#records[next[part]!] = record;
      next[part]! += 1;
    }
  }

  /** A part's record numbers, ascending. */
  recordsOf(part: number): Uint32Array {
    return this.#records.subarray(this.#starts[part]!, this.#starts[part + 1]!);
  }
}
