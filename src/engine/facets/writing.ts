import { FACET_FILTERS, type FacetFilterName, LIST_FILTERS } from "../../contract/filters.js";
import type { Vocabulary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { type Body, encode } from "../body.js";

/* The JSON of a facets answer, from its counts. */

/** A term of the vocabulary. Signals have an id, other terms a slug. */
type Term = { readonly slug: string } | { readonly id: string };

/** A term with its index among the values of listings, and its JSON up to the count. */
interface CountedTerm {
  /** Undefined if no listing has the value. */
  readonly index: number | undefined;
  readonly head: Uint8Array;
}

interface WrittenFacet {
  readonly filter: FacetFilterName;
  /** If the facet is ordered by count, sorted by slug: the order of equal counts. */
  readonly terms: readonly CountedTerm[];
  readonly isByCount: boolean;
  /** Whether the answer has the number of listings that are counted. */
  readonly hasTotal: boolean;
  /** The JSON between the facet before and the total, or the items if there is no total. */
  readonly start: Uint8Array;
}

/** What is known of the values of a filter before any request. */
export interface KnownValues {
  /** The values of a facet whose terms the vocabulary does not name. */
  readonly texts: readonly string[];
  /** Returns a value's index; undefined if no listing has the value. */
  indexOf(value: string): number | undefined;
}

/** The listings that a facet counts: how many, and how many have each value, by its index. */
export interface FacetCounts {
  readonly total: number;
  readonly counts: ArrayLike<number>;
}

const TOTAL = encode('{"data":{"total":');
const ITEMS = encode(',"items":[');
const ITEM_END = encode("},");
const FACET_END = encode("}");
const END = encode("}}");

/** Writes facets answers. */
export class FacetWriter {
  readonly #facets: readonly WrittenFacet[];

  constructor(vocabulary: Vocabulary, valuesOf: (filter: FacetFilterName) => KnownValues) {
    const known: Readonly<Record<string, readonly Term[]>> = vocabulary;
    this.#facets = FACET_FILTERS.map((filter): WrittenFacet => {
      const { member, order, hasTotal } = LIST_FILTERS[filter].facet;
      const values = valuesOf(filter);
      const terms = known[member] ?? values.texts.map((slug) => ({ slug }));
      const isByCount = order === "count";
      const sorted = isByCount
        ? terms.toSorted((a, b) => byCodeUnit(termKey(a), termKey(b)))
        : terms;
      return {
        filter,
        terms: sorted.map((term) => ({ index: values.indexOf(termKey(term)), head: headOf(term) })),
        isByCount,
        hasTotal,
        start: encode(`,"${member}":${hasTotal ? '{"total":' : "["}`),
      };
    });
  }

  /**
   * @param total the listings that pass all filters
   * @param countsOf returns the counts of a facet, in the order of the answer
   * @param writeScores adds what the contract does not have
   */
  write(
    body: Body,
    total: number,
    countsOf: (filter: FacetFilterName) => FacetCounts,
    writeScores: (body: Body) => void,
  ): void {
    body.begin(TOTAL).count(total);
    for (const facet of this.#facets) writeFacet(facet, countsOf(facet.filter), body);
    writeScores(body);
    body.bytes(END);
  }
}

function writeFacet(facet: WrittenFacet, { total, counts }: FacetCounts, body: Body): void {
  const { terms, isByCount, hasTotal, start } = facet;
  body.bytes(start);
  if (hasTotal) body.count(total).bytes(ITEMS);
  // The sort is stable, so equal counts stay in the order of their slugs.
  const ordered = isByCount
    ? terms.toSorted((a, b) => countOf(b, counts) - countOf(a, counts))
    : terms;
  for (const term of ordered) {
    body.bytes(term.head).count(countOf(term, counts)).bytes(ITEM_END);
  }
  body.closeArray();
  if (hasTotal) body.bytes(FACET_END);
}

function countOf({ index }: CountedTerm, counts: ArrayLike<number>): number {
  return index === undefined ? 0 : (counts[index] ?? 0);
}

function termKey(term: Term): string {
  return "id" in term ? term.id : term.slug;
}

/** Returns the JSON of a term up to its count. */
function headOf(term: Term): Uint8Array {
  return encode(`${JSON.stringify(term).slice(0, -1)},"count":`);
}
