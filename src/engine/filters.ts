import {
  FILTERS,
  type FilterName,
  isFacetFilterName,
  isListFilterName,
} from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { ListingFilters } from "../contract/query.js";
import { tableOf } from "../contract/tables.js";
import { DistinctTexts } from "../store/columns/columns.js";
import { VALUE_NAMES, type ValueName } from "../store/columns/listings.js";
import type { Ranking, RankingColumns } from "./ranking.js";
import {
  countCommon,
  EMPTY,
  hasNumber,
  type ListingSet,
  type Members,
  type NumberRange,
  type Orders,
  type PackedSets,
  packedSet,
  SetPacker,
  scoreRange,
  unite,
  type Workspace,
} from "./sets.js";

/*
 * A listing's mask has one bit for each of its values. A plane holds the masks for 32 values, one word for each
 * listing. Planes lie one after another. To count values, masks are added bit by bit, 32 sums at once: one word holds a
 * binary digit of all 32 sums. Adding three words of the same digit takes five operations and gives a word of that
 * digit and a word of carries.
 */

/** The number of values in a plane. */
const MASK_BITS = 32;

/** The number of planes for a number of values. */
function planesFor(values: number): number {
  return Math.ceil(values / MASK_BITS);
}

/** Sets the bit of the value at `index` for a listing, in masks of `size` listings. */
function setMask(masks: Uint32Array, size: number, index: number, number: number): void {
  masks[(index >>> 5) * size + number]! |= 1 << (index & 31);
}

/** Binary digits of a sum. The number of listings has no more. */
const DIGITS = 32;
/** By digit, that digit of the 32 sums. `addMasks` keeps the lowest three in variables, which is faster. */
const digits = new Uint32Array(DIGITS);
/** By digit, carries that are added to it together with the next ones. */
const waiting = new Uint32Array(DIGITS);

/** Returns the bits that at least two of three words have: what their sums carry. */
function carries(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c);
}

/** The number of masks that are added at a time. */
const GROUP = 8;

/** Counts the listings that have each bit of a plane, and adds the results to the 32 counts from `index` on. */
function addMasks(
  plane: Uint32Array,
  numbers: Uint32Array,
  counts: Uint32Array,
  index: number,
): void {
  let ones = 0;
  let twos = 0;
  let fours = 0;
  let at = 0;
  for (; at < numbers.length % GROUP; at += 1) {
    const mask = plane[numbers[at]!]!;
    fours ^= ones & twos & mask;
    twos ^= ones & mask;
    ones ^= mask;
  }
  for (let group = 0; at < numbers.length; at += GROUP, group += 1) {
    const m0 = plane[numbers[at]!]!;
    const m1 = plane[numbers[at + 1]!]!;
    const m2 = plane[numbers[at + 2]!]!;
    const m3 = plane[numbers[at + 3]!]!;
    const twos01 = carries(ones, m0, m1);
    ones ^= m0 ^ m1;
    const twos23 = carries(ones, m2, m3);
    ones ^= m2 ^ m3;
    const fours03 = carries(twos, twos01, twos23);
    twos ^= twos01 ^ twos23;
    const m4 = plane[numbers[at + 4]!]!;
    const m5 = plane[numbers[at + 5]!]!;
    const m6 = plane[numbers[at + 6]!]!;
    const m7 = plane[numbers[at + 7]!]!;
    const twos45 = carries(ones, m4, m5);
    ones ^= m4 ^ m5;
    const twos67 = carries(ones, m6, m7);
    ones ^= m6 ^ m7;
    const fours47 = carries(twos, twos45, twos67);
    twos ^= twos45 ^ twos67;
    addCarries(carries(fours, fours03, fours47), group);
    fours ^= fours03 ^ fours47;
  }
  digits.set([ones, twos, fours]);
  addDigits(counts, index);
}

/** Adds the carries of a group to the fourth digit. Every second group's carries go up to the next digit, and so on. */
function addCarries(carried: number, group: number): void {
  let carry = carried;
  let digit = 3;
  for (let earlier = group; (earlier & 1) === 1; earlier >>>= 1) {
    const sum = digits[digit]!;
    const other = waiting[digit]!;
    digits[digit] = sum ^ other ^ carry;
    waiting[digit] = 0;
    carry = carries(sum, other, carry);
    digit += 1;
  }
  waiting[digit] = carry;
}

/** Adds the 32 sums to the counts from `index` on, and leaves their digits at zero. */
function addDigits(counts: Uint32Array, index: number): void {
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const sum = digits[digit]!;
    const other = waiting[digit]!;
    if ((sum | other) === 0) continue;
    for (let bit = 0; bit < MASK_BITS; bit += 1) {
      counts[index + bit]! += (((sum >>> bit) & 1) + ((other >>> bit) & 1)) << digit;
    }
  }
  digits.fill(0);
  waiting.fill(0);
}

/*
 * The values that listings have for one filter, stored both ways. By value, the set of listings that have it serves
 * as a filter. By listing, a mask holds its values. Counting a facet reads the shorter of the two: the masks of few
 * listings, or all sets. A value is identified by its index, counted from 0.
 */

export interface ValueIndex {
  readonly values: readonly string[];
  readonly sets: PackedSets;
  /** By listing, the mask of its values ; empty if facets do not count the filter. */
  readonly masks: Uint32Array;
}

/** Makes the index of a filter's values from the segments' rows. */
export function gatherValues(ranking: Ranking<RankingColumns>, filter: ValueName): ValueIndex {
  const { size, segments, segmentOf, rowOf } = ranking;
  const parts = segments.map(({ filters }) => filters[filter]);
  const known = new DistinctTexts();
  const placesOf = parts.map(({ values }) =>
    Uint32Array.from(values, (value) => known.placeOf(value)),
  );
  const counts = new Uint32Array(known.size);
  const rows = parts.map(({ places }, segment) => places.map((at) => placesOf[segment]![at]!));
  for (const row of rows) for (let at = 0; at < row.length; at += 1) counts[row[at]!]! += 1;
  const packer = new SetPacker(size, counts);
  const isCounted = isListFilterName(filter) && isFacetFilterName(filter);
  const masks = new Uint32Array(isCounted ? planesFor(known.size) * size : 0);
  for (let number = 0; number < size; number += 1) {
    const segment = segmentOf[number]!;
    const { starts } = parts[segment]!;
    const start = starts[rowOf[number]!]!;
    const end = starts[rowOf[number]! + 1]!;
    packer.add(number, rows[segment]!, start, end);
    if (!isCounted) continue;
    for (let at = start; at < end; at += 1) setMask(masks, size, rows[segment]![at]!, number);
  }
  return { values: known.texts, sets: packer.finish(), masks };
}

/** A value index, opened for look-ups. */
export class Values {
  readonly #size: number;
  readonly #index: ValueIndex;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #sets: readonly ListingSet[];

  constructor(size: number, index: ValueIndex) {
    this.#size = size;
    this.#index = index;
    this.#indexes = new Map(index.values.map((value, at) => [value, at]));
    this.#sets = index.values.map((_, at) => packedSet(index.sets, size, at));
  }

  /** The values, by index. */
  get texts(): readonly string[] {
    return this.#index.values;
  }

  /** Returns a value's index; undefined if no listing has the value. */
  indexOf(value: string): number | undefined {
    return this.#indexes.get(value);
  }

  /** Returns the values that a listing has. */
  valuesOf(number: number): string[] {
    return this.texts.filter((_, at) => hasNumber(this.#sets[at] ?? EMPTY, number));
  }

  /** Returns the listings that have a value. */
  listingsWith(value: string): ListingSet {
    return this.#sets[this.#indexes.get(value) ?? -1] ?? EMPTY;
  }

  /**
   * Counts, by index, the listings in the set that have each value. Facets must count the filter
   * (contract/filters.ts).
   */
  countAmong({ set, numbers, complement }: Members): Uint32Array {
    const { sets, masks, values } = this.#index;
    if (set.count === this.#size) return sets.counts;
    const planes = planesFor(values.length);
    // Adding a mask takes about as long as comparing a word of two sets.
    if (sets.words.length < numbers.length * planes) {
      return Uint32Array.from(this.#sets, (one) => countCommon(one, set));
    }
    const counts = new Uint32Array(planes * MASK_BITS);
    for (let plane = 0; plane < planes; plane += 1) {
      const start = plane * this.#size;
      addMasks(masks.subarray(start, start + this.#size), numbers, counts, plane * MASK_BITS);
    }
    if (complement) {
      for (let at = 0; at < values.length; at += 1) {
        counts[at] = sets.counts[at]! - counts[at]!;
      }
    }
    return counts;
  }
}

/*
 * A request's filters as sets of listings. If any of a filter's values may match, its sets are united; if all must
 * match, each value is a filter of its own. Different filters are intersected. Scores need no sets, since a range of
 * scores is a range of listing numbers (docs/contract.md#31-filters).
 */

/** The indexes of the values of filters, of the versions of scores, and of the checks that do not apply. */
export type FilterIndex = Readonly<Record<ValueName, ValueIndex>>;

/** Opens the indexes of all values. */
export function openValues(size: number, index: FilterIndex): Record<ValueName, Values> {
  return tableOf(VALUE_NAMES, (name) => new Values(size, index[name]));
}

/** Turns filters into sets. */
export class Filters {
  readonly #values: Readonly<Record<ValueName, Values>>;
  readonly #space: Workspace;
  readonly #orders: Pick<Orders, "atLeast">;

  /** @param values read with each request. Those that it needs must be there by then */
  constructor(
    space: Workspace,
    values: Readonly<Record<ValueName, Values>>,
    orders: Pick<Orders, "atLeast">,
  ) {
    this.#values = values;
    this.#space = space;
    this.#orders = orders;
  }

  /** Returns the values that listings have for a filter, or the versions of their scores. */
  valuesFor(name: ValueName): Values {
    return this.#values[name];
  }

  /** Returns the sets of the named filters that a query gives. A matching listing is in every set. */
  setsOf(names: readonly FilterName[], query: ListingFilters): ListingSet[] {
    const sets: ListingSet[] = [];
    for (const name of names) {
      const given = query[name];
      if (given === undefined) continue;
      const values = this.#values[name];
      const wanted = typeof given === "string" ? [given] : given;
      const found = wanted.map((value) => values.listingsWith(value));
      if (FILTERS[name].match === "all") sets.push(...found);
      else sets.push(unite(this.#space, found));
    }
    return sets;
  }

  /** Returns the numbers of the listings that pass the score filters; all numbers if neither filter is given. */
  scores({ minScore, maxScore }: ListingFilters): NumberRange {
    if (minScore === undefined && maxScore === undefined) return { from: 0, to: this.#space.size };
    return scoreRange(this.#orders, minScore ?? LIMITS.scoreMin, maxScore ?? LIMITS.scoreMax);
  }
}
