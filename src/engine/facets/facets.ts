import {
  FACET_FILTERS,
  type FacetFilterName,
  FILTER_NAMES,
  isFacetFilterName,
  LIST_FILTERS,
} from "../../contract/filters.js";
import type { Vocabulary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import type { ListingFilters } from "../../contract/query.js";
import type { ScoreRubric } from "../answering.js";
import { type Body, encode } from "../body.js";
import type { Filters } from "../filters.js";
import type { Orders } from "../order/order.js";
import {
  intersect,
  type ListingSet,
  type Members,
  membersOf,
  type NumberRange,
} from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";
import { type Finder, select } from "../text/finder.js";
import { ScoreCounter } from "./scores.js";
import type { Values } from "./values.js";

/*
 * A facet's count is the size of an intersection: the listings that pass a request's filters, and the listings with the
 * facet's value. Counts ignore the facet's own filter if any of its values may match, and use every filter if all must
 * match (contract section 4, GET /api/sites/facets).
 */

/** A term of the vocabulary. Signals have an id, other terms a slug. */
type Term = { readonly slug: string } | { readonly id: string };

/** A term with its index among the values of listings, and its JSON up to the count. */
interface CountedTerm {
  /** Undefined if no listing has the value. */
  readonly index: number | undefined;
  readonly head: Uint8Array;
}

interface CountedFacet {
  readonly filter: FacetFilterName;
  readonly values: Values;
  /** If the facet is ordered by count, sorted by slug: the order of equal counts. */
  readonly terms: readonly CountedTerm[];
  readonly isByCount: boolean;
  /** Whether the answer has the number of listings that are counted. */
  readonly hasTotal: boolean;
  /** The JSON between the facet before and the total, or the items if there is no total. */
  readonly start: Uint8Array;
}

const TOTAL = encode('{"data":{"total":');
const ITEMS = encode(',"items":[');
const ITEM_END = encode("},");
const FACET_END = encode("}");
const END = encode("}}");

/** The filters that their own facets ignore, and all others. */
const IGNORED = FACET_FILTERS.filter((name) => LIST_FILTERS[name].match === "any");
const SHARED = FILTER_NAMES.filter((name) => !(isFacetFilterName(name) && IGNORED.includes(name)));
/** The filters that facets share, without those that counts of scores ignore. */
const OPEN = SHARED.filter((name) => name !== "band");

export class FacetCounter {
  readonly #space: Workspace;
  readonly #filters: Filters;
  readonly #finder: Finder;
  readonly #facets: readonly CountedFacet[];
  readonly #scores: ScoreCounter;

  constructor(
    space: Workspace,
    filters: Filters,
    orders: Orders,
    finder: Finder,
    vocabulary: Vocabulary,
  ) {
    this.#scores = new ScoreCounter(space, filters, orders);
    this.#space = space;
    this.#filters = filters;
    this.#finder = finder;
    const known: Readonly<Record<string, readonly Term[]>> = vocabulary;
    this.#facets = FACET_FILTERS.map((filter): CountedFacet => {
      const { member, order, hasTotal } = LIST_FILTERS[filter].facet;
      const values = filters.valuesFor(filter);
      const terms = known[member] ?? values.texts.map((slug) => ({ slug }));
      const isByCount = order === "count";
      const sorted = isByCount
        ? terms.toSorted((a, b) => byCodeUnit(termKey(a), termKey(b)))
        : terms;
      return {
        filter,
        values,
        terms: sorted.map((term) => ({ index: values.indexOf(termKey(term)), head: headOf(term) })),
        isByCount,
        hasTotal,
        start: encode(`,"${member}":${hasTotal ? '{"total":' : "["}`),
      };
    });
  }

  /** Writes the answer to a facets request. @param rubric if given, counts by band and by score are added */
  write(query: ListingFilters, rubric: ScoreRubric | null, body: Body): void {
    const filters = this.#filters;
    const range = filters.scores(query);
    const text = query.q === undefined ? undefined : this.#finder.candidates(query.q);
    // The text is the slow part, so listings are matched with it once: for the scores, before their filters.
    const open = rubric && select(this.#space, filters.setsOf(OPEN, query), this.#whole, text);
    const shared =
      open === null
        ? select(this.#space, filters.setsOf(SHARED, query), range, text)
        : intersect(this.#space, [open, ...filters.setsOf(["band"], query)], range);
    const { matching, ignoring } = this.#withoutEach(shared, query);
    const members = membersOf(this.#space, matching);
    body.begin(TOTAL).count(matching.count);
    for (const facet of this.#facets) {
      const among = ignoring.get(facet.filter) ?? matching;
      writeFacet(facet, among === matching ? members : membersOf(this.#space, among), body);
    }
    if (rubric !== null && open !== null) {
      const given = IGNORED.filter((name) => query[name] !== undefined);
      const others = intersect(this.#space, [open, ...filters.setsOf(given, query)], this.#whole);
      this.#scores.write(rubric, others, range, body);
    }
    body.bytes(END);
  }

  get #whole(): NumberRange {
    return { from: 0, to: this.#space.size };
  }

  /**
   * Intersects listings with the filters of `IGNORED` that a query gives.
   * @returns the intersection with all of them and, by filter, the intersection with all others
   */
  #withoutEach(
    listings: ListingSet,
    query: ListingFilters,
  ): { matching: ListingSet; ignoring: ReadonlyMap<FacetFilterName, ListingSet> } {
    const given = IGNORED.filter((name) => query[name] !== undefined);
    const sets = given.map((name) => this.#filters.setsOf([name], query));
    const ignoring = new Map<FacetFilterName, ListingSet>();
    let matching = listings;
    for (const [index, name] of given.entries()) {
      const later = sets.slice(index + 1).flat();
      ignoring.set(name, intersect(this.#space, [matching, ...later], this.#whole));
      matching = intersect(this.#space, [matching, ...(sets[index] ?? [])], this.#whole);
    }
    return { matching, ignoring };
  }
}

function writeFacet(facet: CountedFacet, members: Members, body: Body): void {
  const { terms, isByCount, hasTotal, start, values } = facet;
  const counts = values.countAmong(members);
  body.bytes(start);
  if (hasTotal) body.count(members.set.count).bytes(ITEMS);
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

function countOf({ index }: CountedTerm, counts: Uint32Array): number {
  return index === undefined ? 0 : (counts[index] ?? 0);
}

function termKey(term: Term): string {
  return "id" in term ? term.id : term.slug;
}

/** Returns the JSON of a term up to its count. */
function headOf(term: Term): Uint8Array {
  return encode(`${JSON.stringify(term).slice(0, -1)},"count":`);
}
