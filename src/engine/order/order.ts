import { hasBit, setBit, takeBits, wordsFor } from "../sets/bitmap.js";
import { eachNumber, type ListingSet, type NumberRange } from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";

/*
 * A listing's number is its rank in the default order: score descending, null last, then host. So a range of scores is
 * a range of numbers, and the first page consists of the lowest members of a set. Every other order is a permutation of
 * the numbers (docs/contract.md#5-order).
 */

/** Maps listings to their ranks in an order, and back. */
export interface Permutation {
  /** Listing numbers, by rank in the order. */
  readonly numbers: Uint32Array;
  /** Ranks, by listing number. */
  readonly ranks: Uint32Array;
}

export interface Orders {
  /**
   * By score 0 to 101, the number of listings with that score or a higher one. Those listings have the lowest numbers.
   */
  readonly atLeast: Uint32Array;
  readonly scoreAsc: Permutation;
  readonly host: Permutation;
  readonly recent: Permutation;
}

/**
 * Returns the numbers of the listings with a score from `min` to `max`, both included. Unscored listings are never in
 * the range.
 */
export function scoreRange({ atLeast }: Orders, min: number, max: number): NumberRange {
  const from = atLeast[max + 1]!;
  return { from, to: Math.max(from, atLeast[min]!) };
}

/**
 * Returns the numbers of a page: up to `limit` members of the set in the given order, after the first `skip`. Without a
 * permutation the order is the default one.
 */
export function takePage(
  space: Workspace,
  set: ListingSet,
  order: Permutation | undefined,
  skip: number,
  limit: number,
): Uint32Array {
  const page = space.take(Math.max(0, Math.min(limit, set.count - skip)));
  if (page.length === 0) return page;
  if (order === undefined) {
    return set.dense ? takeBits(set.data, skip, page) : set.data.subarray(skip, skip + page.length);
  }
  if (set.dense) return walkOrder(set, order, skip, page);
  // A bitmap of ranks sorts a sparse set's members faster than a comparison sort.
  const ranks = space.zeros(wordsFor(space.size));
  eachNumber(set, (number) => {
    setBit(ranks, order.ranks[number]!);
    return true;
  });
  takeBits(ranks, skip, page);
  for (let at = 0; at < page.length; at += 1) page[at] = order.numbers[page[at]!]!;
  return page;
}

/** Reads the order until the page is full. In a dense set, every few ranks have a member. */
function walkOrder(
  { data }: ListingSet,
  { numbers }: Permutation,
  skip: number,
  page: Uint32Array,
): Uint32Array {
  let left = skip;
  let taken = 0;
  for (let rank = 0; taken < page.length; rank += 1) {
    const number = numbers[rank]!;
    if (!hasBit(data, number)) continue;
    if (left > 0) {
      left -= 1;
      continue;
    }
    page[taken] = number;
    taken += 1;
  }
  return page;
}
