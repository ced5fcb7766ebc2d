import type { RankedSort } from "../contract/sorts.js";
import { aligned } from "../store/columns/columns.js";

/*
 * A bitmap holds a set of listing numbers: one bit each, 32 to a word. Bits at and above the number of listings are
 * always 0, so that counting needs no mask. Every function here is a plain loop over words: 100,000 listings take 3,125
 * words, and a request runs a few such loops.
 */

/** The number of words in a bitmap of `size` listings. */
export function wordsFor(size: number): number {
  return (size + 31) >>> 5;
}

function hasBit(words: Uint32Array, number: number): boolean {
  return ((words[number >>> 5]! >>> (number & 31)) & 1) !== 0;
}

export function setBit(words: Uint32Array, number: number): void {
  words[number >>> 5]! |= 1 << (number & 31);
}

/** Counts the bits set in a word, in parallel: pairs, then nibbles, then bytes summed by one multiplication. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) count += bitsOf(words[at]!);
  return count;
}

/** Counts the bits from `from` to before `to` (0 <= from <= to <= listings). */
function countBitsBetween(words: Uint32Array, from: number, to: number): number {
  const first = from >>> 5;
  const last = to >>> 5;
  const below = (index: number, end: number) =>
    bitsOf((words[index] ?? 0) & ~(0xffffffff << (end & 31)));
  return countBits(words.subarray(first, last)) + below(last, to) - below(first, from);
}

/** Counts the listings in both bitmaps, without making the set. */
function countCommonBits(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) count += bitsOf(a[at]! & b[at]!);
  return count;
}

/**
 * Counts the numbers that are in the bitmap. Adds bits and does not branch on them, since random branches cannot be
 * predicted.
 */
function countMembers(words: Uint32Array, numbers: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at]!;
    count += (words[number >>> 5]! >>> (number & 31)) & 1;
  }
  return count;
}

/** Removes from `words` all numbers that are not in `other`. */
export function intersectBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! &= other[at]!;
}

/** Adds the numbers in `other` to `words`. */
export function uniteBits(words: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < words.length; at += 1) words[at]! |= other[at]!;
}

/** Removes all numbers outside `from` to before `to` (0 <= from <= to <= listings). */
function clipBits(words: Uint32Array, from: number, to: number): void {
  const first = from >>> 5;
  const last = to >>> 5;
  words.fill(0, 0, first);
  words.fill(0, last + 1);
  if (first < words.length) words[first]! &= 0xffffffff << (from & 31);
  if (last < words.length) words[last]! &= ~(0xffffffff << (to & 31));
}

/** Replaces the content of `words` with the numbers from `from` to before `to` (0 <= from <= to <= listings). */
function fillRange(words: Uint32Array, from: number, to: number): Uint32Array {
  words.fill(0xffffffff);
  clipBits(words, from, to);
  return words;
}

/** Calls `visit` with every number that is in the bitmap, ascending, until it returns false. */
function eachBit(words: Uint32Array, visit: (number: number) => boolean): void {
  for (let at = 0; at < words.length; at += 1) {
    for (let word = words[at]!; word !== 0; word &= word - 1) {
      if (!visit((at << 5) + 31 - Math.clz32(word & -word))) return;
    }
  }
}

/**
 * Skips the first `skip` numbers of the bitmap, then writes up to `into.length` more, ascending.
 * @returns the part of `into` that was written
 */
export function takeBits(words: Uint32Array, skip: number, into: Uint32Array): Uint32Array {
  let left = skip;
  let taken = 0;
  for (let at = 0; at < words.length && taken < into.length; at += 1) {
    let word = words[at]!;
    const count = bitsOf(word);
    if (count <= left) {
      left -= count;
      continue;
    }
    for (; left > 0; left -= 1) word &= word - 1;
    for (; word !== 0 && taken < into.length; word &= word - 1) {
      into[taken] = (at << 5) + 31 - Math.clz32(word & -word);
      taken += 1;
    }
  }
  return into.subarray(0, taken);
}

/**
 * Writes the first `into.length` numbers that are not in the bitmap, ascending. The bitmap must leave out at least that
 * many.
 */
function takeGaps(words: Uint32Array, into: Uint32Array): Uint32Array {
  let taken = 0;
  for (let at = 0; taken < into.length; at += 1) {
    for (let word = ~words[at]!; word !== 0 && taken < into.length; word &= word - 1) {
      into[taken] = (at << 5) + 31 - Math.clz32(word & -word);
      taken += 1;
    }
  }
  return into;
}

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

/** Listings that `warm` gets at a time: what they need fits into the processor's first cache. */
const WARMED = 32;

/**
 * Returns the numbers of the set that pass `test`.
 * @param warm reads what the test will read of these listings. Its reads wait for memory at the same time; those of a
 * test wait one after another
 */
export function filterSet(
  space: Workspace,
  set: ListingSet,
  test: (number: number) => boolean,
  warm: (numbers: Uint32Array) => void = () => {},
): ListingSet {
  const numbers = numbersOf(space, set);
  const kept = space.take(set.count);
  let count = 0;
  for (let start = 0; start < numbers.length; start += WARMED) {
    const some = numbers.subarray(start, start + WARMED);
    warm(some);
    for (let at = 0; at < some.length; at += 1) {
      if (!test(some[at]!)) continue;
      kept[count] = some[at]!;
      count += 1;
    }
  }
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

/*
 * Cuts the memory for a request's sets from one block, which the next request uses again. Separate arrays, several
 * hundred kilobytes for each request, would be most of the garbage: the collector took a quarter of a server's time
 * when it counted facets without pause.
 */

/** Words in the first block: enough for a bitmap and a list of numbers of 100,000 listings. */
const WORDS_AT_FIRST = 1 << 17;

export class Workspace {
  /** The number of listings that its sets can contain. */
  readonly size: number;
  #block: Uint32Array = new Uint32Array(0);
  #end = 0;

  /** @param size the number of listings */
  constructor(size: number) {
    this.size = size;
  }

  /** Begins a request. Arrays that an earlier request took must not be read any more. */
  clear(): void {
    this.#end = 0;
  }

  /** Returns an array with arbitrary content. */
  take(length: number): Uint32Array {
    const start = this.#end;
    const end = start + length;
    if (end > this.#block.length) {
      // Earlier arrays of the request still hold on to the old block.
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

/*
 * Large blocks for arrays that are only needed while an index is made. The allocator returns a large block to the
 * system once it is freed. Smaller arrays would lie between those of the index, and the allocator would keep their
 * memory as long as the process lives: such holes were a third of a loaded runtime's memory.
 */

/**
 * In bytes: twice the largest block that glibc ever keeps. The parts of a block that are never written take no memory.
 */
const BLOCK_BYTES = 64 * 1024 * 1024;

export class Scratch {
  readonly #blockBytes: number;
  #block = new ArrayBuffer(0);
  #end = 0;

  /** @param bytes roughly how many bytes will be needed */
  constructor(bytes: number) {
    this.#blockBytes = Math.min(bytes, BLOCK_BYTES);
  }

  /** Returns an array of zeros. */
  u32(length: number): Uint32Array {
    const bytes = aligned(4 * length);
    if (this.#end + bytes > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(bytes, this.#blockBytes));
      this.#end = 0;
    }
    const start = this.#end;
    this.#end += bytes;
    return new Uint32Array(this.#block, start, length);
  }
}

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

export interface Orders extends Readonly<Record<RankedSort, Permutation>> {
  /**
   * By score 0 to 101, the number of listings with that score or a higher one. Those listings have the lowest numbers.
   */
  readonly atLeast: Uint32Array;
}

/**
 * Returns the numbers of the listings with a score from `min` to `max`, both included. Unscored listings are never in
 * the range.
 */
export function scoreRange(
  { atLeast }: Pick<Orders, "atLeast">,
  min: number,
  max: number,
): NumberRange {
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
