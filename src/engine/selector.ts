import { FILTER_NAMES } from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { Vocabulary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery } from "../contract/query.js";
import { tableOf } from "../contract/tables.js";
import { VALUE_NAMES } from "../store/columns/listings.js";
import type { CountedFacets, ScoreRubric } from "./answering.js";
import { FacetCounter } from "./facets/facets.js";
import { gatherValues } from "./facets/values.js";
import { type FilterIndex, Filters } from "./filters.js";
import { type Orders, takePage } from "./order/order.js";
import type { Ranking, RankingColumns } from "./order/ranking.js";
import type { ListingSet } from "./sets/sets.js";
import { Workspace } from "./sets/workspace.js";
import { Suggester } from "./suggestions.js";
import { correct } from "./text/corrections.js";
import { type Finder, select } from "./text/finder.js";
import { type FoldedText, gatherText, textBetween } from "./text/text.js";
import type { WordTree } from "./text/words.js";

/* Selects the listings of an answer: which they are, in which order, and how many. It does not read their summaries. */

/** Everything that selecting needs, except the finders. */
export interface SelectorIndex {
  /** The number of listings. They are numbered from 0 in the default order. */
  readonly size: number;
  readonly orders: Orders;
  readonly text: FoldedText;
  readonly filters: FilterIndex;
  /** The numbers of the listings that have a name, sorted by folded name. */
  readonly names: Uint32Array;
  readonly vocabulary: Vocabulary;
}

export function selectorIndex(
  ranking: Ranking<RankingColumns>,
  vocabulary: Vocabulary,
): SelectorIndex {
  return {
    size: ranking.size,
    orders: ranking.orders,
    text: gatherText(ranking),
    filters: tableOf(VALUE_NAMES, (name) => gatherValues(ranking, name)),
    names: ranking.names,
    vocabulary,
  };
}

/** The finders of texts: in all fields for search and facets, in host and name for suggestions. */
export interface Finders {
  readonly listings: Finder;
  readonly titles: Finder;
}

/** The listings of an answer. */
export interface Selection {
  /** Listing numbers in the order of the answer. Valid until the next selection. */
  readonly numbers: Uint32Array;
  /** Corrections of a text that no listing contains; null if there is no need for any. */
  readonly didYouMean: readonly string[] | null;
}

/** A page of a search. */
export interface SelectedPage extends Selection {
  /** The number of listings on all pages. */
  readonly total: number;
}

export class Selector {
  /** The number of listings. */
  readonly size: number;
  /** The number of listings that have a score. Their numbers are 0 to `scored` - 1. */
  readonly scored: number;
  readonly #orders: Orders;
  readonly #text: FoldedText;
  readonly #finders: Finders;
  readonly #words: () => WordTree;
  readonly #filters: Filters;
  readonly #facets: FacetCounter;
  readonly #suggester: Suggester;
  readonly #space: Workspace;

  /** @param words returns the words that corrections choose from; called at the first correction */
  constructor(index: SelectorIndex, words: () => WordTree, finders: Finders) {
    const { size, orders, text, names, vocabulary } = index;
    const { listings, titles } = finders;
    this.size = size;
    this.scored = orders.atLeast[0] ?? 0;
    this.#orders = orders;
    this.#text = text;
    this.#finders = finders;
    this.#words = words;
    this.#space = new Workspace(size);
    this.#filters = new Filters(this.#space, index.filters, orders);
    this.#facets = new FacetCounter(this.#space, this.#filters, orders, listings, vocabulary);
    this.#suggester = new Suggester(text, orders.host, names, titles);
  }

  /** The numbers of all listings, by host. */
  get byHost(): Uint32Array {
    return this.#orders.host.numbers;
  }

  /** Returns the number of the listing with a canonical host; undefined if there is none. */
  numberOf(host: string): number | undefined {
    return this.#suggester.numberOf(host);
  }

  /** Returns a listing's host. Hosts are lower case, so the folded text has them unchanged. */
  hostOf(number: number): string {
    const { hosts, names } = this.#text;
    return textBetween(this.#text, hosts[number]!, names[number]! - 1);
  }

  /** The checks that do not apply to the listing with a canonical host; none if there is no such listing. */
  exemptOf(host: string): readonly string[] {
    const number = this.numberOf(host);
    return number === undefined ? [] : this.#filters.valuesFor("exempt").valuesOf(number);
  }

  search(query: SearchQuery): SelectedPage {
    const { q, sort, page, limit } = query;
    const { host, recent, scoreAsc } = this.#orders;
    const { listings } = this.#finders;
    const found = this.#select(query);
    const order = { score: undefined, "score-asc": scoreAsc, host, recent }[sort];
    const numbers = takePage(this.#space, found, order, (page - 1) * limit, limit);
    // The filters alone may have emptied the answer. Only a text that no listing contains needs corrections.
    const isUnknown = q !== undefined && found.count === 0 && !listings.hasAny(q);
    const didYouMean = isUnknown ? correct(q, this.#words(), listings) : null;
    return { numbers, total: found.count, didYouMean };
  }

  facets(query: ListingFilters, rubric: ScoreRubric | null): CountedFacets {
    this.#space.clear();
    return this.#facets.count(query, rubric);
  }

  suggest(q: string): Selection {
    const numbers = this.#suggester.find(q, LIMITS.suggestionsMax);
    // Suggestions have no filters, so an empty answer means that no host or name contains the text.
    const didYouMean =
      numbers.length === 0 ? correct(q, this.#words(), this.#finders.titles) : null;
    return { numbers, didYouMean };
  }

  #select(query: ListingFilters): ListingSet {
    const { q } = query;
    this.#space.clear();
    return select(
      this.#space,
      this.#filters.setsOf(FILTER_NAMES, query),
      this.#filters.scores(query),
      q === undefined ? undefined : this.#finders.listings.candidates(q),
    );
  }
}
