import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../../../src/contract/query.js";
import type { Answerer } from "../engine/requests.js";
import { fold } from "../engine/text.js";
import { type FacetCounts, facetsWriter, searchBody, suggestionsBody } from "./bodies.js";
import {
  bestSuggestions,
  type Catalog,
  type Entry,
  hasPiece,
  requirePeer,
  scoreRange,
} from "./catalog.js";
import { countFacets } from "./counting.js";

/** What is used of MiniSearch. */
interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(query: string | symbol, options: object): readonly { readonly id: number }[];
}
type MiniSearchClass = (new (options: object) => MiniSearch) & { readonly wildcard: symbol };

const GRAM = 3;

/** Whether an entry passes some filters. */
type Filter = (entry: Entry, number: number) => boolean;

/**
 * MiniSearch over trigrams, all of which must be there; its filter checks the text itself and the other
 * filters. Its ranking has no use here, so what it finds is put into the order asked for afterwards.
 */
export class MiniSearchPeer implements Answerer {
  readonly #catalog: Catalog;
  readonly #index: MiniSearch;
  readonly #wildcard: symbol;
  readonly #write: (counts: FacetCounts) => Uint8Array;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#write = facetsWriter(catalog.facets);
    const MiniSearch = requirePeer<MiniSearchClass>("minisearch");
    this.#wildcard = MiniSearch.wildcard;
    this.#index = new MiniSearch({
      fields: ["title", "tagline"],
      tokenize: indexGrams,
      processTerm: (term: string) => term,
      searchOptions: { tokenize: queryGrams, combineWith: "AND" },
    });
    this.#index.addAll(
      catalog.entries.map(({ folded: [host, name, tagline] }, id) => ({
        id,
        title: `${host}\n${name}`,
        tagline,
      })),
    );
  }

  search(query: SearchQuery): Uint8Array {
    const { sort, page, limit } = query;
    const { entries, orders } = this.#catalog;
    const found = this.#find(query, filtersOf(this.#catalog, query, []), 3);
    const places = found.map((number) => entries[number]!.places[sort]).sort((a, b) => a - b);
    const items = places.slice((page - 1) * limit, page * limit).map((place) => {
      const { summaryJson } = entries[orders[sort][place]!]!;
      return summaryJson;
    });
    return searchBody(items, query, found.length);
  }

  facets(query: ListingFilters): Uint8Array {
    const { entries } = this.#catalog;
    const shared = filtersOf(this.#catalog, query, ["category", "platform"]);
    const found = this.#find(query, shared, 3).map((number) => entries[number]!);
    return this.#write(countFacets(found, query));
  }

  suggest({ q }: SuggestionsQuery): Uint8Array {
    const { entries } = this.#catalog;
    const holders = this.#find({ q }, () => true, 2).map((number) => entries[number]!);
    return suggestionsBody(
      bestSuggestions(holders, fold(q)).map(({ suggestionJson }) => suggestionJson),
    );
  }

  #find({ q }: ListingFilters, passes: Filter, fields: 2 | 3): number[] {
    const { entries } = this.#catalog;
    const piece = q === undefined ? null : fold(q);
    const filter = ({ id }: { id: number }): boolean => {
      const entry = entries[id]!;
      return (piece === null || hasPiece(entry.folded, piece, fields)) && passes(entry, id);
    };
    const options = {
      filter,
      prefix: piece !== null && Array.from(piece).length < GRAM,
      ...(fields === 2 ? { fields: ["title"] } : {}),
    };
    return this.#index.search(piece ?? this.#wildcard, options).map(({ id }) => id);
  }
}

/** Trigrams, and what is shorter at the end: shorter texts are beginnings of these. */
function indexGrams(text: string): string[] {
  const points = Array.from(text);
  return points.map((_, at) => points.slice(at, at + GRAM).join(""));
}

function queryGrams(text: string): string[] {
  const points = Array.from(text);
  if (points.length <= GRAM) return [text];
  const grams = points.slice(GRAM - 1).map((_, at) => points.slice(at, at + GRAM).join(""));
  return [...new Set(grams)];
}

type Open = "category" | "platform";

function filtersOf(catalog: Catalog, query: ListingFilters, without: readonly Open[]): Filter {
  const { tag, capability, band, status } = query;
  const category = without.includes("category") ? undefined : query.category;
  const platform = without.includes("platform") ? undefined : query.platform;
  const [from, to] = scoreRange(catalog, query);
  return ({ summary }, number) =>
    number >= from &&
    number < to &&
    (status === undefined || summary.status === status) &&
    (category === undefined || category.includes(summary.category?.slug ?? "")) &&
    (band === undefined || band.includes(summary.latestBand ?? "")) &&
    (platform === undefined || platform.some((slug) => summary.platforms.includes(slug))) &&
    (tag === undefined || summary.tags.some(({ slug }) => tag.includes(slug))) &&
    (capability === undefined || capability.every((id) => summary.capabilities.includes(id)));
}
