/** The words found in the most listings, most frequent first, as plain data. */
export interface CommonWords {
  readonly texts: readonly string[];
  /** By word, the number of listings that contain it. */
  readonly counts: Uint32Array;
}

/** A word, and where its units are. */
interface CountedWord {
  start: number;
  end: number;
  readonly hash: number;
  /** The number of listings that contain it. */
  listings: number;
  /** The last of them. */
  last: number;
}

/**
 * Counts the listings that contain each word. Compares words by their units, because making a string of each occurrence
 * would take most of the time.
 */
export class WordCounts {
  /** The units of all words. */
  #units = new Uint16Array(1 << 12);
  #end = 0;
  /** In the order in which the words first occur, until `keep` sorts them. */
  #words: CountedWord[] = [];
  /** A hash table with open addressing, at most half full: a word's index in `words`, plus 1; 0 if the slot is free. */
  #slots = new Uint32Array(1 << 12);

  /** The number of different words. */
  get size(): number {
    return this.#words.length;
  }

  /** Adds a word of a listing: the units from `start` to before `end`. The listings must come one after another. */
  add(units: Uint16Array, start: number, end: number, listing: number): void {
    const hash = unitsHash(units, start, end);
    const slot = this.#slotOf(units, start, end, hash);
    const word = this.#words[this.#slots[slot]! - 1];
    if (word === undefined) {
      const own = this.#stored(units, start, end);
      this.#slots[slot] = this.#words.push({ ...own, hash, listings: 1, last: listing });
      if (2 * this.#words.length > this.#slots.length) this.#fillSlots(2 * this.#slots.length);
    } else if (word.last !== listing) {
      word.listings += 1;
      word.last = listing;
    }
  }

  /** Forgets all but the `most` most frequent words. */
  keep(most: number): void {
    this.#words = this.#sorted(most);
    const units = this.#units;
    this.#end = 0;
    this.#units = new Uint16Array(units.length);
    for (const word of this.#words) Object.assign(word, this.#stored(units, word.start, word.end));
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

  /** Copies a word's units. @returns where they are */
  #stored(units: Uint16Array, from: number, to: number): Pick<CountedWord, "start" | "end"> {
    const start = this.#end;
    this.#end += to - from;
    if (this.#end > this.#units.length) {
      const larger = new Uint16Array(2 * this.#end);
      larger.set(this.#units);
      this.#units = larger;
    }
    for (let at = from; at < to; at += 1) this.#units[start + at - from] = units[at]!;
    return { start, end: this.#end };
  }

  /** Returns the slot of a word, or the free slot where it would go. */
  #slotOf(units: Uint16Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const word = this.#words[this.#slots[slot]! - 1];
      if (word === undefined) return slot;
      if (word.hash === hash && this.#isSame(word, units, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isSame(word: CountedWord, units: Uint16Array, start: number, end: number): boolean {
    if (word.end - word.start !== end - start) return false;
    const shift = start - word.start;
    for (let at = word.start; at < word.end; at += 1) {
      if (this.#units[at] !== units[at + shift]) return false;
    }
    return true;
  }

  #fillSlots(length: number): void {
    this.#slots = new Uint32Array(length);
    for (const [index, { start, end, hash }] of this.#words.entries()) {
      this.#slots[this.#slotOf(this.#units, start, end, hash)] = index + 1;
    }
  }
}

function unitsHash(units: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ units[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
