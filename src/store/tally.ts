import type { Figures, GroupFigures } from "../contract/figures.js";
import { LIMITS } from "../contract/limits.js";
import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit, instantKey } from "../contract/order.js";
import { itemAt } from "../contract/tables.js";
import type { ShardEntry } from "./format.js";

/** The figures of some buckets, in the short form that the notes of a build keep for each bucket. */
export interface BucketFigures {
  /** The latest scan of a listing in search; null if there is none. */
  readonly last: string | null;
  /** The ids of the checks that at least one listing passes. */
  readonly checks: readonly string[];
  /**
   * For each category, or null for listings without one: the number of listings, pairs of a score and how many listings
   * have it, and for each of `checks` how many listings pass it.
   */
  readonly groups: readonly (readonly [
    category: string | null,
    listed: number,
    scores: readonly number[],
    passed: readonly number[],
  ])[];
}

/** The counts of the listings of one category. Both arrays have a count at each place. */
interface GroupCounts {
  listed: number;
  /** By score. */
  readonly scores: number[];
  /** By the check's number. */
  readonly passed: number[];
}

/** Counts listings. The order in which they are added does not matter. */
class Tally {
  #last: string | null = null;
  /** Checks by their ids, numbered from 0. */
  readonly #checks = new Map<string, number>();
  readonly #groups = new Map<string | null, GroupCounts>();

  /** @param scoreVersion the version of the directory's methodology */
  addListing(summary: SiteSummary, scoreVersion: string): void {
    const { category, capabilities, latestScore, latestScoreVersion, latestScannedAt } = summary;
    const { scores, passed } = this.#grown(category?.slug ?? null, 1);
    if (latestScore !== null && latestScoreVersion === scoreVersion) add(scores, latestScore, 1);
    for (const id of capabilities) add(passed, this.#numberOf(id), 1);
    this.#noteScan(latestScannedAt);
  }

  addBucket({ last, checks, groups }: BucketFigures): void {
    const numbers = checks.map((id) => this.#numberOf(id));
    for (const [category, listed, pairs, counts] of groups) {
      const { scores, passed } = this.#grown(category, listed);
      for (let at = 0; at < pairs.length; at += 2) {
        add(scores, itemAt(pairs, at), itemAt(pairs, at + 1));
      }
      for (const [at, count] of counts.entries()) add(passed, itemAt(numbers, at), count);
    }
    this.#noteScan(last);
  }

  bucketFigures(): BucketFigures {
    const groups = Array.from(this.#groups, ([category, { listed, scores, passed }]) => {
      return [category, listed, nonZero(scores).flat(), passed] as const;
    });
    return { last: this.#last, checks: [...this.#checks.keys()], groups };
  }

  figures(): Figures {
    const all = newGroup(this.#checks.size);
    for (const { listed, scores, passed } of this.#groups.values()) {
      all.listed += listed;
      for (const [score, count] of scores.entries()) add(all.scores, score, count);
      for (const [number, count] of passed.entries()) add(all.passed, number, count);
    }
    const categories = [...this.#groups].flatMap(([category, counts]) =>
      category === null ? [] : [[category, this.#figuresOf(counts)] as const],
    );
    return {
      lastScannedAt: this.#last,
      all: this.#figuresOf(all),
      categories: sortedRecord(categories),
    };
  }

  #figuresOf({ listed, scores, passed }: GroupCounts): GroupFigures {
    const pairs = nonZero(scores);
    const checks = [...this.#checks].flatMap(([id, number]) => {
      const count = passed[number] ?? 0;
      return count === 0 ? [] : [[id, count] as const];
    });
    const scored = pairs.reduce((sum, [, count]) => sum + count, 0);
    return { listed, scored, scores: pairs, passed: sortedRecord(checks) };
  }

  /** The group of a category, after more listings were added to it. */
  #grown(category: string | null, listed: number): GroupCounts {
    const group = this.#groups.get(category) ?? newGroup(this.#checks.size);
    this.#groups.set(category, group);
    group.listed += listed;
    return group;
  }

  #numberOf(id: string): number {
    const number = this.#checks.get(id) ?? this.#checks.size;
    this.#checks.set(id, number);
    return number;
  }

  #noteScan(scannedAt: string | null): void {
    if (scannedAt !== null && isLater(scannedAt, this.#last)) this.#last = scannedAt;
  }
}

function newGroup(checks: number): GroupCounts {
  return {
    listed: 0,
    scores: new Array<number>(LIMITS.scoreMax + 1).fill(0),
    passed: new Array<number>(checks).fill(0),
  };
}

/** Adds to a count. Checks that are numbered after the group was made are not in its array yet. */
function add(counts: number[], place: number, count: number): void {
  while (counts.length <= place) counts.push(0);
  counts[place] = (counts[place] ?? 0) + count;
}

/** The counts that are not zero, with their places. */
function nonZero(counts: readonly number[]): (readonly [place: number, count: number])[] {
  return [...counts.entries()].filter(([, count]) => count > 0);
}

/** Of two texts for the same instant, the greater one counts as later, so that no order of listings matters. */
function isLater(scannedAt: string, than: string | null): boolean {
  if (than === null) return true;
  const order = byCodeUnit(instantKey(scannedAt), instantKey(than));
  return order > 0 || (order === 0 && scannedAt > than);
}

/** A record whose members are in the order of their names. */
function sortedRecord<T>(members: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...members].sort(([a], [b]) => byCodeUnit(a, b)));
}

/** The figures of a shard's entries. Only those in search count. @param scoreVersion the version of the methodology */
export function figuresOf(entries: readonly ShardEntry[], scoreVersion: string): BucketFigures {
  const tally = new Tally();
  for (const { search } of entries) {
    if (search !== null) tally.addListing(search.summary, scoreVersion);
  }
  return tally.bucketFigures();
}

/** The figures of all buckets together. */
export function joinedFigures(buckets: readonly BucketFigures[]): Figures {
  const tally = new Tally();
  for (const bucket of buckets) tally.addBucket(bucket);
  return tally.figures();
}
