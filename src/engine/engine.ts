import { FILTER_NAMES } from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { Vocabulary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery } from "../contract/query.js";
import { tableOf } from "../contract/tables.js";
import { Bytes, type Texts } from "../store/columns/columns.js";
import { type ListingColumns, VALUE_NAMES } from "../store/columns/listings.js";
import { memberIn, storedJson } from "../store/stored-json.js";
import type {
  CountedFacets,
  DatedHost,
  Engine,
  Found,
  FoundPage,
  ScoreRubric,
  StoredSummary,
} from "./answering.js";
import {
  addWords,
  type CommonWords,
  commonWords,
  correct,
  WordTree,
  wordTreeOf,
} from "./corrections.js";
import { FacetCounter } from "./facets.js";
import { type FilterIndex, Filters, gatherValues, openValues } from "./filters.js";
import type { Postings } from "./postings.js";
import { type Ranking, type RankingColumns, rankListings } from "./ranking.js";
import { type Orders, takePage, Workspace } from "./sets.js";
import { Suggester } from "./suggestions.js";
import {
  type Finder,
  type FoldedText,
  GramFinder,
  gatherText,
  hostAt,
  ScanFinder,
  select,
} from "./text.js";

/*
 * The engine in memory. An index is made once from the searchable listings. It is plain data, so another thread can
 * make it, and opening it makes no copy. The engine knows nothing of files, HTTP or Node.
 */

export type { Vocabulary } from "../contract/listing.js";
export { rankListings } from "./ranking.js";

/** What answering needs, whatever finds texts. */
interface ListingIndex {
  /** The number of listings. They are numbered from 0 in the default order. */
  readonly size: number;
  readonly orders: Orders;
  readonly text: FoldedText;
  readonly filters: FilterIndex;
  /** The numbers of the listings that have a name, sorted by folded name. */
  readonly names: Uint32Array;
  readonly vocabulary: Vocabulary;
}

/** An index whose summaries may be elsewhere: typed arrays and small tables of plain data. */
export interface EngineTables extends ListingIndex {
  readonly postings: Postings;
  readonly words: CommonWords;
  /** By listing number, the place of its summary. */
  readonly summaryPlaces: Uint32Array;
}

/** Everything that an engine answers from. */
export interface EngineIndex extends EngineTables {
  readonly summaries: Texts;
}

/** Returns the JSON of a listing's summary. */
export type SummaryAt = (number: number) => StoredSummary;

function listingIndex(
  ranking: Ranking<RankingColumns>,
  vocabulary: Vocabulary,
  text = gatherText(ranking),
): ListingIndex {
  return {
    size: ranking.size,
    orders: ranking.orders,
    text,
    filters: tableOf(VALUE_NAMES, (name) => gatherValues(ranking, name)),
    names: ranking.names,
    vocabulary,
  };
}

/** Everything in an index except the postings. @param text if it was gathered before */
export function listingPartOf(
  ranking: Ranking,
  vocabulary: Vocabulary,
  text?: FoldedText,
): Omit<EngineIndex, "postings"> {
  const index = listingIndex(ranking, vocabulary, text);
  return { ...index, ...gatherSummaries(ranking), words: commonWords(index.text) };
}

/** Room for the bytes of a summary: more than most of them take. Room that is never written takes no memory. */
const SUMMARY_ROOM = 1_024;

/**
 * Brings the summaries of all listings into one buffer: segment by segment, since jumping between rows of different
 * segments would take three times as long.
 * @throws RangeError at 4 GiB
 */
function gatherSummaries({ size, segments, segmentOf, rowOf }: Ranking) {
  const bytes = new Bytes(SUMMARY_ROOM * size);
  const starts = new Uint32Array(size + 1);
  const firsts: number[] = [];
  let place = 0;
  for (const { size: rows, summary } of segments) {
    firsts.push(place);
    for (let row = 0; row < rows; row += 1) {
      bytes.all(summary(row));
      if (bytes.length >= 2 ** 32) throw new RangeError("the summaries are 4 GiB or more");
      place += 1;
      starts[place] = bytes.length;
    }
  }
  const summaryPlaces = rowOf.map((row, number) => firsts[segmentOf[number]!]! + row);
  return { summaries: { bytes: bytes.written(), starts }, summaryPlaces };
}

/**
 * Opens an index in slices of a few milliseconds.
 * @param pause resolves after other requests have had a turn
 */
export async function openEngineInSlices(
  index: EngineTables,
  summaryAt: SummaryAt,
  pause: () => Promise<void>,
): Promise<MemoryEngine> {
  const tree = new WordTree();
  for (const _ of addWords(tree, index.words)) await pause();
  return openTables(index, summaryAt, tree);
}

/** Opens an index for answering. It must not change afterwards. */
export function openEngine(index: EngineIndex): MemoryEngine {
  return openTables(index, summariesIn(index), wordTreeOf(index.words));
}

/** Returns summaries that are in memory. */
export function summariesIn({ summaries, summaryPlaces }: EngineIndex): SummaryAt {
  const { bytes, starts } = summaries;
  return (number) => {
    const place = summaryPlaces[number]!;
    return bytes.subarray(starts[place], starts[place + 1]);
  };
}

function openTables(index: EngineTables, summaryAt: SummaryAt, words: WordTree): MemoryEngine {
  const { orders, text, postings } = index;
  return new MemoryEngine(index, {
    listings: new GramFinder(text, postings, "all", orders.host),
    titles: new GramFinder(text, postings, "titles", orders.host),
    words: () => words,
    summaryAt,
  });
}

/**
 * Makes an engine without postings, which finds texts by reading them all, and makes the JSON of summaries and the
 * words of corrections when they are asked for. That takes a third of the time, and suits a program that asks a few
 * questions and ends. Holds on to the columns.
 */
export function openScanningEngine(
  segments: readonly ListingColumns[],
  vocabulary: Vocabulary,
): MemoryEngine {
  const ranking = rankListings(segments);
  const { segmentOf, rowOf } = ranking;
  const index = listingIndex(ranking, vocabulary);
  const { text, orders } = index;
  let words: WordTree | null = null;
  return new MemoryEngine(index, {
    listings: new ScanFinder(text, "all", orders.host),
    titles: new ScanFinder(text, "titles", orders.host),
    words: () => {
      words ??= wordTreeOf(commonWords(text));
      return words;
    },
    summaryAt: (number) => segments[segmentOf[number]!]!.summary(rowOf[number]!).slice(),
  });
}

/** How an engine finds texts, corrections and summaries. */
interface EngineParts {
  /** Finds texts in all fields, for search and facets. */
  readonly listings: Finder;
  /** Finds texts in host and name, for suggestions. */
  readonly titles: Finder;
  /** Returns the words that corrections choose from. */
  readonly words: () => WordTree;
  readonly summaryAt: SummaryAt;
}

/** The listings of a part: reading them takes a few milliseconds, after which other requests may have a turn. */
const PART = 2_000;

const decoder = new TextDecoder();

/** An engine in memory. */
export class MemoryEngine implements Engine {
  readonly size: number;
  readonly #scored: number;
  readonly #orders: Orders;
  readonly #text: FoldedText;
  readonly #parts: EngineParts;
  readonly #filters: Filters;
  readonly #facets: FacetCounter;
  readonly #suggester: Suggester;
  readonly #space: Workspace;

  constructor(index: ListingIndex, parts: EngineParts) {
    const { size, orders, text, names, vocabulary } = index;
    this.size = size;
    this.#scored = orders.atLeast[0] ?? 0;
    this.#orders = orders;
    this.#text = text;
    this.#parts = parts;
    this.#space = new Workspace(size);
    this.#filters = new Filters(this.#space, openValues(size, index.filters), orders);
    this.#facets = new FacetCounter(this.#space, this.#filters, orders, parts.listings, vocabulary);
    this.#suggester = new Suggester(text, orders.host, names, parts.titles);
  }

  async search(query: SearchQuery): Promise<FoundPage> {
    const { q } = query;
    const { listings, words, summaryAt } = this.#parts;
    const { numbers, total } = this.#pageOf(query);
    // The filters alone may have emptied the answer. Only a text that no listing contains needs corrections.
    const isUnknown = q !== undefined && total === 0 && !listings.hasAny(q);
    const didYouMean = isUnknown ? correct(q, words(), listings) : null;
    return { summaries: Array.from(numbers, summaryAt), total, didYouMean };
  }

  async suggest(q: string, corrects = true): Promise<Found> {
    const { titles, words, summaryAt } = this.#parts;
    const numbers = this.#suggester.find(q, LIMITS.suggestionsMax);
    // Suggestions have no filters, so an empty answer means that no host or name contains the text.
    const isUnknown = corrects && numbers.length === 0;
    const didYouMean = isUnknown ? correct(q, words(), titles) : null;
    return { summaries: Array.from(numbers, summaryAt), didYouMean };
  }

  async facets(query: ListingFilters, rubric: ScoreRubric | null = null): Promise<CountedFacets> {
    this.#space.clear();
    return this.#facets.count(query, rubric);
  }

  async summariesOf(hosts: readonly string[]): Promise<(StoredSummary | undefined)[]> {
    return hosts.map((host) => {
      const number = this.#suggester.numberOf(host);
      return number === undefined ? undefined : this.#parts.summaryAt(number);
    });
  }

  async exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const exempt = this.#filters.valuesFor("exempt");
    return new Map(
      hosts.map((host) => {
        const number = this.#suggester.numberOf(host);
        return [host, number === undefined ? [] : exempt.valuesOf(number)];
      }),
    );
  }

  async hostsFound(query: ListingFilters): Promise<readonly string[]> {
    const { numbers } = this.#pageOf({ ...query, sort: "host", page: 1, limit: this.size });
    return Array.from(numbers, (number) => this.#hostOf(number));
  }

  async *scoredHosts(): AsyncGenerator<readonly string[]> {
    for (let from = 0; from < this.#scored; from += PART) {
      const length = Math.min(PART, this.#scored - from);
      yield Array.from({ length }, (_, at) => this.#hostOf(from + at));
    }
  }

  async *datedHosts(numbers: Uint32Array): AsyncGenerator<readonly DatedHost[]> {
    for (let from = 0; from < numbers.length; from += PART) {
      yield Array.from(numbers.subarray(from, from + PART), (number) => {
        const summary = decoder.decode(this.#parts.summaryAt(number));
        const scannedAt = storedJson<string | null>(memberIn(summary, "latestScannedAt"));
        return { host: this.#hostOf(number), scannedAt };
      });
    }
  }

  async *allSummaries(): AsyncGenerator<readonly StoredSummary[]> {
    const { numbers } = this.#orders.host;
    for (let from = 0; from < numbers.length; from += PART)
      yield Array.from(numbers.subarray(from, from + PART), this.#parts.summaryAt);
  }

  /** Finds the numbers of a page, in its order. They are valid until the next request. */
  #pageOf(query: SearchQuery): { readonly numbers: Uint32Array; readonly total: number } {
    const { q, sort, page, limit } = query;
    this.#space.clear();
    const found = select(
      this.#space,
      this.#filters.setsOf(FILTER_NAMES, query),
      this.#filters.scores(query),
      q === undefined ? undefined : this.#parts.listings.candidates(q),
    );
    const order = sort === "score" ? undefined : this.#orders[sort];
    const numbers = takePage(this.#space, found, order, (page - 1) * limit, limit);
    return { numbers, total: found.count };
  }

  #hostOf(number: number): string {
    return hostAt(this.#text, number);
  }
}
