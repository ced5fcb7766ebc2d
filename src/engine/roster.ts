import { FIELDS, type ListingColumns, NO_SCORE } from "../columns/listings.js";
import { LIMITS } from "../contract/limits.js";
import { type Compare, mergeRuns } from "./merge.js";
import type { Orders, Permutation } from "./order.js";
import { HEAD_UNITS, headOf } from "./text.js";

/*
 * The roster gives the listings of all buckets their numbers. A listing comes by its entry, its place among
 * the rows of all buckets, one bucket after the other; it leaves with its rank in the default order. Hosts
 * are merged first; every other order is that one, sorted further.
 */

export interface Roster {
  /** Listings. */
  readonly size: number;
  readonly buckets: readonly ListingColumns[];
  /** By listing number: its bucket, and its row there. */
  readonly bucketOf: Uint32Array;
  readonly rowOf: Uint32Array;
  readonly orders: Orders;
  /** Numbers of the listings that have a name, by folded name. */
  readonly names: Uint32Array;
}

/** Classes of listings by score; the last is for those without one. */
const SCORE_CLASSES = LIMITS.scoreMax + 2;

/** Bytes of a sort key that are compared as one number: digits and a point, of which one takes log2(13) bits. */
const RECENT_HEAD = 14;
const RECENT_BASE = 13;
const BEFORE_POINT = 0x2d;

export function callTheRoll(buckets: readonly ListingColumns[]): Roster {
  const entries = new Entries(buckets);
  const byHost = entries.merged(({ size }) => identity(size), entries.compareField(0));
  const hostPlaces = inverse(byHost);
  const byHostPlace: Compare = (a, b) => hostPlaces[a]! - hostPlaces[b]!;
  const then =
    (first: Compare): Compare =>
    (a, b) =>
      first(a, b) || byHostPlace(a, b);
  const byRecent = entries.merged(({ byRecent }) => byRecent, then(entries.compareRecent()));
  const byName = entries.merged(({ byName }) => byName, then(entries.compareField(1)));

  const scores = entries.scores();
  const ranked = byScore(byHost, scores, (score) => LIMITS.scoreMax - score);
  const numbers = inverse(ranked);
  const permutation = (order: Uint32Array): Permutation => {
    const listings = order.map((entry) => numbers[entry]!);
    return { numbers: listings, places: inverse(listings) };
  };
  return {
    size: entries.size,
    buckets,
    bucketOf: ranked.map((entry) => entries.bucketOf[entry]!),
    rowOf: ranked.map((entry) => entry - entries.starts[entries.bucketOf[entry]!]!),
    orders: {
      atLeast: countAtLeast(scores),
      scoreAsc: permutation(byScore(byHost, scores, (score) => score)),
      host: permutation(byHost),
      recent: permutation(byRecent),
    },
    names: byName.map((entry) => numbers[entry]!),
  };
}

/** The rows of all buckets, one bucket after the other. */
class Entries {
  readonly buckets: readonly ListingColumns[];
  /** The entry of each bucket's first row; one more than buckets. */
  readonly starts: Uint32Array;
  readonly size: number;
  /** By entry. */
  readonly bucketOf: Uint32Array;

  constructor(buckets: readonly ListingColumns[]) {
    this.buckets = buckets;
    this.starts = new Uint32Array(buckets.length + 1);
    for (const [bucket, { size }] of buckets.entries()) {
      this.starts[bucket + 1] = this.starts[bucket]! + size;
    }
    this.size = this.starts[buckets.length]!;
    this.bucketOf = new Uint32Array(this.size);
    for (let bucket = 0; bucket < buckets.length; bucket += 1) {
      this.bucketOf.fill(bucket, this.starts[bucket], this.starts[bucket + 1]);
    }
  }

  /** Merges what each bucket has sorted of its rows. */
  merged(rowsOf: (columns: ListingColumns) => Uint32Array, compare: Compare): Uint32Array {
    const runs = this.buckets.map(rowsOf);
    const entries = new Uint32Array(runs.reduce((sum, { length }) => sum + length, 0));
    const ends: number[] = [];
    let end = 0;
    for (const [bucket, rows] of runs.entries()) {
      const start = this.starts[bucket]!;
      for (let at = 0; at < rows.length; at += 1) entries[end + at] = start + rows[at]!;
      end += rows.length;
      ends.push(end);
    }
    return mergeRuns(entries, ends, compare);
  }

  scores(): Uint8Array {
    const scores = new Uint8Array(this.size);
    for (const [bucket, columns] of this.buckets.entries()) {
      scores.set(columns.scores, this.starts[bucket]);
    }
    return scores;
  }

  /** Compares a field (0: host, 1: name) by code unit. Most pairs differ in their first six units. */
  compareField(field: number): Compare {
    const { units, starts, ends } = this.#joinField(field);
    const [heads, seconds] = [new Float64Array(this.size), new Float64Array(this.size)];
    for (let entry = 0; entry < this.size; entry += 1) {
      heads[entry] = headOf(units, starts[entry]!, ends[entry]!);
      seconds[entry] = headOf(units, starts[entry]! + HEAD_UNITS, ends[entry]!);
    }
    const compareUnits: Compare = (a, b) =>
      compareSlices(units, starts[a]!, ends[a]!, units, starts[b]!, ends[b]!);
    return (a, b) => heads[a]! - heads[b]! || seconds[a]! - seconds[b]! || compareUnits(a, b);
  }

  /** A field of all entries in one array: what lies far apart is slow to compare. */
  #joinField(field: number): { units: Uint16Array; starts: Uint32Array; ends: Uint32Array } {
    const [starts, ends] = [new Uint32Array(this.size), new Uint32Array(this.size)];
    let end = 0;
    this.#eachRow(({ fields }, row, entry) => {
      starts[entry] = end;
      end += fields[FIELDS * row + field + 1]! - 1 - fields[FIELDS * row + field]!;
      ends[entry] = end;
    });
    const joined = new Uint16Array(end);
    this.#eachRow(({ units, fields }, row, entry) => {
      const from = fields[FIELDS * row + field]! - starts[entry]!;
      for (let at = starts[entry]!; at < ends[entry]!; at += 1) joined[at] = units[from + at]!;
    });
    return { units: joined, starts, ends };
  }

  /** Compares the instants of scans, the newer first. */
  compareRecent(): Compare {
    const heads = new Float64Array(this.size);
    this.#eachRow(({ recents: { bytes, starts } }, row, entry) => {
      const [start, end] = [starts[row]!, starts[row + 1]!];
      for (let at = start; at < start + RECENT_HEAD; at += 1) {
        heads[entry] = heads[entry]! * RECENT_BASE + (at < end ? bytes[at]! - BEFORE_POINT : 0);
      }
    });
    return (a, b) => heads[b]! - heads[a]! || this.#compareRecents(b, a);
  }

  #compareRecents(a: number, b: number): number {
    const [one, other] = [this.#columnsOf(a).recents, this.#columnsOf(b).recents];
    const [i, j] = [this.#rowOf(a), this.#rowOf(b)];
    return compareSlices(
      one.bytes,
      one.starts[i]!,
      one.starts[i + 1]!,
      other.bytes,
      other.starts[j]!,
      other.starts[j + 1]!,
    );
  }

  #columnsOf(entry: number): ListingColumns {
    return this.buckets[this.bucketOf[entry]!]!;
  }

  #rowOf(entry: number): number {
    return entry - this.starts[this.bucketOf[entry]!]!;
  }

  #eachRow(visit: (columns: ListingColumns, row: number, entry: number) => void): void {
    for (const [bucket, columns] of this.buckets.entries()) {
      for (let row = 0; row < columns.size; row += 1) {
        visit(columns, row, this.starts[bucket]! + row);
      }
    }
  }
}

function compareSlices<T extends Uint8Array | Uint16Array>(
  a: T,
  aStart: number,
  aEnd: number,
  b: T,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let at = 0; at < length; at += 1) {
    const difference = a[aStart + at]! - b[bStart + at]!;
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/**
 * Sorts entries by score, keeping the order of equal ones; those without a score come last.
 * @param classOf the class of a score, 0 to 100
 */
function byScore(
  entries: Uint32Array,
  scores: Uint8Array,
  classOf: (score: number) => number,
): Uint32Array {
  const classes = Uint8Array.from({ length: NO_SCORE + 1 }, (_, score) =>
    score > LIMITS.scoreMax ? SCORE_CLASSES - 1 : classOf(score),
  );
  const ends = new Uint32Array(SCORE_CLASSES + 1);
  for (let at = 0; at < scores.length; at += 1) ends[classes[scores[at]!]! + 1]! += 1;
  for (let at = 1; at < ends.length; at += 1) ends[at]! += ends[at - 1]!;
  const sorted = new Uint32Array(entries.length);
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at]!;
    const score = classes[scores[entry]!]!;
    sorted[ends[score]!] = entry;
    ends[score]! += 1;
  }
  return sorted;
}

/** By score 0 to 101, how many listings have that score or a higher one. */
function countAtLeast(scores: Uint8Array): Uint32Array {
  const counts = new Uint32Array(LIMITS.scoreMax + 2);
  for (let at = 0; at < scores.length; at += 1) {
    if (scores[at] !== NO_SCORE) counts[scores[at]!]! += 1;
  }
  for (let score = LIMITS.scoreMax; score >= 0; score -= 1) counts[score]! += counts[score + 1]!;
  return counts;
}

function identity(size: number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, at) => at);
}

/** By number, its place. */
function inverse(numbers: Uint32Array): Uint32Array {
  const places = new Uint32Array(numbers.length);
  for (let place = 0; place < numbers.length; place += 1) places[numbers[place]!] = place;
  return places;
}
