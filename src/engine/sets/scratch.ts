import { aligned } from "../../store/columns/columns.js";

/*
 * Large blocks for arrays that are only needed while an index is made. The allocator returns a large block to the
 * system once it is freed. Smaller arrays would lie between those of the index, and the allocator would keep their
 * memory as long as the process lives: such holes were a third of a loaded runtime's memory.
 */

/**
 * In bytes: twice the largest block that glibc ever keeps. The parts of a block that are never written take no memory.
 */
const BLOCK_BYTES = 64 * 1024 * 1024;

export class Scratch {
  readonly #blockBytes: number;
  #block = new ArrayBuffer(0);
  #end = 0;

  /** @param bytes roughly how many bytes will be needed */
  constructor(bytes: number) {
    this.#blockBytes = Math.min(bytes, BLOCK_BYTES);
  }

  /** Returns an array of zeros. */
  u32(length: number): Uint32Array {
    const bytes = aligned(4 * length);
    if (this.#end + bytes > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(bytes, this.#blockBytes));
      this.#end = 0;
    }
    const start = this.#end;
    this.#end += bytes;
    return new Uint32Array(this.#block, start, length);
  }
}
