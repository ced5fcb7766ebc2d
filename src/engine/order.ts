import { byCodeUnit } from "../contract/order.js";
import { hasBit, setBit, takeBits, wordsFor } from "./bitmap.js";
import { eachNumber, type ListingSet, type NumberRange } from "./sets.js";

/*
 * A listing's number is its rank in the default order: score descending, null last, then host. So a range
 * of scores is a range of numbers and the first page is the lowest members of a set; every other order is
 * one permutation of the numbers (decisions, Order).
 */

/** A listing's place in an order and back. */
interface Permutation {
  /** Listing numbers, by place in the order. */
  readonly numbers: Uint32Array;
  /** Places, by listing number. */
  readonly places: Uint32Array;
}

export interface Orders {
  /** By score 0 to 101, how many listings have that score or a higher one: their numbers come first. */
  readonly atLeast: Uint32Array;
  readonly scoreAsc: Permutation;
  readonly host: Permutation;
  readonly recent: Permutation;
}

/** What the orders look at. */
interface Ordered {
  readonly host: string;
  /** Points, 0 to 100. */
  readonly score: number | null;
  /** Sort key of the scan's instant: compares by code unit, "" before every instant. */
  readonly recent: string;
}

const HIGHEST_SCORE = 100;

/** Compares for the default order, the one that numbers listings. */
export function byRank(a: Ordered, b: Ordered): number {
  return (b.score ?? -1) - (a.score ?? -1) || byCodeUnit(a.host, b.host);
}

/** The orders of listings that are given in the default one. */
export function buildOrders(listings: readonly Ordered[]): Orders {
  const atLeast = new Uint32Array(HIGHEST_SCORE + 2);
  for (const { score } of listings) if (score !== null) atLeast[score]! += 1;
  for (let score = HIGHEST_SCORE; score >= 0; score -= 1) atLeast[score]! += atLeast[score + 1]!;
  const order = (compare: (a: Ordered, b: Ordered) => number) =>
    permutation(listings, (a, b) => compare(a, b) || byCodeUnit(a.host, b.host));
  return {
    atLeast,
    // A score above every other stands for null, which is last in this order too.
    scoreAsc: order((a, b) => (a.score ?? HIGHEST_SCORE + 1) - (b.score ?? HIGHEST_SCORE + 1)),
    host: order(() => 0),
    recent: order((a, b) => byCodeUnit(b.recent, a.recent)),
  };
}

function permutation(
  listings: readonly Ordered[],
  compare: (a: Ordered, b: Ordered) => number,
): Permutation {
  const numbers = Uint32Array.from(listings.keys()).sort((a, b) =>
    compare(listings[a]!, listings[b]!),
  );
  const places = new Uint32Array(numbers.length);
  for (let place = 0; place < numbers.length; place += 1) places[numbers[place]!] = place;
  return { numbers, places };
}

/** The numbers of the listings with a score from `min` to `max`, both included; unscored ones are in none. */
export function scoreRange({ atLeast }: Orders, min: number, max: number): NumberRange {
  const from = atLeast[max + 1]!;
  return { from, to: Math.max(from, atLeast[min]!) };
}

/**
 * The numbers of a page: up to `limit` members of the set in the order given, after `skip` of them.
 * No permutation means the default order.
 */
export function takePage(
  set: ListingSet,
  order: Permutation | undefined,
  skip: number,
  limit: number,
): Uint32Array {
  if (skip >= set.count) return new Uint32Array(0);
  const page = new Uint32Array(Math.min(limit, set.count - skip));
  if (order === undefined) {
    return set.dense ? takeBits(set.data, skip, page) : set.data.subarray(skip, skip + page.length);
  }
  if (set.dense) return walkOrder(set, order, skip, page);
  // A bitmap of places sorts a sparse set's members faster than comparing them would.
  const places = new Uint32Array(wordsFor(order.numbers.length));
  eachNumber(set, (number) => {
    setBit(places, order.places[number]!);
    return true;
  });
  takeBits(places, skip, page);
  for (let at = 0; at < page.length; at += 1) page[at] = order.numbers[page[at]!]!;
  return page;
}

/** Reads the order until the page is full: a dense set has a member every few places. */
function walkOrder(
  { data }: ListingSet,
  { numbers }: Permutation,
  skip: number,
  page: Uint32Array,
): Uint32Array {
  let left = skip;
  let taken = 0;
  for (let place = 0; taken < page.length; place += 1) {
    const number = numbers[place]!;
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
