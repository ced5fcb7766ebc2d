import { LIMITS } from "../contract/limits.js";
import { FIELDS, type ListingColumns, NO_SCORE } from "../store/columns/listings.js";
import type { Orders, Permutation } from "./sets.js";

/*
 * The ranking gives the listings of all segments their numbers. It starts from entries: a listing's entry is its index
 * among the rows of all segments, one segment after another. The result is the listing's rank in the default order.
 * Hosts are sorted first. Every other order sorts the host order further.
 */

/** The columns of a segment that numbering and selecting need. */
export type RankingColumns = Pick<
  ListingColumns,
  "size" | "scores" | "recents" | "units" | "fields" | "filters"
>;

export interface Ranking<Columns extends RankingColumns = ListingColumns> {
  /** The number of listings. */
  readonly size: number;
  /** By listing number: its segment, and its row in that segment. */
  readonly segmentOf: Uint32Array;
  readonly rowOf: Uint32Array;
  readonly orders: Orders;
  /** The numbers of the listings that have a name, sorted by folded name. */
  readonly names: Uint32Array;
  readonly segments: readonly Columns[];
}

/** The number of score classes. The last class holds the listings without a score. */
const SCORE_CLASSES = LIMITS.scoreMax + 2;

export function rankListings<Columns extends RankingColumns>(
  segments: readonly Columns[],
): Ranking<Columns> {
  const entries = new Entries(segments);
  const byHost = sortByText(identity(entries.size), entries.field(0));
  const byRecent = sortByText(byHost, entries.recents(), true);
  const names = entries.field(1);
  const named = byHost.filter((entry) => names.starts[entry] !== names.ends[entry]);
  const byName = sortByText(named, names);
  const scores = entries.scores();
  const ranked = byScore(byHost, scores, (score) => LIMITS.scoreMax - score);
  const numbers = inverse(ranked);
  const permutation = (order: Uint32Array): Permutation => {
    const listings = order.map((entry) => numbers[entry]!);
    return { numbers: listings, ranks: inverse(listings) };
  };
  return {
    size: entries.size,
    segments,
    segmentOf: ranked.map((entry) => entries.segmentOf[entry]!),
    rowOf: ranked.map((entry) => entry - entries.starts[entries.segmentOf[entry]!]!),
    orders: {
      atLeast: countAtLeast(scores),
      "score-asc": permutation(byScore(byHost, scores, (score) => score)),
      host: permutation(byHost),
      recent: permutation(byRecent),
    },
    names: byName.map((entry) => numbers[entry]!),
  };
}

/** The rows of all segments, one segment after another. */
class Entries {
  readonly segments: readonly RankingColumns[];
  /** The entry of each segment's first row, then the number of all entries. */
  readonly starts: Uint32Array;
  readonly size: number;
  /** By entry. */
  readonly segmentOf: Uint32Array;

  constructor(segments: readonly RankingColumns[]) {
    this.segments = segments;
    this.starts = new Uint32Array(segments.length + 1);
    for (const [segment, { size }] of segments.entries()) {
      this.starts[segment + 1] = this.starts[segment]! + size;
    }
    this.size = this.starts[segments.length]!;
    this.segmentOf = new Uint32Array(this.size);
    for (let segment = 0; segment < segments.length; segment += 1) {
      this.segmentOf.fill(segment, this.starts[segment], this.starts[segment + 1]);
    }
  }

  scores(): Uint8Array {
    const scores = new Uint8Array(this.size);
    for (const [segment, columns] of this.segments.entries()) {
      scores.set(columns.scores, this.starts[segment]);
    }
    return scores;
  }

  /** Copies a field of all entries (0: host, 1: name) into one array. Sorting by texts that lie far apart is slow. */
  field(field: number): TextSlices {
    const { starts, ends, end } = this.#lengths(
      ({ fields }, row) => fields[FIELDS * row + field + 1]! - 1 - fields[FIELDS * row + field]!,
    );
    const joined = new Uint16Array(end);
    this.#eachRow(({ units, fields }, row, entry) => {
      const from = fields[FIELDS * row + field]! - starts[entry]!;
      for (let at = starts[entry]!; at < ends[entry]!; at += 1) joined[at] = units[from + at]!;
    });
    return { units: joined, starts, ends };
  }

  /** Copies the sort keys of all entries' scans into one array. */
  recents(): TextSlices {
    const { starts, ends, end } = this.#lengths(
      ({ recents }, row) => recents.starts[row + 1]! - recents.starts[row]!,
    );
    const joined = new Uint16Array(end);
    this.#eachRow(({ recents }, row, entry) => {
      const from = recents.starts[row]! - starts[entry]!;
      for (let at = starts[entry]!; at < ends[entry]!; at += 1) {
        joined[at] = recents.bytes[from + at]!;
      }
    });
    return { units: joined, starts, ends };
  }

  /** Returns the start and end of each entry's text in an array of all texts, one after another. */
  #lengths(lengthOf: (columns: RankingColumns, row: number) => number) {
    const starts = new Uint32Array(this.size);
    const ends = new Uint32Array(this.size);
    let end = 0;
    this.#eachRow((columns, row, entry) => {
      starts[entry] = end;
      end += lengthOf(columns, row);
      ends[entry] = end;
    });
    return { starts, ends, end };
  }

  #eachRow(visit: (columns: RankingColumns, row: number, entry: number) => void): void {
    for (const [segment, columns] of this.segments.entries()) {
      for (let row = 0; row < columns.size; row += 1) {
        visit(columns, row, this.starts[segment]! + row);
      }
    }
  }
}

/**
 * Sorts entries by score, and keeps the order of equal scores. Entries without a score come last.
 * @param classOf returns the class of a score, 0 to 100
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

/** By score 0 to 101, counts the listings with that score or a higher one. */
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

/** Returns the index of each number. */
function inverse(numbers: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(numbers.length);
  for (let rank = 0; rank < numbers.length; rank += 1) ranks[numbers[rank]!] = rank;
  return ranks;
}

/** Texts in one array, by number. */
interface TextSlices {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Sorts numbers by their texts, by code unit. Equal texts keep the order of their numbers in the input.
 * @param descending whether to reverse the order of the texts
 */
function sortByText(
  numbers: Uint32Array,
  { units, starts, ends }: TextSlices,
  descending = false,
): Uint32Array {
  const sign = descending ? -1 : 1;
  return numbers.toSorted((a, b) => {
    const i = starts[a]!;
    const j = starts[b]!;
    const aLength = ends[a]! - i;
    const bLength = ends[b]! - j;
    for (let at = 0; at < aLength && at < bLength; at += 1) {
      const difference = units[i + at]! - units[j + at]!;
      if (difference !== 0) return sign * difference;
    }
    return sign * (aLength - bLength);
  });
}
