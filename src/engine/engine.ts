import type { Vocabulary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery } from "../contract/query.js";
import type { Texts } from "../store/columns/columns.js";
import type { ListingColumns } from "../store/columns/listings.js";
import type {
  CountedFacets,
  DatedHost,
  Engine,
  Found,
  FoundPage,
  ScoreRubric,
  StoredSummary,
} from "./answering.js";
import { type Ranking, rankListings } from "./order/ranking.js";
import { Selector, type SelectorIndex, selectorIndex } from "./selector.js";
import { bytesAt, gatherSummaries, scannedAtIn } from "./summaries.js";
import type { Postings } from "./text/gram-sets.js";
import { GramFinder } from "./text/postings.js";
import { ScanFinder } from "./text/scan.js";
import { addWords, type CommonWords, commonWords, WordTree, wordTreeOf } from "./text/words.js";

/*
 * The engine answers search, facets and suggestions from memory: queries in, values out. An index is made
 * once from the searchable listings. It is plain data, so another thread can make it, and opening it makes no copy. The
 * engine knows nothing of files, HTTP or Node.
 */

export type { Vocabulary } from "../contract/listing.js";
export { rankListings } from "./order/ranking.js";

/** Everything that an engine answers from: typed arrays and small tables of plain data. */
export interface EngineIndex extends SelectorIndex {
  readonly postings: Postings;
  readonly summaries: Texts;
  readonly words: CommonWords;
}

/** Everything in an index except the postings. */
export function listingPartOf(
  ranking: Ranking,
  vocabulary: Vocabulary,
): Omit<EngineIndex, "postings"> {
  const index = selectorIndex(ranking, vocabulary);
  return { ...index, summaries: gatherSummaries(ranking), words: commonWords(index.text) };
}

/**
 * Makes an engine without postings, which finds texts by reading them all, and makes the JSON of summaries when they
 * are asked for. That takes a third of the time, and suits a program that asks a few questions and ends. Holds on to
 * the columns.
 */
export function openScanningEngine(
  segments: readonly ListingColumns[],
  vocabulary: Vocabulary,
): MemoryEngine {
  const ranking = rankListings(segments);
  const { segments: columns, segmentOf, rowOf } = ranking;
  const selector = scanningSelector(selectorIndex(ranking, vocabulary));
  return new MemoryEngine(selector, (number) =>
    columns[segmentOf[number]!]!.summary(rowOf[number]!).slice(),
  );
}

/**
 * Opens an index in slices of a few milliseconds.
 * @param pause resolves after other requests have had a turn
 */
export async function openEngineInSlices(
  index: EngineIndex,
  pause: () => Promise<void>,
): Promise<MemoryEngine> {
  const tree = new WordTree();
  for (const _ of addWords(tree, index.words)) await pause();
  return openEngine(index, tree);
}

/** Opens an index for answering. It must not change afterwards. @param words a tree of its words */
export function openEngine(
  index: EngineIndex,
  words: WordTree = wordTreeOf(index.words),
): MemoryEngine {
  const { orders, text, postings, summaries } = index;
  const selector = new Selector(index, () => words, {
    listings: new GramFinder(text, postings, "all", orders.host),
    titles: new GramFinder(text, postings, "titles", orders.host),
  });
  return new MemoryEngine(selector, (number) => bytesAt(summaries, number));
}

/** The listings of a part: reading them takes a few milliseconds, after which other requests may have a turn. */
const PART = 2_000;

/** An engine in memory. */
export class MemoryEngine implements Engine {
  readonly size: number;
  readonly scored: number;
  readonly #selector: Selector;
  readonly #summaryAt: (number: number) => Uint8Array;

  /** @param summaryAt the JSON of a listing's summary */
  constructor(selector: Selector, summaryAt: (number: number) => Uint8Array) {
    this.#selector = selector;
    this.size = selector.size;
    this.scored = this.#selector.scored;
    this.#summaryAt = summaryAt;
  }

  async *scoredHosts(): AsyncGenerator<readonly string[]> {
    for (let from = 0; from < this.scored; from += PART) {
      const length = Math.min(PART, this.scored - from);
      yield Array.from({ length }, (_, at) => this.#selector.hostOf(from + at));
    }
  }

  async *datedHosts(numbers: Uint32Array): AsyncGenerator<readonly DatedHost[]> {
    for (let from = 0; from < numbers.length; from += PART) {
      yield Array.from(numbers.subarray(from, from + PART), (number) => ({
        host: this.#selector.hostOf(number),
        scannedAt: scannedAtIn(this.#summaryAt(number)),
      }));
    }
  }

  async *allSummaries(): AsyncGenerator<readonly StoredSummary[]> {
    const numbers = this.#selector.byHost;
    for (let from = 0; from < numbers.length; from += PART)
      yield Array.from(numbers.subarray(from, from + PART), this.#summaryAt);
  }

  async exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return new Map(hosts.map((host) => [host, this.#selector.exemptOf(host)]));
  }

  async hostsFound(query: ListingFilters): Promise<readonly string[]> {
    const all = { ...query, sort: "host", page: 1, limit: this.size } as const;
    const { numbers } = this.#selector.search(all);
    return Array.from(numbers, (number) => this.#selector.hostOf(number));
  }

  async summariesOf(hosts: readonly string[]): Promise<(StoredSummary | undefined)[]> {
    return hosts.map((host) => {
      const number = this.#selector.numberOf(host);
      return number === undefined ? undefined : this.#summaryAt(number);
    });
  }

  async search(query: SearchQuery): Promise<FoundPage> {
    const { numbers, total, didYouMean } = this.#selector.search(query);
    return { summaries: Array.from(numbers, this.#summaryAt), total, didYouMean };
  }

  async facets(query: ListingFilters, rubric: ScoreRubric | null = null): Promise<CountedFacets> {
    return this.#selector.facets(query, rubric);
  }

  async suggest(q: string): Promise<Found> {
    const { numbers, didYouMean } = this.#selector.suggest(q);
    return { summaries: Array.from(numbers, this.#summaryAt), didYouMean };
  }
}

/** A selector that needs no postings: it finds texts by reading them all. Corrections gather their words first. */
function scanningSelector(index: SelectorIndex): Selector {
  const { text, orders } = index;
  let words: WordTree | null = null;
  const readWords = (): WordTree => {
    words ??= wordTreeOf(commonWords(text));
    return words;
  };
  return new Selector(index, readWords, {
    listings: new ScanFinder(text, "all", orders.host),
    titles: new ScanFinder(text, "titles", orders.host),
  });
}
