/** Values that were used recently, up to a number of bytes. */
export class ByteCache<T extends object> {
  readonly #most: number;
  /** The value that was used last is the last one. */
  readonly #values = new Map<string, { readonly value: T; readonly size: number }>();
  #bytes = 0;

  /** @param most bytes of all values together */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  /** Adds a value of `size` bytes, and drops those that were unused for longest. One that is too large is not kept. */
  set(key: string, value: T, size: number): void {
    if (size > this.#most || this.#values.has(key)) return;
    this.#values.set(key, { value, size });
    this.#bytes += size;
    for (const [oldest, old] of this.#values) {
      if (this.#bytes <= this.#most) return;
      this.#values.delete(oldest);
      this.#bytes -= old.size;
    }
  }
}
