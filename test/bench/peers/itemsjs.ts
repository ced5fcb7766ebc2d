import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../../../src/contract/query.js";
import type { Answerer } from "../engine/requests.js";
import { fold } from "../engine/text.js";
import { type FacetCounts, facetsWriter, searchBody, suggestionsBody } from "./bodies.js";
import {
  bestSuggestions,
  type Catalog,
  hasPiece,
  requirePeer,
  type Sort,
  scoreRange,
} from "./catalog.js";

/** What is used of itemsjs. */
interface ItemsJs {
  search(input: Input): {
    readonly pagination: { readonly total: number };
    readonly data: {
      readonly items: readonly Item[];
      readonly aggregations: Readonly<Record<Filter, { readonly buckets: readonly Bucket[] }>>;
    };
  };
}
interface Input {
  readonly per_page: number;
  readonly page?: number;
  readonly filters: Readonly<Partial<Record<Filter, readonly string[]>>>;
  /** Items, counted from 1, in the order in which they are to come. */
  readonly _ids?: readonly number[];
}
interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}

const FILTERS = ["category", "tag", "platform", "capability", "band", "status"] as const;
type Filter = (typeof FILTERS)[number];
type Item = Readonly<Record<Filter, readonly string[]>> & { readonly json: string };

/**
 * itemsjs: its bitmaps filter, count and page. It has no literal text search, so what holds a text is found
 * by going through all texts, as its documentation advises, and handed over in the order of the answer; its
 * own sorting of items is slower.
 */
export class ItemsJsPeer implements Answerer {
  readonly #catalog: Catalog;
  readonly #engine: ItemsJs;
  readonly #write: (counts: FacetCounts) => Uint8Array;
  /** By order, all items. */
  readonly #all: Readonly<Record<Sort, readonly number[]>>;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#write = facetsWriter(catalog.facets);
    const make = requirePeer<(items: readonly Item[], options: object) => ItemsJs>("itemsjs");
    const items = catalog.entries.map(({ summary, summaryJson }) => ({
      category: summary.category === null ? [] : [summary.category.slug],
      tag: summary.tags.map(({ slug }) => slug),
      platform: summary.platforms,
      capability: summary.capabilities,
      band: summary.latestBand === null ? [] : [summary.latestBand],
      status: [summary.status],
      json: summaryJson,
    }));
    const idsIn = (sort: Sort) => catalog.orders[sort].map((number) => number + 1);
    this.#all = {
      score: idsIn("score"),
      "score-asc": idsIn("score-asc"),
      host: idsIn("host"),
      recent: idsIn("recent"),
    };
    const aggregations = Object.fromEntries(
      FILTERS.map((name) => [
        name,
        { size: 1_000, conjunction: name === "capability", hide_zero_doc_count: true },
      ]),
    );
    this.#engine = make(items, { native_search_enabled: false, aggregations });
  }

  search(query: SearchQuery): Uint8Array {
    const { sort, page, limit } = query;
    // Items lie in the default order: only where another is asked for all of them are handed over.
    const ids = this.#ids(query, sort) ?? (sort === "score" ? null : this.#all[sort]);
    const { data, pagination } = this.#engine.search({
      filters: filtersOf(query, []),
      per_page: limit,
      page,
      ...(ids === null ? {} : { _ids: ids }),
    });
    return searchBody(
      data.items.map(({ json }) => json),
      query,
      pagination.total,
    );
  }

  facets(query: ListingFilters): Uint8Array {
    const ids = this.#ids(query, "score");
    const ask = (without: readonly Filter[]) =>
      this.#engine.search({
        filters: filtersOf(query, without),
        per_page: 0,
        ...(ids === null ? {} : { _ids: ids }),
      });
    const { data, pagination } = ask([]);
    const anyCategory = query.category === undefined ? pagination : ask(["category"]).pagination;
    const counts = (filter: Filter) =>
      new Map(data.aggregations[filter].buckets.map(({ key, doc_count }) => [key, doc_count]));
    return this.#write({
      total: pagination.total,
      anyCategory: anyCategory.total,
      categories: counts("category"),
      signals: counts("capability"),
      platforms: counts("platform"),
    });
  }

  suggest({ q }: SuggestionsQuery): Uint8Array {
    const piece = fold(q);
    const holders = this.#catalog.entries.filter(({ folded }) => hasPiece(folded, piece, 2));
    return suggestionsBody(
      bestSuggestions(holders, piece).map(({ suggestionJson }) => suggestionJson),
    );
  }

  /** Items that hold the text and have a score in the range, in an order; null where that is no matter. */
  #ids(query: ListingFilters, sort: Sort): number[] | null {
    const { entries, orders } = this.#catalog;
    const [from, to] = scoreRange(this.#catalog, query);
    if (query.q === undefined && from === 0 && to === entries.length) return null;
    const piece = query.q === undefined ? null : fold(query.q);
    const ids: number[] = [];
    for (const number of orders[sort]) {
      if (number < from || number >= to) continue;
      if (piece === null || hasPiece(entries[number]!.folded, piece, 3)) ids.push(number + 1);
    }
    return ids;
  }
}

function filtersOf(query: ListingFilters, without: readonly Filter[]): Input["filters"] {
  const { status } = query;
  const given = { ...query, status: status === undefined ? undefined : [status] };
  return Object.fromEntries(
    FILTERS.filter((name) => !without.includes(name)).flatMap((name) => {
      const values = given[name];
      return values === undefined ? [] : [[name, values]];
    }),
  );
}
