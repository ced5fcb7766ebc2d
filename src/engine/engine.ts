import { FILTER_NAMES } from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { Vocabulary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import { tableOf } from "../contract/tables.js";
import type { ListingColumns } from "../store/columns/listings.js";
import type { SummaryRows } from "../store/columns/summaries.js";
import { Body, encode } from "./body.js";
import { FacetCounter } from "./facets/facets.js";
import { gatherValues } from "./facets/values.js";
import { type FilterIndex, Filters } from "./filters.js";
import { type Orders, takePage } from "./order/order.js";
import { callTheRoll, type Roster } from "./order/roster.js";
import { Workspace } from "./sets/workspace.js";
import { Suggester } from "./suggestions.js";
import { gatherSummaries } from "./summaries.js";
import { correct } from "./text/corrections.js";
import { GramGatherer, type Postings } from "./text/gram-sets.js";
import { Finder, select } from "./text/postings.js";
import { type FoldedText, gatherText } from "./text/text.js";
import type { CommonWords } from "./text/word-counts.js";
import { addWords, commonWords, WordTree } from "./text/words.js";

/*
 * The engine answers search, facets and suggestions from memory: queries in, bytes of JSON bodies out. An index is made
 * once from the searchable listings. It is plain data, so another thread can make it, and opening it makes no copy. The
 * engine knows nothing of files, HTTP or Node.
 */

export type { Vocabulary } from "../contract/listing.js";
export { callTheRoll, type RosterOrder } from "./order/roster.js";

/** Everything that an engine answers from: typed arrays and small tables of plain data. */
export interface EngineIndex {
  /** The number of listings. They are numbered from 0 in the default order. */
  readonly size: number;
  readonly orders: Orders;
  readonly text: FoldedText;
  readonly postings: Postings;
  readonly filters: FilterIndex;
  /** The numbers of the listings that have a name, sorted by folded name. */
  readonly names: Uint32Array;
  readonly summaries: SummaryRows;
  readonly vocabulary: Vocabulary;
  readonly words: CommonWords;
}

/**
 * Answers the reads that search all listings. Each method returns a whole JSON body in UTF-8, unless it says otherwise.
 */
export interface Engine {
  /** The number of listings in search. They are numbered from 0 in the default order: by score, then by host. */
  readonly size: number;
  /** The number of listings that have a score. Their numbers are 0 to `scored` - 1. */
  readonly scored: number;
  /** Returns a listing's SiteSummary as JSON by its number, without category and tags. */
  ownSummary(number: number): Uint8Array;
  /** Returns a listing's SiteSummary as JSON by its canonical host; undefined if the host is not in search. */
  summaryOf(host: string): Uint8Array | undefined;
  /** GET /api/sites (contract section 4). */
  search(query: SearchQuery): Uint8Array;
  /** GET /api/sites/facets (contract section 4). */
  facets(query: ListingFilters): Uint8Array;
  /** GET /api/sites/suggestions (contract section 4). */
  suggest(query: SuggestionsQuery): Uint8Array;
}

/** The part of an index that one thread makes; another thread makes the postings. */
export type ListingPart = Omit<EngineIndex, "postings">;

/** Makes the index of the listings of all buckets. Does not hold on to the columns. */
export function buildIndex(
  buckets: readonly ListingColumns[],
  vocabulary: Vocabulary,
): EngineIndex {
  const gatherer = new GramGatherer(buckets);
  const roster = callTheRoll(buckets);
  return { ...buildListingPart(roster, vocabulary), postings: gatherer.finish(roster) };
}

export function buildListingPart(roster: Roster, vocabulary: Vocabulary): ListingPart {
  const text = gatherText(roster);
  return {
    size: roster.size,
    orders: roster.orders,
    text,
    filters: tableOf(FILTER_NAMES, (name) => gatherValues(roster, name)),
    names: roster.names,
    summaries: gatherSummaries(roster),
    vocabulary,
    words: commonWords(text),
  };
}

const DATA = encode('{"data":');
const PAGE = encode(',"pagination":{"page":');
const LIMIT = encode(',"limit":');
const TOTAL = encode(',"total":');
const TOTAL_PAGES = encode(',"totalPages":');
const PAGE_END = encode("}");
const DID_YOU_MEAN = encode(',"didYouMean":');
const END = encode("}");
const NOTHING = encode("");

/**
 * Opens an index for answering. The index must not change afterwards. Takes about 0.1 s if there are many words, so a
 * server that answers meanwhile uses `openEngineInSlices`.
 */
export function openEngine(index: EngineIndex): Engine {
  const { words, ...rest } = index;
  const tree = new WordTree();
  for (const _ of addWords(tree, words));
  return new IndexEngine(rest, tree);
}

/**
 * Opens an index like `openEngine`, in slices of a few milliseconds.
 * @param pause resolves after other requests have had a turn
 */
export async function openEngineInSlices(
  index: EngineIndex,
  pause: () => Promise<void>,
): Promise<Engine> {
  const { words, ...rest } = index;
  const tree = new WordTree();
  for (const _ of addWords(tree, words)) await pause();
  return new IndexEngine(rest, tree);
}

class IndexEngine implements Engine {
  readonly size: number;
  readonly scored: number;
  readonly #index: Omit<EngineIndex, "words">;
  readonly #filters: Filters;
  readonly #listings: Finder;
  readonly #titles: Finder;
  readonly #facets: FacetCounter;
  readonly #suggester: Suggester;
  readonly #words: WordTree;
  readonly #body = new Body();
  readonly #space: Workspace;

  constructor(index: Omit<EngineIndex, "words">, words: WordTree) {
    const { size, orders, text, postings, names } = index;
    this.size = size;
    this.scored = orders.atLeast[0] ?? 0;
    this.#index = index;
    this.#space = new Workspace(size);
    this.#filters = new Filters(this.#space, index.filters, orders);
    this.#listings = new Finder(text, postings, "all", orders.host);
    this.#titles = new Finder(text, postings, "titles", orders.host);
    this.#facets = new FacetCounter(this.#space, this.#filters, this.#listings, index.vocabulary);
    this.#suggester = new Suggester(text, orders.host, names, this.#titles);
    this.#words = words;
  }

  ownSummary(number: number): Uint8Array {
    const { bytes, starts } = this.#index.summaries.own;
    return bytes.subarray(starts[number], starts[number + 1]);
  }

  summaryOf(host: string): Uint8Array | undefined {
    const number = this.#suggester.numberOf(host);
    if (number === undefined) return undefined;
    const list = this.#body.begin(NOTHING).summaries(this.#index.summaries, Uint32Array.of(number));
    return list.finish().slice(1, -1);
  }

  search(query: SearchQuery): Uint8Array {
    const { q, sort, page, limit } = query;
    const { orders, summaries } = this.#index;
    const filters = this.#filters;
    const space = this.#space;
    space.clear();
    const found = select(
      space,
      filters.setsOf(FILTER_NAMES, query),
      filters.scores(query),
      q === undefined ? undefined : this.#listings.candidates(q),
    );
    const { host, recent, scoreAsc } = orders;
    const order = { score: undefined, "score-asc": scoreAsc, host, recent }[sort];
    const body = this.#body.begin(DATA);
    body.summaries(summaries, takePage(space, found, order, (page - 1) * limit, limit));
    body.bytes(PAGE).count(page).bytes(LIMIT).count(limit).bytes(TOTAL).count(found.count);
    body
      .bytes(TOTAL_PAGES)
      .count(Math.ceil(found.count / limit))
      .bytes(PAGE_END);
    // The filters alone may have emptied the answer. Only a text that no listing contains needs corrections.
    if (q !== undefined && found.count === 0 && !this.#listings.hasAny(q)) {
      this.#writeCorrections(q, this.#listings);
    }
    return body.bytes(END).finish();
  }

  facets(query: ListingFilters): Uint8Array {
    this.#space.clear();
    this.#facets.write(query, this.#body);
    return this.#body.finish();
  }

  suggest({ q }: SuggestionsQuery): Uint8Array {
    const found = this.#suggester.find(q, LIMITS.suggestionsMax);
    this.#body.begin(DATA).suggestions(this.#index.summaries, found);
    // Suggestions have no filters, so an empty answer means that no host or name contains the text.
    if (found.length === 0) this.#writeCorrections(q, this.#titles);
    return this.#body.bytes(END).finish();
  }

  /** Appends corrections of a text that no listing contains. */
  #writeCorrections(q: string, finder: Finder): void {
    const corrections = correct(q, this.#words, finder);
    this.#body.bytes(DID_YOU_MEAN).text(JSON.stringify(corrections));
  }
}
