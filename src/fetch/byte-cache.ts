/** Values that were used recently, up to a number of bytes. */
export class ByteCache<T> {
  readonly #most: number;
  readonly #sizeOf: (value: T) => number;
  /** The value that was used last is the last one. */
  readonly #values = new Map<string, T>();
  #bytes = 0;

  /**
   * @param most bytes
   * @param sizeOf returns the bytes that a value takes
   */
  constructor(most: number, sizeOf: (value: T) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** Bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Adds a value and drops those that were unused for longest. A value larger than the cache is not kept. */
  set(key: string, value: T): void {
    const size = this.#sizeOf(value);
    if (size > this.#most || this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#bytes += size;
    for (const [oldest, old] of this.#values) {
      if (this.#bytes <= this.#most) return;
      this.#values.delete(oldest);
      this.#bytes -= this.#sizeOf(old);
    }
  }
}
