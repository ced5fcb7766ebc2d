/** The words found in the most listings, most frequent first, as plain data. */
export interface CommonWords {
  readonly texts: readonly string[];
  /** By word, the number of listings that contain it. */
  readonly counts: Uint32Array;
}

/** A word, where it first occurs in the text. */
interface CountedWord {
  readonly start: number;
  readonly end: number;
  readonly hash: number;
  /** The number of listings that contain it. */
  listings: number;
  /** The last of them. */
  last: number;
}

/**
 * Counts the listings that contain each word of a text. Compares words in the text, because making a string of each
 * occurrence would take most of the time.
 */
export class WordCounts {
  readonly #units: Uint16Array;
  /** In the order in which the words first occur, until `keep` sorts them. */
  #words: CountedWord[] = [];
  /** A hash table with open addressing, at most half full: a word's index in `words`, plus 1; 0 if the slot is free. */
  #slots = new Uint32Array(1 << 12);

  /** @param units the text that contains the words */
  constructor(units: Uint16Array) {
    this.#units = units;
  }

  /** The number of different words. */
  get size(): number {
    return this.#words.length;
  }

  /** Adds a word of a listing: the units from `start` to before `end`. The listings must come one after another. */
  add(start: number, end: number, listing: number): void {
    const hash = this.#hashOf(start, end);
    const slot = this.#slotOf(start, end, hash);
    const word = this.#words[this.#slots[slot]! - 1];
    if (word === undefined) {
      this.#slots[slot] = this.#words.push({ start, end, hash, listings: 1, last: listing });
      if (2 * this.#words.length > this.#slots.length) this.#fillSlots(2 * this.#slots.length);
    } else if (word.last !== listing) {
      word.listings += 1;
      word.last = listing;
    }
  }

  /** Forgets all but the `most` most frequent words. */
  keep(most: number): void {
    this.#words = this.#sorted(most);
    this.#fillSlots(this.#slots.length);
  }

  /** Returns the `most` most frequent words. Equally frequent ones keep their order. */
  commonest(most: number): CommonWords {
    const words = this.#sorted(most);
    return {
      texts: words.map(({ start, end }) =>
        String.fromCharCode(...this.#units.subarray(start, end)),
      ),
      counts: Uint32Array.from(words, ({ listings }) => listings),
    };
  }

  #sorted(most: number): CountedWord[] {
    return this.#words.toSorted((a, b) => b.listings - a.listings).slice(0, most);
  }

  #hashOf(start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ this.#units[at]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Returns the slot of a word, or the free slot where it would go. */
  #slotOf(start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const word = this.#words[this.#slots[slot]! - 1];
      if (word === undefined || (word.hash === hash && this.#isSame(word, start, end))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isSame(word: CountedWord, start: number, end: number): boolean {
    if (word.end - word.start !== end - start) return false;
    const units = this.#units;
    const shift = start - word.start;
    for (let at = word.start; at < word.end; at += 1) {
      if (units[at] !== units[at + shift]) return false;
    }
    return true;
  }

  #fillSlots(length: number): void {
    this.#slots = new Uint32Array(length);
    for (const [index, { start, end, hash }] of this.#words.entries()) {
      this.#slots[this.#slotOf(start, end, hash)] = index + 1;
    }
  }
}
