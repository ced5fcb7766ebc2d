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
  /** The first 32 bits of its digest when it was located. */
  readonly checksum: number;
}

/** A digest's first 32 bits: enough to see that bytes are no longer what they were. */
export function checksumOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 8), 16);
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
  readonly checksum: Uint32Array;
  readonly hostHash: Uint32Array;
}

/**
 * Pointers to records in the order in which they were located: 28 bytes each and no object, so that a
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

  add({ file, offset, length, line, checksum }: RecordPointer, hostHash: number): void {
    if (this.#count === this.#columns.file.length) {
      this.#columns = grown(this.#columns, 2 * this.#count);
    }
    const at = this.#count;
    const columns = this.#columns;
    columns.file[at] = file;
    columns.offset[at] = offset;
    columns.length[at] = length;
    columns.line[at] = line;
    columns.checksum[at] = checksum;
    columns.hostHash[at] = hostHash;
    this.#count += 1;
  }

  at(record: number): RecordPointer {
    const { file, offset, length, line, checksum } = this.#columns;
    return {
      file: file[record]!,
      offset: offset[record]!,
      length: length[record]!,
      line: line[record]!,
      checksum: checksum[record]!,
    };
  }

  /** The hash of the host (`hostHash`) that the record names. */
  hostHashAt(record: number): number {
    return this.#columns.hostHash[record]!;
  }
}

/** Columns with room for so many records, and those of `from` in them. */
function grown(from: RecordColumns | null, room: number): RecordColumns {
  const words = (old: Uint32Array | undefined) => {
    const column = new Uint32Array(new SharedArrayBuffer(4 * room));
    if (old !== undefined) column.set(old);
    return column;
  };
  const offset = new Float64Array(new SharedArrayBuffer(8 * room));
  if (from !== null) offset.set(from.offset);
  return {
    count: from?.count ?? 0,
    file: words(from?.file),
    offset,
    length: words(from?.length),
    line: words(from?.line),
    checksum: words(from?.checksum),
    hostHash: words(from?.hostHash),
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

function bucketOfHash(hash: number, bits: number): number {
  // A shift by 32 would be a shift by 0.
  return bits === 0 ? 0 : hash >>> (32 - bits);
}
