/** Bytes of a slab. */
const SLAB_BYTES = 1024 * 1024;

/**
 * Cuts buffers off larger ones: allocating one by itself costs as much as reading into it. A slab is freed
 * when nothing that was cut off it is used any more, so that what is kept for long has to be copied.
 */
export class Slabs {
  #slab = Buffer.alloc(0);
  #end = 0;

  /** A buffer whose bytes are whatever was there. */
  take(length: number): Buffer {
    if (this.#end + length > this.#slab.length) {
      if (length > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(length);
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#end = 0;
    }
    const taken = this.#slab.subarray(this.#end, this.#end + length);
    this.#end += length;
    return taken;
  }
}
