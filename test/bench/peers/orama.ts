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
  SORTS,
} from "./catalog.js";
import { countFacets } from "./counting.js";

/** What is used of Orama. */
interface Orama {
  create(options: object): object;
  insertMultiple(db: object, documents: readonly object[], batch: number): Promise<unknown>;
  search(db: object, options: object): Found;
}
interface Found {
  readonly count: number;
  readonly hits: readonly { readonly document: Document }[];
  readonly facets: Readonly<Record<Facet, { readonly values: Readonly<Record<string, number>> }>>;
}
/** Every document names its entry, so that nothing but what is filtered, sorted and counted is in it. */
interface Document {
  readonly number: number;
}
type Facet = "category" | "platform" | "capability";
type Where = Record<string, object>;

const GRAM = 3;

/**
 * Orama: its ranked search of terms is no search for substrings, so grams of one to three characters are
 * values of a filter, the rarest asked for first, and what they leave is checked against the text.
 */
export class OramaPeer implements Answerer {
  readonly #catalog: Catalog;
  readonly #orama = requirePeer<Orama>("@orama/orama");
  readonly #db: object;
  readonly #grams = new Map<string, number>();
  readonly #titleGrams = new Map<string, number>();
  readonly #write: (counts: FacetCounts) => Uint8Array;

  private constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#write = facetsWriter(catalog.facets);
    this.#db = this.#orama.create({
      schema: {
        category: "enum",
        tag: "enum[]",
        platform: "enum[]",
        capability: "enum[]",
        band: "enum",
        status: "enum",
        score: "number",
        grams: "enum[]",
        titleGrams: "enum[]",
        ...Object.fromEntries(SORTS.slice(1).map((sort) => [sort, "number"])),
      },
    });
  }

  static async open(catalog: Catalog): Promise<OramaPeer> {
    const peer = new OramaPeer(catalog);
    // Without a sort of its own an answer comes in the order of insertion, which is the default order.
    const documents = catalog.entries.map((entry, number) => peer.#documentOf(entry, number));
    await peer.#orama.insertMultiple(peer.#db, documents, documents.length);
    for (const document of documents) {
      delete document.grams;
      delete document.titleGrams;
    }
    return peer;
  }

  search(query: SearchQuery): Uint8Array {
    const { sort, page, limit, q } = query;
    const { entries } = this.#catalog;
    const where = whereOf(query, []);
    const sortBy = sort === "score" ? {} : { sortBy: { property: sort, order: "ASC" } };
    const skip = (page - 1) * limit;
    if (q === undefined || Array.from(fold(q)).length <= GRAM) {
      if (q !== undefined) where.grams = { containsAll: [fold(q)] };
      const options = { where, ...sortBy, limit, offset: skip };
      const { count, hits } = this.#orama.search(this.#db, options);
      const page = hits.map(({ document }) => entries[document.number]!.summaryJson);
      return searchBody(page, query, count);
    }
    const holders = this.#holders(q, where, sortBy, 3);
    const items = holders.slice(skip, skip + limit).map(({ summaryJson }) => summaryJson);
    return searchBody(items, query, holders.length);
  }

  facets(query: ListingFilters): Uint8Array {
    const { q } = query;
    if (q !== undefined && Array.from(fold(q)).length > GRAM) {
      const where = whereOf(query, ["category", "platform"]);
      return this.#write(countFacets(this.#holders(q, where, {}, 3), query));
    }
    const count = (without: readonly Facet[], facet: Facet) => {
      const where = whereOf(query, without);
      if (q !== undefined) where.grams = { containsAll: [fold(q)] };
      const options = { where, limit: 0, facets: { [facet]: {} } };
      const found = this.#orama.search(this.#db, options);
      return { total: found.count, counts: new Map(Object.entries(found.facets[facet].values)) };
    };
    const matching = count([], "capability");
    const anyCategory = count(["category"], "category");
    return this.#write({
      total: matching.total,
      anyCategory: anyCategory.total,
      categories: anyCategory.counts,
      signals: matching.counts,
      platforms: count(["platform"], "platform").counts,
    });
  }

  suggest({ q }: SuggestionsQuery): Uint8Array {
    const best = bestSuggestions(this.#holders(q, {}, {}, 2), fold(q));
    return suggestionsBody(best.map(({ suggestionJson }) => suggestionJson));
  }

  /** The entries that hold a text, of those that pass. */
  #holders(q: string, where: Where, options: object, fields: 2 | 3): Entry[] {
    const piece = fold(q);
    const counts = fields === 3 ? this.#grams : this.#titleGrams;
    const points = Array.from(piece);
    const grams = points.length < GRAM ? [piece] : gramsOf([piece]).filter(isTrigram);
    const rarity = (gram: string) => counts.get(gram) ?? 0;
    const rarestFirst = grams.sort((a, b) => rarity(a) - rarity(b));
    const limit = rarity(rarestFirst[0]!);
    if (limit === 0) return [];
    const held = { [fields === 3 ? "grams" : "titleGrams"]: { containsAll: rarestFirst } };
    const { hits } = this.#orama.search(this.#db, {
      where: { ...held, ...where },
      limit,
      ...options,
    });
    return hits
      .map(({ document }) => this.#catalog.entries[document.number]!)
      .filter(({ folded }) => hasPiece(folded, piece, fields));
  }

  #documentOf({ summary, folded, places }: Entry, number: number) {
    const grams = gramsOf(folded);
    const titleGrams = gramsOf(folded.slice(0, 2));
    for (const gram of grams) this.#grams.set(gram, (this.#grams.get(gram) ?? 0) + 1);
    for (const gram of titleGrams)
      this.#titleGrams.set(gram, (this.#titleGrams.get(gram) ?? 0) + 1);
    const document: Record<string, unknown> = {
      number,
      tag: summary.tags.map(({ slug }) => slug),
      platform: summary.platforms,
      capability: summary.capabilities,
      status: summary.status,
      grams,
      titleGrams,
    };
    if (summary.category !== null) document.category = summary.category.slug;
    if (summary.latestBand !== null) document.band = summary.latestBand;
    if (summary.latestScore !== null) document.score = summary.latestScore;
    for (const sort of SORTS.slice(1)) document[sort] = places[sort];
    return document;
  }
}

function isTrigram(gram: string): boolean {
  return Array.from(gram).length === GRAM;
}

function gramsOf(fields: readonly string[]): string[] {
  const grams = new Set<string>();
  for (const field of fields) {
    const points = Array.from(field);
    for (let at = 0; at < points.length; at += 1) {
      let gram = "";
      for (const point of points.slice(at, at + GRAM)) {
        gram += point;
        grams.add(gram);
      }
    }
  }
  return [...grams];
}

function whereOf(query: ListingFilters, without: readonly Facet[]): Where {
  const { tag, capability, band, status, minScore, maxScore } = query;
  const category = without.includes("category") ? undefined : query.category;
  const platform = without.includes("platform") ? undefined : query.platform;
  const scored = minScore !== undefined || maxScore !== undefined;
  return {
    ...(status === undefined ? {} : { status: { eq: status } }),
    ...(category === undefined ? {} : { category: { in: category } }),
    ...(band === undefined ? {} : { band: { in: band } }),
    ...(tag === undefined ? {} : { tag: { containsAny: tag } }),
    ...(platform === undefined ? {} : { platform: { containsAny: platform } }),
    ...(capability === undefined ? {} : { capability: { containsAll: capability } }),
    ...(scored ? { score: { between: [minScore ?? 0, maxScore ?? 100] } } : {}),
  };
}
