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
 * listing. Planes lie one after another. To count values, masks are added without a carry between bits: a word first
 * holds eight 4-bit counters, then four 8-bit ones, before each counter is read.
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

/** The largest sums of a 4-bit and of an 8-bit counter. */
const NIBBLE_MAX = 15;
const BYTE_MAX = 255;
const NIBBLES = 0x11111111;
const LOW_NIBBLES = 0x0f0f0f0f;

/**
 * Counts the listings that have each bit of the plane at `start`, and adds the results to the 32 counts from `index`
 * on.
 */
function addMasks(
  masks: Uint32Array,
  start: number,
  numbers: Uint32Array,
  counts: Uint32Array,
  index: number,
): void {
  for (let at = 0; at < numbers.length; ) {
    const byteEnd = Math.min(at + BYTE_MAX, numbers.length);
    // `a` sums the bits 0, 4, 8 and so on; `b`, `c` and `d` sum the bits one, two and three above.
    let a0 = 0;
    let a4 = 0;
    let b0 = 0;
    let b4 = 0;
    let c0 = 0;
    let c4 = 0;
    let d0 = 0;
    let d4 = 0;
    while (at < byteEnd) {
      const nibbleEnd = Math.min(at + NIBBLE_MAX, byteEnd);
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (; at < nibbleEnd; at += 1) {
        const mask = masks[start + numbers[at]!]!;
        a = (a + (mask & NIBBLES)) | 0;
        b = (b + ((mask >>> 1) & NIBBLES)) | 0;
        c = (c + ((mask >>> 2) & NIBBLES)) | 0;
        d = (d + ((mask >>> 3) & NIBBLES)) | 0;
      }
      a0 = (a0 + (a & LOW_NIBBLES)) | 0;
      a4 = (a4 + ((a >>> 4) & LOW_NIBBLES)) | 0;
      b0 = (b0 + (b & LOW_NIBBLES)) | 0;
      b4 = (b4 + ((b >>> 4) & LOW_NIBBLES)) | 0;
      c0 = (c0 + (c & LOW_NIBBLES)) | 0;
      c4 = (c4 + ((c >>> 4) & LOW_NIBBLES)) | 0;
      d0 = (d0 + (d & LOW_NIBBLES)) | 0;
      d4 = (d4 + ((d >>> 4) & LOW_NIBBLES)) | 0;
    }
    addBytes(a0, counts, index);
    addBytes(b0, counts, index + 1);
    addBytes(c0, counts, index + 2);
    addBytes(d0, counts, index + 3);
    addBytes(a4, counts, index + 4);
    addBytes(b4, counts, index + 5);
    addBytes(c4, counts, index + 6);
    addBytes(d4, counts, index + 7);
  }
}

/** Adds the four bytes of a word to every eighth count. */
function addBytes(bytes: number, counts: Uint32Array, index: number): void {
  counts[index]! += bytes & 0xff;
  counts[index + 8]! += (bytes >>> 8) & 0xff;
  counts[index + 16]! += (bytes >>> 16) & 0xff;
  counts[index + 24]! += bytes >>> 24;
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

/** Adding a mask takes about twice as long as comparing a word of two sets. */
const WORDS_A_MASK = 2;

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
    if (sets.words.length < numbers.length * planesFor(values.length) * WORDS_A_MASK) {
      return Uint32Array.from(this.#sets, (one) => countCommon(one, set));
    }
    const counts = new Uint32Array(planesFor(values.length) * MASK_BITS);
    for (let plane = 0; plane < planesFor(values.length); plane += 1) {
      addMasks(masks, plane * this.#size, numbers, counts, plane * MASK_BITS);
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

/** Turns filters into sets. */
export class Filters {
  readonly #values: Readonly<Record<ValueName, Values>>;
  readonly #space: Workspace;
  readonly #orders: Orders;

  constructor(space: Workspace, index: FilterIndex, orders: Orders) {
    this.#values = tableOf(VALUE_NAMES, (name) => new Values(space.size, index[name]));
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
