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

/**
 * Pointers to records in the order in which they were located: 28 bytes each and no object, so that a
 * directory of any size fits, and columns that can be handed to other threads as they are.
 */
export class RecordIndex {
  #count = 0;
  #file = new Uint32Array(FIRST_ROOM);
  #offset = new Float64Array(FIRST_ROOM);
  #length = new Uint32Array(FIRST_ROOM);
  #line = new Uint32Array(FIRST_ROOM);
  #checksum = new Uint32Array(FIRST_ROOM);
  #hostHash = new Uint32Array(FIRST_ROOM);

  get count(): number {
    return this.#count;
  }

  add({ file, offset, length, line, checksum }: RecordPointer, hostHash: number): void {
    if (this.#count === this.#file.length) this.#grow(2 * this.#count);
    const at = this.#count;
    this.#file[at] = file;
    this.#offset[at] = offset;
    this.#length[at] = length;
    this.#line[at] = line;
    this.#checksum[at] = checksum;
    this.#hostHash[at] = hostHash;
    this.#count += 1;
  }

  at(record: number): RecordPointer {
    return {
      file: this.#file[record]!,
      offset: this.#offset[record]!,
      length: this.#length[record]!,
      line: this.#line[record]!,
      checksum: this.#checksum[record]!,
    };
  }

  /** The hash of the host (`hostHash`) that the record names. */
  hostHashAt(record: number): number {
    return this.#hostHash[record]!;
  }

  #grow(room: number): void {
    this.#file = grown(this.#file, new Uint32Array(room));
    this.#offset = grown(this.#offset, new Float64Array(room));
    this.#length = grown(this.#length, new Uint32Array(room));
    this.#line = grown(this.#line, new Uint32Array(room));
    this.#checksum = grown(this.#checksum, new Uint32Array(room));
    this.#hostHash = grown(this.#hostHash, new Uint32Array(room));
  }
}

function grown<T extends Uint32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
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
