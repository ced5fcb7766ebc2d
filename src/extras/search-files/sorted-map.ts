import { BadColumnsError } from "../../store/columns/columns.js";

/*
 * A sorted map from short texts to sets of slots, cut into shards. A shard has four parts: by entry, how many UTF-16
 * code units its key shares with the key before it and how many follow; those that follow, as UTF-16; the number of its
 * slots; and the slots, as gaps. A set whose bitmap is shorter than its gaps is stored as that bitmap.
 */

/** An entry of a map. */
export interface MapEntry {
  readonly key: string;
  /** Ascending, each at least 0. */
  readonly slots: readonly number[];
}

/** Appends numbers of seven bits a byte, the lowest first. */
function writeNumber(into: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) into.push((rest % 128) | 0x80);
  into.push(rest);
}

/** Writes shards of about `bytes` bytes each. */
export class ShardWriter {
  readonly #size: number;
  #shared: number[] = [];
  #units: number[] = [];
  #counts: number[] = [];
  #slots: number[] = [];
  #last = "";

  /** @param size the number of all slots */
  constructor(size: number) {
    this.#size = size;
  }

  /** Bytes of the shard so far. */
  get length(): number {
    return this.#shared.length + this.#units.length + this.#counts.length + this.#slots.length;
  }

  /** Adds an entry, whose key comes after all keys so far, and has at most 255 code units. */
  add({ key, slots }: MapEntry): void {
    let shared = 0;
    while (shared < this.#last.length && this.#last[shared] === key[shared]) shared += 1;
    this.#shared.push(shared, key.length - shared);
    for (let at = shared; at < key.length; at += 1) {
      writeNumber(this.#units, key.charCodeAt(at));
    }
    this.#last = key;
    const gaps: number[] = [];
    let next = 0;
    for (const slot of slots) {
      writeNumber(gaps, slot - next);
      next = slot + 1;
    }
    const width = Math.ceil(this.#size / 8);
    writeNumber(this.#counts, 2 * slots.length + Number(gaps.length > width));
    for (const byte of gaps.length > width ? bitmapOf(slots, width) : gaps) this.#slots.push(byte);
  }

  /** The bytes of the shard, which is empty afterwards. */
  take(): Uint8Array {
    const parts = [this.#shared, this.#units, this.#counts];
    const head: number[] = [];
    for (const { length } of parts) writeNumber(head, length);
    const bytes = new Uint8Array(head.length + this.length);
    let at = 0;
    for (const part of [head, ...parts, this.#slots]) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#shared = [];
    this.#units = [];
    this.#counts = [];
    this.#slots = [];
    this.#last = "";
    return bytes;
  }
}

function bitmapOf(slots: readonly number[], width: number): Uint8Array {
  const bits = new Uint8Array(width);
  for (const slot of slots) bits[slot >> 3]! |= 1 << (slot & 7);
  return bits;
}

/** Reads numbers of a shard. Its methods throw BadColumnsError. */
class NumberReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    if (to > bytes.length) throw new BadColumnsError("its shard ends too early");
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  get at(): number {
    return this.#at;
  }

  next(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new BadColumnsError("its shard has a number that is too large");
  }

  byte(): number {
    if (this.#at >= this.#end) throw new BadColumnsError("its shard ends too early");
    this.#at += 1;
    return this.#bytes[this.#at - 1]!;
  }
}

/**
 * Reads the entries of a shard whose keys begin with a text, or are a beginning of it, in their order.
 * @param size the number of all slots
 * @param visit receives the key and its slots, ascending
 * @throws BadColumnsError
 */
export function readShard(
  shard: Uint8Array,
  size: number,
  text: string,
  visit: (key: string, slots: readonly number[]) => void,
): void {
  const head = new NumberReader(shard);
  const lengths = { shared: head.next(), units: head.next(), counts: head.next() };
  const sharedEnd = head.at + lengths.shared;
  const unitsEnd = sharedEnd + lengths.units;
  const countsEnd = unitsEnd + lengths.counts;
  const units = new NumberReader(shard, sharedEnd, unitsEnd);
  const counts = new NumberReader(shard, unitsEnd, countsEnd);
  const slots = new NumberReader(shard, countsEnd);
  const width = Math.ceil(size / 8);
  let key = "";
  for (const numbers = new NumberReader(shard, head.at, sharedEnd); numbers.at < sharedEnd; ) {
    key = key.slice(0, numbers.byte());
    for (let more = numbers.byte(); more > 0; more -= 1) key += String.fromCharCode(units.next());
    const isWanted = key.startsWith(text) || text.startsWith(key);
    const found: number[] = [];
    const count = counts.next();
    if (count % 2 === 1) readBits(slots, width, isWanted ? found : null);
    else readGaps(slots, count / 2, size, isWanted ? found : null);
    if (isWanted) visit(key, found);
    else if (key > text) return;
  }
}

function readBits(from: NumberReader, width: number, into: number[] | null): void {
  for (let at = 0; at < width; at += 1) {
    let byte = from.byte();
    for (; into !== null && byte !== 0; byte &= byte - 1) {
      into.push(8 * at + 31 - Math.clz32(byte & -byte));
    }
  }
}

function readGaps(from: NumberReader, count: number, size: number, into: number[] | null): void {
  let next = 0;
  for (let at = 0; at < count; at += 1) {
    next += from.next();
    if (next >= size) throw new BadColumnsError("its shard names a slot that does not exist");
    into?.push(next);
    next += 1;
  }
}
