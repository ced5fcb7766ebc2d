import {
  clipBits,
  countBits,
  countBitsBetween,
  countCommonBits,
  countMembers,
  eachBit,
  fillRange,
  hasBit,
  intersectBits,
  setBit,
  takeBits,
  takeGaps,
  uniteBits,
  wordsFor,
} from "./bitmap.js";
import type { Workspace } from "./workspace.js";

/*
 * A listing set holds listing numbers in the form that takes fewer words: a bitmap if the set is dense (more numbers
 * than a bitmap has words), else the sorted numbers. So a set with more numbers than a dense set is dense too. Filters,
 * postings and facets are such sets, and never change once made. Sets that a request makes of them lie in a workspace,
 * until the next request.
 */

export interface ListingSet {
  readonly count: number;
  readonly dense: boolean;
  /** If dense, the words of a bitmap; else the numbers, ascending. */
  readonly data: Uint32Array;
}

export const EMPTY: ListingSet = { count: 0, dense: false, data: new Uint32Array(0) };

/** Listing numbers from `from` to before `to`. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the set of ascending numbers. The set may hold on to the array. */
export function setOfNumbers(space: Workspace, numbers: Uint32Array): ListingSet {
  const count = numbers.length;
  if (count <= wordsFor(space.size)) return { count, dense: false, data: numbers };
  const words = space.zeros(wordsFor(space.size));
  for (let at = 0; at < count; at += 1) setBit(words, numbers[at]!);
  return { count, dense: true, data: words };
}

/** Returns the set that a bitmap holds. */
function setOfBits(space: Workspace, words: Uint32Array): ListingSet {
  const count = countBits(words);
  if (count > words.length) return { count, dense: true, data: words };
  return { count, dense: false, data: takeBits(words, 0, space.take(count)) };
}

/** Calls `visit` with every number of the set, ascending, until it returns false. */
export function eachNumber(set: ListingSet, visit: (number: number) => boolean): void {
  if (set.dense) {
    eachBit(set.data, visit);
    return;
  }
  for (let at = 0; at < set.count; at += 1) if (!visit(set.data[at]!)) return;
}

/** Returns the numbers of the set, ascending. */
function numbersOf(space: Workspace, { dense, count, data }: ListingSet): Uint32Array {
  return dense ? takeBits(data, 0, space.take(count)) : data;
}

/** A set in the form that counting the values of its listings needs. */
export interface Members {
  readonly set: ListingSet;
  /** The numbers in the set, or the numbers not in the set if those are fewer. */
  readonly numbers: Uint32Array;
  /** Whether `numbers` are those not in the set. */
  readonly complement: boolean;
}

export function membersOf(space: Workspace, set: ListingSet): Members {
  const { size } = space;
  if (set.count <= size >>> 1) return { set, numbers: numbersOf(space, set), complement: false };
  const numbers = takeGaps(set.data, space.take(size - set.count));
  return { set, numbers, complement: true };
}

/** Returns the numbers of the set that pass `test`. */
export function filterSet(
  space: Workspace,
  set: ListingSet,
  test: (number: number) => boolean,
): ListingSet {
  const kept = space.take(set.count);
  let count = 0;
  eachNumber(set, (number) => {
    if (test(number)) {
      kept[count] = number;
      count += 1;
    }
    return true;
  });
  return setOfNumbers(space, kept.subarray(0, count));
}

/** Returns the listings that are in any of the sets. */
export function unite(space: Workspace, sets: readonly ListingSet[]): ListingSet {
  if (sets.length < 2) return sets[0] ?? EMPTY;
  const words = space.zeros(wordsFor(space.size));
  for (const set of sets) {
    if (set.dense) uniteBits(words, set.data);
    else for (let at = 0; at < set.count; at += 1) setBit(words, set.data[at]!);
  }
  return setOfBits(space, words);
}

/**
 * Returns the listings of a range that are in all of the sets. Starts with the smallest set, so that few numbers need a
 * test.
 */
export function intersect(
  space: Workspace,
  sets: readonly ListingSet[],
  { from, to }: NumberRange,
): ListingSet {
  const whole = from === 0 && to === space.size;
  if (whole && sets.length === 1) return sets[0]!;
  const [smallest, ...others] = sets.toSorted(bySize);
  if (smallest === undefined) {
    return setOfBits(space, fillRange(space.take(wordsFor(space.size)), from, to));
  }
  if (!smallest.dense) return narrow(space, sets, smallest.count, { from, to });
  const words = space.copy(smallest.data);
  for (const { data } of others) intersectBits(words, data);
  if (!whole) clipBits(words, from, to);
  return setOfBits(space, words);
}

/**
 * Calls `visit` with the numbers that are in all of the sets, ascending, until it returns false. Reads the sets only up
 * to there.
 */
export function eachCommon(sets: readonly ListingSet[], visit: (number: number) => boolean): void {
  const [smallest = EMPTY, ...others] = sets.length > 1 ? sets.toSorted(bySize) : sets;
  const starts = new Uint32Array(others.length);
  eachNumber(smallest, (number) => !areIn(others, starts, number) || visit(number));
}

/** @param starts by sparse set, an index before which all numbers are below `number`; updated by the call */
function areIn(sets: readonly ListingSet[], starts: Uint32Array, number: number): boolean {
  for (let at = 0; at < sets.length; at += 1) {
    const { dense, data } = sets[at]!;
    if (dense) {
      if (!hasBit(data, number)) return false;
    } else {
      const index = lowerBound(data, number, starts[at]!);
      starts[at] = index;
      if (data[index] !== number) return false;
    }
  }
  return true;
}

function bySize(a: ListingSet, b: ListingSet): number {
  return a.count - b.count;
}

/** @param most the members of the smallest set */
function narrow(
  space: Workspace,
  sets: readonly ListingSet[],
  most: number,
  { from, to }: NumberRange,
): ListingSet {
  const kept = space.take(most);
  let count = 0;
  eachCommon(sets, (number) => {
    if (number >= from && number < to) {
      kept[count] = number;
      count += 1;
    }
    return number < to;
  });
  return { count, dense: false, data: kept.subarray(0, count) };
}

/** Whether a listing is in a set. */
export function hasNumber({ dense, data }: ListingSet, number: number): boolean {
  return dense ? hasBit(data, number) : data[lowerBound(data, number, 0)] === number;
}

/** Counts the listings of a set in a range. */
export function countInRange({ dense, data }: ListingSet, { from, to }: NumberRange): number {
  if (dense) return countBitsBetween(data, from, to);
  return lowerBound(data, to, 0) - lowerBound(data, from, 0);
}

/** Counts the listings in both sets. */
export function countCommon(a: ListingSet, b: ListingSet): number {
  const [few, many] = a.count < b.count ? [a, b] : [b, a];
  if (few.dense) return countCommonBits(few.data, many.data);
  if (many.dense) return countMembers(many.data, few.data);
  let count = 0;
  let index = 0;
  for (let at = 0; at < few.count; at += 1) {
    const number = few.data[at]!;
    index = lowerBound(many.data, number, index);
    if (many.data[index] === number) count += 1;
  }
  return count;
}

/**
 * Returns the first index from `start` on whose number is `number` or greater. Strides double before the binary search,
 * so that walking through two sets costs no more than reading the smaller one, plus a few steps for each of its
 * numbers.
 */
function lowerBound(numbers: Uint32Array, number: number, start: number): number {
  let low = start;
  let stride = 1;
  while (low + stride <= numbers.length && numbers[low + stride - 1]! < number) {
    low += stride;
    stride *= 2;
  }
  let high = Math.min(low + stride - 1, numbers.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
