import { isFacetFilterName, isListFilterName } from "../../contract/filters.js";
import { DistinctTexts } from "../../store/columns/columns.js";
import type { ValueName } from "../../store/columns/listings.js";
import type { Ranking, RankingColumns } from "../order/ranking.js";
import { type PackedSets, packedSet, SetPacker } from "../sets/packed-sets.js";
import { countCommon, EMPTY, hasNumber, type ListingSet, type Members } from "../sets/sets.js";
import { addMasks, MASK_BITS, planesFor, setMask } from "./masks.js";

/*
 * The values that listings have for one filter, stored both ways. By value, the set of listings that have it serves
 * as a filter. By listing, a mask holds its values. Counting a facet reads the shorter of the two: the masks of few
 * listings, or all sets. A value is identified by its index, counted from 0.
 */

export interface ValueIndex {
  readonly values: readonly string[];
  readonly sets: PackedSets;
  /** By listing, the mask of its values (masks.ts); empty if facets do not count the filter. */
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
