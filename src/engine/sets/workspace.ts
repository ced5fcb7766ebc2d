/*
 * What a request makes sets in, for as long as it takes, is cut from one block that the next request uses again.
 * Arrays of their own, some hundred kilobytes a request, would be most of what there is to collect: of a server that
 * counts facets all the time the collector took a quarter.
 */

/** Words that a block has at first: a bitmap and a list of numbers, of 100,000 listings. */
const WORDS_AT_FIRST = 1 << 17;

export class Workspace {
  /** Listings that its sets are of. */
  readonly size: number;
  #block: Uint32Array = new Uint32Array(0);
  #end = 0;

  /** @param size listings */
  constructor(size: number) {
    this.size = size;
  }

  /** Begins a request: what an earlier one took must not be read any more. */
  clear(): void {
    this.#end = 0;
  }

  /** An array with anything in it. */
  take(length: number): Uint32Array {
    const start = this.#end;
    const end = start + length;
    if (end > this.#block.length) {
      // What was taken keeps the block that it was cut from.
      this.#block = new Uint32Array(Math.max(length, 2 * this.#block.length, WORDS_AT_FIRST));
      this.#end = length;
      return this.#block.subarray(0, length);
    }
    this.#end = end;
    return this.#block.subarray(start, end);
  }

  zeros(length: number): Uint32Array {
    return this.take(length).fill(0);
  }

  copy(words: Uint32Array): Uint32Array {
    const copied = this.take(words.length);
    copied.set(words);
    return copied;
  }
}
