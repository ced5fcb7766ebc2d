import { FACET_FILTERS, type FacetFilterName, LIST_FILTERS } from "../../contract/filters.js";
import type { Vocabulary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { encode } from "../body.js";
import { countedScores, type ScoreCounts } from "./scores.js";

/* The JSON of a facets answer, from its counts. */

/** A term of the vocabulary. Signals have an id, other terms a slug. */
type Term = { readonly slug: string } | { readonly id: string };

interface WrittenFacet {
  readonly filter: FacetFilterName;
  readonly member: string;
  /**
   * The JSON of each term up to its count, and its index among the values of listings; undefined if no listing has the
   * value. If the facet is ordered by count, they are sorted by slug: the order of equal counts.
   */
  readonly terms: readonly (readonly [head: string, index: number | undefined])[];
  readonly isByCount: boolean;
  /** Whether the answer has the number of listings that are counted. */
  readonly hasTotal: boolean;
}

/** The values of a filter, which are known before any request. */
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
        member,
        isByCount,
        hasTotal,
        terms: sorted.map((term) => [headOf(term), values.indexOf(termKey(term))] as const),
      };
    });
  }

  /**
   * The body of a facets answer.
   * @param total the listings that pass all filters
   * @param countsOf returns the counts of a facet
   * @param scores the member `scores`, which the contract does not have
   */
  body(
    total: number,
    countsOf: (filter: FacetFilterName) => FacetCounts,
    scores: ScoreCounts | null,
  ): Uint8Array {
    const facets = this.#facets.map((facet) => facetJson(facet, countsOf(facet.filter)));
    const more = scores === null ? "" : `,"scores":${JSON.stringify(countedScores(scores))}`;
    return encode(`{"data":{"total":${total},${facets.join(",")}${more}}}`);
  }
}

function facetJson(facet: WrittenFacet, { total, counts }: FacetCounts): string {
  const { member, terms, isByCount, hasTotal } = facet;
  const counted = terms.map(([head, index = -1]) => [head, counts[index] ?? 0] as const);
  // The sort is stable, so equal counts stay in the order of their slugs.
  if (isByCount) counted.sort(([, a], [, b]) => b - a);
  const items = `[${counted.map(([head, count]) => `${head}${count}}`).join(",")}]`;
  return `"${member}":${hasTotal ? `{"total":${total},"items":${items}}` : items}`;
}

/** The JSON of a term up to its count. */
function headOf(term: Term): string {
  return `${JSON.stringify(term).slice(0, -1)},"count":`;
}

function termKey(term: Term): string {
  return "id" in term ? term.id : term.slug;
}
