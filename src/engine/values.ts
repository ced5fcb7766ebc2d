import type { FilterName } from "../columns/listings.js";
import { type PackedSets, packedSet, SetPacker } from "./packed-sets.js";
import type { Roster } from "./roster.js";
import { countCommon, EMPTY, type ListingSet, numbersOf } from "./sets.js";

/*
 * The values of one property of listings, kept both ways: by value, the set of listings that carry it, which
 * is a filter; by listing, the row of its values. Counting a facet reads whichever is shorter: the rows of
 * few listings, or all sets against many. Values are named by their place, counted from 0.
 */

export interface ValueIndex {
  readonly values: readonly string[];
  readonly sets: PackedSets;
  /** Where each listing's row starts in `rows`; one more entry than listings. */
  readonly rowStarts: Uint32Array;
  /** Places of values, row after row. */
  readonly rows: Uint16Array | Uint32Array;
}

/** Makes the index of a property from the buckets' rows of it. */
export function gatherValues(roster: Roster, filter: FilterName): ValueIndex {
  const { size, buckets, bucketOf, rowOf } = roster;
  const parts = buckets.map(({ filters }) => filters[filter]);
  const known = new Map<string, number>();
  const placesOf = parts.map(({ values }) =>
    Uint32Array.from(values, (value) => {
      const place = known.get(value) ?? known.size;
      known.set(value, place);
      return place;
    }),
  );
  const length = parts.reduce((sum, { places }) => sum + places.length, 0);
  const rows = known.size <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
  const rowStarts = new Uint32Array(size + 1);
  const counts = new Uint32Array(known.size);
  let end = 0;
  for (let number = 0; number < size; number += 1) {
    const bucket = bucketOf[number]!;
    const { starts, places } = parts[bucket]!;
    const row = rowOf[number]!;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1, end += 1) {
      rows[end] = placesOf[bucket]![places[at]!]!;
      counts[rows[end]!]! += 1;
    }
    rowStarts[number + 1] = end;
  }
  const packer = new SetPacker(size, counts);
  for (let number = 0; number < size; number += 1) {
    packer.add(number, rows, rowStarts[number]!, rowStarts[number + 1]!);
  }
  return { values: [...known.keys()], sets: packer.finish(), rowStarts, rows };
}

/** A word of two bitmaps is counted in about half the time that a value of a row takes. */
const WORDS_A_VALUE = 2;

/** An opened value index. */
export class Values {
  readonly #size: number;
  readonly #index: ValueIndex;
  readonly #places: ReadonlyMap<string, number>;
  readonly #sets: readonly ListingSet[];

  constructor(size: number, index: ValueIndex) {
    this.#size = size;
    this.#index = index;
    this.#places = new Map(index.values.map((value, place) => [value, place]));
    this.#sets = index.values.map((_, place) => packedSet(index.sets, size, place));
  }

  /** A value's place; undefined where no listing carries it. */
  placeOf(value: string): number | undefined {
    return this.#places.get(value);
  }

  /** The listings that carry a value. */
  listingsWith(value: string): ListingSet {
    return this.#sets[this.#places.get(value) ?? -1] ?? EMPTY;
  }

  /** By place, how many of the listings carry the value. */
  countAmong(listings: ListingSet): Uint32Array {
    const { sets, rows } = this.#index;
    if (listings.count === this.#size) return sets.counts;
    const inRows = (listings.count / this.#size) * rows.length;
    if (listings.dense && sets.words.length < inRows * WORDS_A_VALUE) {
      return Uint32Array.from(this.#sets, (set) => countCommon(set, listings));
    }
    return this.#countRows(numbersOf(listings));
  }

  #countRows(numbers: Uint32Array): Uint32Array {
    const { values, rowStarts, rows } = this.#index;
    const counts = new Uint32Array(values.length);
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at]!;
      const end = rowStarts[number + 1]!;
      for (let row = rowStarts[number]!; row < end; row += 1) counts[rows[row]!]! += 1;
    }
    return counts;
  }
}
