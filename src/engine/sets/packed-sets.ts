import { wordsFor } from "./bitmap.js";
import { EMPTY, type ListingSet } from "./sets.js";

/*
 * Many listing sets in one array of words, one after another, each in its shorter form. A directory has some hundred
 * thousand postings; that many small arrays would cost more memory than their content. A set is identified by its
 * index, counted from 0.
 */

export interface PackedSets {
  /** The number of listings in each set. */
  readonly counts: Uint32Array;
  /** Where each set starts in `words`. */
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

/** Packs sets of listing numbers whose sizes are known. */
export class SetPacker {
  readonly #counts: Uint32Array;
  readonly #starts: Uint32Array;
  /** The position of a sparse set's next member. For a dense set it stays at the start. */
  readonly #ends: Uint32Array;
  readonly #words: Uint32Array;
  readonly #bitmapWords: number;

  /**
   * @param size greater than every number in the sets
   * @param counts by set, the number of its members
   * @param parents by set, an earlier set that contains it, or -1. If both have equally many members, they are equal
   * and share their words; `add` then writes each member twice.
   */
  constructor(size: number, counts: Uint32Array, parents: readonly number[] = []) {
    this.#bitmapWords = wordsFor(size);
    this.#counts = counts;
    this.#starts = new Uint32Array(counts.length);
    let length = 0;
    for (let set = 0; set < counts.length; set += 1) {
      const parent = parents[set] ?? -1;
      if (counts[parent] === counts[set]) {
        this.#starts[set] = this.#starts[parent]!;
        continue;
      }
      this.#starts[set] = length;
      length += Math.min(counts[set]!, this.#bitmapWords);
    }
    this.#ends = this.#starts.slice();
    this.#words = new Uint32Array(length);
  }

  /**
   * Adds a member to the sets in a row. The members of each set must ascend without repeats.
   * @param row contains the sets' indexes, from `start` to before `end`
   */
  add(number: number, row: Uint32Array, start: number, end: number): void {
    // This loop runs millions of times, so everything that fits in a register is a local variable.
    const counts = this.#counts;
    const ends = this.#ends;
    const words = this.#words;
    const bitmapWords = this.#bitmapWords;
    const word = number >>> 5;
    const bit = 1 << (number & 31);
    for (let at = start; at < end; at += 1) {
      const set = row[at]!;
      const next = ends[set]!;
      if (counts[set]! > bitmapWords) {
        words[next + word]! |= bit;
      } else {
        words[next] = number;
        ends[set] = next + 1;
      }
    }
  }

  finish(): PackedSets {
    return { counts: this.#counts, starts: this.#starts, words: this.#words };
  }
}

/** Returns a set by its index; the empty set if there is none. */
export function packedSet(
  { counts, starts, words }: PackedSets,
  size: number,
  set: number,
): ListingSet {
  const count = counts[set] ?? 0;
  if (count === 0) return EMPTY;
  const start = starts[set]!;
  const dense = count > wordsFor(size);
  return { count, dense, data: words.subarray(start, start + (dense ? wordsFor(size) : count)) };
}

/** Returns a longer array that begins with the numbers of `array`. */
export function enlarged(array: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
