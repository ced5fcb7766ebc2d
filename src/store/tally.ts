import type { Figures, GroupFigures, OtherVersion } from "../contract/figures.js";
import { LIMITS } from "../contract/limits.js";
import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit, instantKey } from "../contract/order.js";
import type { ListingEntry } from "./format.js";
import type { StoredSegments } from "./stored-segments.js";

/** The counts of the listings of one category. */
interface GroupCounts {
  listed: number;
  /** By score. */
  readonly scores: number[];
  /** By the check's number. */
  readonly passed: number[];
  readonly exempt: number[];
}

const CHECK_COUNTS = ["passed", "exempt"] as const;

/** The facts of a listing that are counted. */
type CountedListing = Pick<ListingEntry, "search" | "exempt">;
type ListingScore = Pick<SiteSummary, "latestScore" | "latestScoreVersion" | "latestBand">;

/**
 * Counts listings. The order in which they are added does not matter. A build starts with the figures of the last one,
 * subtracts the former entries of listings that have changed or gone, and adds the entries that it made.
 */
export class Tally {
  #last: string | null = null;
  /** Checks by their ids, numbered from 0. */
  readonly #checks = new Map<string, number>();
  readonly #groups = new Map<string | null, GroupCounts>();
  readonly #otherVersions = new Map<string, OtherVersion>();

  /** Whether the latest scan may have been of a removed listing. */
  isLastUnsure = false;

  /**
   * Adds a listing if it is in search.
   * @param scoreVersion the version of the directory's methodology
   * @param count -1 subtracts the listing
   */
  addListing({ search, exempt = [] }: CountedListing, scoreVersion: string, count: 1 | -1 = 1) {
    if (search === null) return;
    const { summary } = search;
    const { category, capabilities, latestScannedAt } = summary;
    const group = this.#grown(category?.slug ?? null, count);
    this.addScore(summary, scoreVersion, count, group);
    for (const id of capabilities) add(group.passed, this.#numberOf(id), count);
    for (const id of exempt) add(group.exempt, this.#numberOf(id), count);
    if (count === 1) this.#noteScan(latestScannedAt);
    else if (latestScannedAt === this.#last) this.isLastUnsure = true;
  }

  /** Adds only the score of a listing in search. */
  addScore(
    { latestScore: score, latestScoreVersion: version, latestBand: band }: ListingScore,
    scoreVersion: string,
    count: 1 | -1 = 1,
    group = this.#grown(null, 0),
  ) {
    if (score === null) return;
    if (version === scoreVersion) add(group.scores, score, count);
    else this.#addOther(version ?? "", { scored: count, unbanded: band === null ? count : 0 });
  }

  #addOther(version: string, { scored, unbanded }: OtherVersion): void {
    const before = this.#otherVersions.get(version) ?? { scored: 0, unbanded: 0 };
    const after = { scored: before.scored + scored, unbanded: before.unbanded + unbanded };
    this.#otherVersions.set(version, after);
  }

  /** Adds the figures of a former build. */
  addFigures({ lastScannedAt, all, categories, otherVersions = {} }: Figures): void {
    for (const [version, sites] of Object.entries(otherVersions)) this.#addOther(version, sites);
    this.#addGroup(null, all, 1);
    for (const [category, group] of Object.entries(categories)) {
      this.#addGroup(category, group, 1);
      // The rest are the listings without a category.
      this.#addGroup(null, group, -1);
    }
    this.#noteScan(lastScannedAt);
  }

  #addGroup(category: string | null, group: GroupFigures, count: 1 | -1): void {
    const grown = this.#grown(category, count * group.listed);
    for (const [score, listings] of group.scores) add(grown.scores, score, count * listings);
    for (const kind of CHECK_COUNTS) {
      for (const [id, listings] of Object.entries(group[kind])) {
        add(grown[kind], this.#numberOf(id), count * listings);
      }
    }
  }

  figures(): Figures {
    const all = newGroup(this.#checks.size);
    for (const group of this.#groups.values()) {
      all.listed += group.listed;
      for (const kind of ["scores", ...CHECK_COUNTS] as const) {
        for (const [place, count] of group[kind].entries()) add(all[kind], place, count);
      }
    }
    const categories = [...this.#groups].flatMap(([category, counts]) =>
      category === null || counts.listed === 0
        ? []
        : [[category, this.#figuresOf(counts)] as const],
    );
    const others = [...this.#otherVersions].filter(([, { scored }]) => scored > 0);
    return {
      lastScannedAt: this.#last,
      all: this.#figuresOf(all),
      categories: sortedRecord(categories),
      ...(others.length > 0 && { otherVersions: sortedRecord(others) }),
    };
  }

  #figuresOf({ listed, scores, passed, exempt }: GroupCounts): GroupFigures {
    const pairs = nonZero(scores);
    const byId = (counts: readonly number[]) =>
      sortedRecord(
        [...this.#checks].flatMap(([id, number]) => {
          const count = counts[number] ?? 0;
          return count === 0 ? [] : [[id, count] as const];
        }),
      );
    const scored = pairs.reduce((sum, [, count]) => sum + count, 0);
    return { listed, scored, scores: pairs, passed: byId(passed), exempt: byId(exempt) };
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

/** Totals over the live listings of a snapshot. */
export class CountedListings {
  readonly counts = { reports: 0, searchable: 0, historical: 0 };
  readonly tally = new Tally();
  /** The number of live listings, by segment. */
  readonly live: number[] = [];
  isWhole = true;

  /** Counts all listings of a set. @throws BadSnapshotError */
  static async of(set: StoredSegments, scoreVersion: string): Promise<CountedListings> {
    const counted = new CountedListings();
    for (const segment of set.segments.keys())
      counted.add(await set.entries(segment), scoreVersion);
    return counted;
  }

  /** @param entries of the next segment; undefined if they cannot be read */
  add(entries: readonly ListingEntry[] | undefined, scoreVersion: string): void {
    this.isWhole &&= entries !== undefined;
    this.live.push(entries?.length ?? 0);
    for (const entry of entries ?? []) {
      this.counts.reports += 1;
      this.counts.historical += entry.historical.length;
      if (entry.search !== null) this.counts.searchable += 1;
      this.tally.addListing(entry, scoreVersion);
    }
  }
}

function newGroup(checks: number): GroupCounts {
  return {
    listed: 0,
    scores: new Array<number>(LIMITS.scoreMax + 1).fill(0),
    passed: new Array<number>(checks).fill(0),
    exempt: new Array<number>(checks).fill(0),
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
