/** Words of 32 bits that are kept of a record's digest: 128 bits, which no two records share by chance. */
export const DIGEST_WORDS = 4;

/** Where one record lies. */
export interface RecordPointer {
  /** Number of its file. */
  readonly file: number;
  /** In bytes; also past 4 GB. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Counted from 1. */
  readonly line: number;
  /** The digest of its bytes (`recordDigest`) when it was located. */
  readonly digest: Uint32Array;
}

/** Records for which there is room at first. */
const FIRST_ROOM = 1_024;

/** A record index as it is handed to other threads: columns of shared memory, which no copy is made of. */
export interface RecordColumns {
  readonly count: number;
  readonly file: Uint32Array;
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  readonly line: Uint32Array;
  readonly hostHash: Uint32Array;
  /** `DIGEST_WORDS` a record. */
  readonly digest: Uint32Array;
}

/**
 * Pointers to records in the order in which they were located: 40 bytes each and no object, so that a
 * directory of any size fits, in columns that threads share.
 */
export class RecordIndex {
  #columns: RecordColumns;
  #count: number;

  /** @param columns those of another thread's index; it must not grow any more */
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

  /** Adds all records of a file that were located before. */
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

/** The records of one file, from the first to the last: views of an index's columns, or columns of their own. */
export type FileRecords = Omit<RecordColumns, "count" | "file">;

/** The records from `start` up to, and without, `end`. */
export function recordsBetween(columns: RecordColumns, start: number, end: number): FileRecords {
  return {
    offset: columns.offset.subarray(start, end),
    length: columns.length.subarray(start, end),
    line: columns.line.subarray(start, end),
    hostHash: columns.hostHash.subarray(start, end),
    digest: columns.digest.subarray(DIGEST_WORDS * start, DIGEST_WORDS * end),
  };
}

/** Columns with room for so many records, and those of `from` in them. */
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

/** The records of each bucket: those whose host's hash begins with the bucket's `bits` bits. */
export class Buckets {
  readonly bits: number;
  readonly #starts: Uint32Array;
  readonly #records: Uint32Array;

  constructor(index: RecordIndex, bits: number) {
    this.bits = bits;
    const bucketOf = (record: number) => bucketOfHash(index.hostHashAt(record), bits);
    this.#starts = new Uint32Array(2 ** bits + 1);
    for (let record = 0; record < index.count; record += 1) {
      this.#starts[bucketOf(record) + 1]! += 1;
    }
    for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
      this.#starts[bucket + 1]! += this.#starts[bucket]!;
    }
    const next = this.#starts.slice();
    this.#records = new Uint32Array(index.count);
    for (let record = 0; record < index.count; record += 1) {
      const bucket = bucketOf(record);
      this.#records[next[bucket]!] = record;
      next[bucket]! += 1;
    }
  }

  /** Numbers of a bucket's records, ascending. */
  recordsOf(bucket: number): Uint32Array {
    return this.#records.subarray(this.#starts[bucket]!, this.#starts[bucket + 1]!);
  }
}

/** The number of the bucket of a host with this hash. */
export function bucketOfHash(hash: number, bits: number): number {
  // A shift by 32 would be a shift by 0.
  return bits === 0 ? 0 : hash >>> (32 - bits);
}
