import { shardOf } from "../../contract/host.js";

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

/** Pointers to records as columns, in the order in which they were located. Threads share them without copying. */
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

/** The records of one file, from first to last: views of columns, or separate columns. */
export type FileRecords = Omit<RecordColumns, "count" | "file">;

export function pointerAt(columns: RecordColumns, record: number): RecordPointer {
  return {
    file: columns.file[record]!,
    offset: columns.offset[record]!,
    length: columns.length[record]!,
    line: columns.line[record]!,
    digest: columns.digest.subarray(DIGEST_WORDS * record, DIGEST_WORDS * (record + 1)),
  };
}

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

/** Columns that grow. They take 40 bytes per record and no object, so that a directory of any size fits into memory. */
export class GrowingColumns {
  #columns = columnsWithRoom(FIRST_ROOM);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The columns now. They share memory with later ones as long as there is room. */
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
    const { length } = records.offset;
    this.#makeRoom(length);
    this.#columns.file.fill(file, this.#count, this.#count + length);
    copyRecords(records, this.#columns, this.#count);
    this.#count += length;
  }

  #makeRoom(records: number): void {
    const room = this.#columns.file.length;
    const needed = this.#count + records;
    if (needed <= room) return;
    const grown = columnsWithRoom(Math.max(needed, 2 * room));
    grown.file.set(this.#columns.file.subarray(0, this.#count));
    copyRecords(recordsBetween(this.#columns, 0, this.#count), grown, 0);
    this.#columns = grown;
  }
}

function copyRecords(from: FileRecords, to: FileRecords, at: number): void {
  to.offset.set(from.offset, at);
  to.length.set(from.length, at);
  to.line.set(from.line, at);
  to.hostHash.set(from.hostHash, at);
  to.digest.set(from.digest, DIGEST_WORDS * at);
}

function columnsWithRoom(room: number): Omit<RecordColumns, "count"> {
  const words = (each = 1) => new Uint32Array(new SharedArrayBuffer(4 * each * room));
  return {
    file: words(),
    offset: new Float64Array(new SharedArrayBuffer(8 * room)),
    length: words(),
    line: words(),
    hostHash: words(),
    digest: words(DIGEST_WORDS),
  };
}

/** The records of each shard. A record's shard is the first `bits` bits of its host's hash. */
export class RecordShards {
  readonly bits: number;
  readonly #starts: Uint32Array;
  readonly #records: Uint32Array;

  constructor({ count, hostHash }: RecordColumns, bits: number) {
    this.bits = bits;
    const shardAt = (record: number) => shardOf(hostHash[record]!, bits);
    this.#starts = new Uint32Array(2 ** bits + 1);
    for (let record = 0; record < count; record += 1) this.#starts[shardAt(record) + 1]! += 1;
    for (let shard = 0; shard < 2 ** bits; shard += 1) {
      this.#starts[shard + 1]! += this.#starts[shard]!;
    }
    const next = this.#starts.slice();
    this.#records = new Uint32Array(count);
    for (let record = 0; record < count; record += 1) {
      const shard = shardAt(record);
      this.#records[next[shard]!] = record;
      next[shard]! += 1;
    }
  }

  /** A shard's record numbers, ascending. */
  recordsOf(shard: number): Uint32Array {
    return this.#records.subarray(this.#starts[shard]!, this.#starts[shard + 1]!);
  }
}
