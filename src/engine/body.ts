import { SHOWN } from "../columns/listings.js";
import type { Texts } from "../columns/texts.js";
import type { Roster } from "./roster.js";

/*
 * An answer's body is joined from bytes that were made before the request: pieces of JSON and slices of a
 * buffer that holds every item's JSON. Only counts and corrected queries are written per request; nothing
 * is parsed or stringified.
 */

/** JSON texts of items in one buffer, each followed by a comma, so that neighbours are already joined. */
export type JsonItems = Texts;

const encoder = new TextEncoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Brings the summaries of all listings into the order of their numbers. */
export function gatherSummaries({ size, buckets, bucketOf, rowOf }: Roster): JsonItems {
  const parts = buckets.map(({ summaries }) => summaries);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const starts = new Uint32Array(size + 1);
  for (let number = 0; number < size; number += 1) {
    const part = parts[bucketOf[number]!]!;
    const row = rowOf[number]!;
    const item = part.bytes.subarray(part.starts[row], part.starts[row + 1]);
    bytes.set(item, starts[number]);
    starts[number + 1] = starts[number]! + item.length;
  }
  return { bytes, starts };
}

/** Brings the places of what suggestions show into the order of the listings' numbers. */
export function gatherShown({ size, buckets, bucketOf, rowOf }: Roster): Uint16Array | Uint32Array {
  const isWide = buckets.some(({ shown }) => shown.BYTES_PER_ELEMENT > 2);
  const all = isWide ? new Uint32Array(PLACES * size) : new Uint16Array(PLACES * size);
  for (let number = 0; number < size; number += 1) {
    const { shown } = buckets[bucketOf[number]!]!;
    const first = PLACES * rowOf[number]!;
    for (let at = 0; at < PLACES; at += 1) all[PLACES * number + at] = shown[first + at]!;
  }
  return all;
}

/** Writes one body after the other; the room of one serves the next. */
export class Body {
  #room: Uint8Array = new Uint8Array(1 << 16);
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Begins a body; what an earlier one, cut short by an exception, left behind is gone. */
  begin(bytes: Uint8Array): this {
    this.#length = 0;
    return this.bytes(bytes);
  }

  /** The bytes from `start` to before `end`. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): this {
    const length = end - start;
    this.#reserve(length);
    const room = this.#room;
    const shift = this.#length - start;
    // A call that copies costs as much as copying so many one by one.
    if (length > SHORT) room.set(bytes.subarray(start, end), this.#length);
    else for (let at = start; at < end; at += 1) room[at + shift] = bytes[at]!;
    this.#length += length;
    return this;
  }

  text(text: string): this {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    this.#reserve(text.length * 3);
    this.#length += encoder.encodeInto(text, this.#room.subarray(this.#length)).written;
    return this;
  }

  /** A whole number, 0 or greater, in decimal digits. */
  count(count: number): this {
    this.#reserve(16);
    let digits = 1;
    for (let left = count; left >= 10; left = Math.floor(left / 10)) digits += 1;
    let rest = count;
    for (let at = this.#length + digits - 1; at >= this.#length; at -= 1) {
      this.#room[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#length += digits;
    return this;
  }

  /** A JSON array of the items with these numbers. */
  items({ bytes, starts }: JsonItems, numbers: Uint32Array): this {
    this.bytes(OPEN);
    for (const number of numbers) this.bytes(bytes, starts[number]!, starts[number + 1]!);
    return this.closeArray();
  }

  /** A JSON array of parts of the items with these numbers: of each of SHOWN, which `places` tell. */
  parts(
    { bytes, starts }: JsonItems,
    places: Uint16Array | Uint32Array,
    numbers: Uint32Array,
  ): this {
    this.bytes(OPEN);
    for (const number of numbers) {
      const start = starts[number]!;
      for (let part = 0; part < SHOWN.length; part += 1) {
        const at = PLACES * number + 2 * part;
        this.bytes(HEADS[part]!);
        this.bytes(bytes, start + places[at]!, start + places[at + 1]!);
      }
      this.bytes(PART_END);
    }
    return this.closeArray();
  }

  /** Ends an array; the comma that its last item leaves behind goes. */
  closeArray(): this {
    if (this.#room[this.#length - 1] === COMMA) this.#length -= 1;
    return this.bytes(CLOSE);
  }

  /** The body so far, as bytes of its own. */
  finish(): Uint8Array {
    return this.#room.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#room.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, this.#room.length * 2));
    larger.set(this.#room.subarray(0, this.#length));
    this.#room = larger;
  }
}

/** Bytes up to which a piece is copied one by one. */
const SHORT = 64;
/** Numbers of `places` a listing. */
const PLACES = 2 * SHOWN.length;
/** What stands before each of SHOWN. */
const HEADS = SHOWN.map((name, part) => encode(`${part === 0 ? "{" : ","}"${name}":`));
const PART_END = encode("},");
const COMMA = 0x2c;
const OPEN = encode("[");
const CLOSE = encode("]");
