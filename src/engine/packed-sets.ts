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

/** Says that a listing is in a set. Saying it twice in a row for a set does no harm. */
export type AddMember = (set: number, number: number) => void;

/**
 * Packs sets of listing numbers below `size`. `announce` is called twice, to count and to fill, and must
 * say the same both times: every member of every set, each set's members ascending.
 */
export function packSets(size: number, announce: (add: AddMember) => void): PackedSets {
  const counts = countMembers(announce);
  const bitmapWords = wordsFor(size);
  const starts = new Uint32Array(counts.length);
  let length = 0;
  for (let set = 0; set < counts.length; set += 1) {
    starts[set] = length;
    length += Math.min(counts[set]!, bitmapWords);
  }
  const words = new Uint32Array(length);
  const ends = starts.slice();
  announce((set, number) => {
    const start = starts[set]!;
    if (counts[set]! > bitmapWords) {
      words[start + (number >>> 5)]! |= 1 << (number & 31);
    } else if (ends[set] === start || words[ends[set]! - 1] !== number) {
      words[ends[set]!] = number;
      ends[set]! += 1;
    }
  });
  return { counts, starts, words };
}

function countMembers(announce: (add: AddMember) => void): Uint32Array {
  let counts = new Uint32Array(1024);
  /** The last member announced, plus 1, so that 0 says none. */
  let last = new Uint32Array(1024);
  let sets = 0;
  announce((set, number) => {
    if (set >= counts.length) {
      counts = enlarged(counts, set + 1);
      last = enlarged(last, set + 1);
    }
    if (set >= sets) sets = set + 1;
    if (last[set] === number + 1) return;
    last[set] = number + 1;
    counts[set]! += 1;
  });
  return counts.slice(0, sets);
}

function enlarged(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
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
