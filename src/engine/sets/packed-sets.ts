import { wordsFor } from "./bitmap.js";
import { EMPTY, type ListingSet } from "./sets.js";

/*
 * Many listing sets in one array of words, each in its shorter form, one after the other: a directory has
 * some hundred thousand postings, and as many small arrays would cost more than what they hold. Sets are
 * named by their place, counted from 0.
 */

export interface PackedSets {
  /** Listings of each set. */
  readonly counts: Uint32Array;
  /** Where each set starts in `words`. */
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

/** Packs sets of listing numbers whose sizes are known. */
export class SetPacker {
  readonly #counts: Uint32Array;
  readonly #starts: Uint32Array;
  /** Where the next member of a sparse set goes; a dense set's stays at its start. */
  readonly #ends: Uint32Array;
  readonly #words: Uint32Array;
  readonly #bitmapWords: number;

  /**
   * @param size all numbers are below it
   * @param counts by set, its members
   * @param parents by set, one before it that has all its members, or -1: where it has no others, both lie
   * in the same words, and are filled with the same
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
   * Adds a member to the sets that a row names; each set's members come ascending, each once.
   * @param row has the sets' places, from `start` to before `end`
   */
  add(number: number, row: Uint16Array | Uint32Array, start: number, end: number): void {
    // Millions of steps: whatever can stay in a register does.
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

/**
 * Rows of places in a bucket's own table as rows of the sets' places, counted: bucket by bucket, as its
 * table is then at hand, while the listings of an order come from all over.
 * @param sets by a place in the bucket's table
 * @param counts by set; they gain the rows' members
 * @param into as long as `rows`
 */
export function renumber<T extends Uint16Array | Uint32Array>(
  rows: Uint16Array | Uint32Array,
  sets: Uint32Array,
  counts: Uint32Array,
  into: T,
): T {
  for (let at = 0; at < rows.length; at += 1) {
    const set = sets[rows[at]!]!;
    into[at] = set;
    counts[set]! += 1;
  }
  return into;
}

/** A set by its place; the empty set where there is none. */
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
