import { aligned } from "../../store/columns/file.js";

/*
 * Arrays that are used while an index is made are cut from large blocks. A system's allocator gives a large
 * block back when it is freed; smaller arrays it keeps, among those of the index, for as long as the process
 * lives: a third of the memory of a loaded runtime was such holes.
 */

/** Bytes; twice what glibc ever keeps. What of a block is not written to takes no memory. */
const BLOCK_BYTES = 64 * 1024 * 1024;

export class Scratch {
  readonly #blockBytes: number;
  #block = new ArrayBuffer(0);
  #end = 0;

  /** @param bytes that will be needed, about */
  constructor(bytes: number) {
    this.#blockBytes = Math.min(bytes, BLOCK_BYTES);
  }

  /** Zeros, like a new array. */
  u16(length: number): Uint16Array {
    return new Uint16Array(...this.#cut(2, length));
  }

  u32(length: number): Uint32Array {
    return new Uint32Array(...this.#cut(4, length));
  }

  #cut(size: number, length: number): [ArrayBuffer, number, number] {
    const bytes = aligned(size * length);
    if (this.#end + bytes > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(bytes, this.#blockBytes));
      this.#end = 0;
    }
    const start = this.#end;
    this.#end += bytes;
    return [this.#block, start, length];
  }
}
