/**
 * Bytes of a slab: room for four reports and more. A client that does not read its response holds a
 * whole slab, so larger slabs would let it hold more. They are no faster either.
 */
const SLAB_BYTES = 64 * 1024;

/**
 * Cuts small buffers off larger ones, to give the garbage collector fewer allocations. A slab is freed
 * only once all of its buffers are unused, so copy a buffer before you keep it for long.
 */
export class Slabs {
  #slab = Buffer.alloc(0);
  #end = 0;

  /** A buffer with uninitialised bytes. */
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
