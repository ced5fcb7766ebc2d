/** A growing array of bytes. */
export class Bytes {
  #room: Uint8Array;
  length = 0;

  /** @param room about how many bytes there will be */
  constructor(room: number) {
    this.#room = new Uint8Array(room);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#room[this.length] = byte;
    this.length += 1;
  }

  all(bytes: Uint8Array): void {
    this.part(bytes, 0, bytes.length);
  }

  part(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const shift = this.length - start;
    if (length > SHORT) this.#room.set(bytes.subarray(start, end), this.length);
    else for (let at = start; at < end; at += 1) this.#room[at + shift] = bytes[at]!;
    this.length += length;
  }

  /** A copy without spare room. */
  taken(): Uint8Array {
    return this.#room.slice(0, this.length);
  }

  /** The bytes themselves: valid until more are written. */
  written(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#room.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#room.length, 1024));
    larger.set(this.#room);
    this.#room = larger;
  }
}

/** A call of `set` costs as much as copying this many bytes one by one. */
const SHORT = 48;
