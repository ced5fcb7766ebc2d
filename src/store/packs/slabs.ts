/**
 * Bytes of a slab: four reports and more. A client that does not read what it asked for holds a whole slab, so
 * that larger ones, which are no faster, would be more for it to hold.
 */
const SLAB_BYTES = 64 * 1024;

/**
 * Cuts buffers off larger ones: each allocation by itself is one more thing to collect. A slab is freed
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
