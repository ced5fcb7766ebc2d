import { SHOWN, type SummaryRows } from "../store/columns/summaries.js";
import { PLACES } from "./summaries.js";

/*
 * An answer's body is joined from bytes that were made before the request: pieces of JSON and slices of
 * buffers that hold every item's. Only counts and corrected queries are written per request; nothing is
 * parsed or stringified.
 */

const encoder = new TextEncoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
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

  /** A JSON array of the summaries with these numbers. */
  summaries({ own, cuts, pieces, starts, named }: SummaryRows, numbers: Uint32Array): this {
    this.bytes(OPEN);
    for (const number of numbers) {
      const cut = own.starts[number]! + cuts[number]!;
      this.bytes(own.bytes, own.starts[number]!, cut);
      for (let at = starts[number]!; at < starts[number + 1]!; at += 1) {
        const piece = named[at]!;
        this.bytes(pieces.bytes, pieces.starts[piece]!, pieces.starts[piece + 1]!);
      }
      this.bytes(own.bytes, cut, own.starts[number + 1]!);
    }
    return this.closeArray();
  }

  /** A JSON array of what suggestions show of the summaries with these numbers. */
  suggestions({ own, shown }: SummaryRows, numbers: Uint32Array): this {
    this.bytes(OPEN);
    for (const number of numbers) {
      const start = own.starts[number]!;
      for (let part = 0; part < SHOWN.length; part += 1) {
        const at = PLACES * number + 2 * part;
        this.bytes(HEADS[part]!);
        this.bytes(own.bytes, start + shown[at]!, start + shown[at + 1]!);
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
/** What stands before each of SHOWN. */
const HEADS = SHOWN.map((name, part) => encode(`${part === 0 ? "{" : ","}"${name}":`));
const PART_END = encode("},");
const COMMA = 0x2c;
const OPEN = encode("[");
const CLOSE = encode("]");
