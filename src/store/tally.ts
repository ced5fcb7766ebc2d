import type { Figures, GroupFigures } from "../contract/figures.js";
import { instantKey } from "../contract/instant.js";
import type { SiteSummary } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import type { ShardEntry } from "./format.js";

/** Pairs of a score or a check's id, and how many listings have it. */
type CountPairs<K> = Iterable<readonly [K, number]>;

/** Counts the listings of one group. */
class GroupTally {
  #listed = 0;
  readonly #scores = new Map<number, number>();
  readonly #passed = new Map<string, number>();

  add(listed: number, scores: CountPairs<number>, passed: CountPairs<string>): void {
    this.#listed += listed;
    for (const [score, count] of scores) addTo(this.#scores, score, count);
    for (const [id, count] of passed) addTo(this.#passed, id, count);
  }

  figures(): GroupFigures {
    const scores = [...this.#scores].sort(([a], [b]) => a - b);
    return {
      listed: this.#listed,
      scored: scores.reduce((sum, [, count]) => sum + count, 0),
      scores,
      passed: sortedRecord(this.#passed),
    };
  }
}

/** Counts the listings of a directory. The order in which they are added does not matter. */
class Tally {
  #lastScannedAt: string | null = null;
  readonly #all = new GroupTally();
  readonly #categories = new Map<string, GroupTally>();

  /** @param scoreVersion the version of the directory's methodology */
  addListing(summary: SiteSummary, scoreVersion: string): void {
    const { category, capabilities, latestScore, latestScoreVersion, latestScannedAt } = summary;
    const isScored = latestScore !== null && latestScoreVersion === scoreVersion;
    const scores = isScored ? [[latestScore, 1] as const] : [];
    const passed = capabilities.map((id) => [id, 1] as const);
    this.#all.add(1, scores, passed);
    if (category !== null) this.#category(category.slug).add(1, scores, passed);
    this.#noteScan(latestScannedAt);
  }

  addFigures({ lastScannedAt, all, categories }: Figures): void {
    const into = (tally: GroupTally, { listed, scores, passed }: GroupFigures) =>
      tally.add(listed, scores, Object.entries(passed));
    into(this.#all, all);
    for (const [slug, group] of Object.entries(categories)) into(this.#category(slug), group);
    this.#noteScan(lastScannedAt);
  }

  figures(): Figures {
    const categories = Array.from(
      this.#categories,
      ([slug, tally]) => [slug, tally.figures()] as const,
    );
    return {
      lastScannedAt: this.#lastScannedAt,
      all: this.#all.figures(),
      categories: sortedRecord(categories),
    };
  }

  #category(slug: string): GroupTally {
    const tally = this.#categories.get(slug) ?? new GroupTally();
    this.#categories.set(slug, tally);
    return tally;
  }

  #noteScan(scannedAt: string | null): void {
    if (scannedAt !== null && isLater(scannedAt, this.#lastScannedAt)) {
      this.#lastScannedAt = scannedAt;
    }
  }
}

/** Of two texts for the same instant, the greater one counts as later, so that no order of listings matters. */
function isLater(scannedAt: string, than: string | null): boolean {
  if (than === null) return true;
  const order = byCodeUnit(instantKey(scannedAt), instantKey(than));
  return order > 0 || (order === 0 && scannedAt > than);
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** A record whose members are in the order of their names. */
function sortedRecord<T>(members: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...members].sort(([a], [b]) => byCodeUnit(a, b)));
}

/** The figures of a shard's entries. Only those in search count. @param scoreVersion the version of the methodology */
export function figuresOf(entries: readonly ShardEntry[], scoreVersion: string): Figures {
  const tally = new Tally();
  for (const { search } of entries) {
    if (search !== null) tally.addListing(search.summary, scoreVersion);
  }
  return tally.figures();
}

/** Adds up the figures of buckets. */
export function joinedFigures(buckets: readonly Figures[]): Figures {
  const tally = new Tally();
  for (const figures of buckets) tally.addFigures(figures);
  return tally.figures();
}
