import {
  FACET_FILTERS,
  type FacetFilterName,
  FILTER_NAMES,
  isFacetFilterName,
  LIST_FILTERS,
} from "../../contract/filters.js";
import type { Vocabulary } from "../../contract/listing.js";
import type { ListingFilters } from "../../contract/query.js";
import type { ScoreRubric } from "../answering.js";
import type { Filters } from "../filters.js";
import type { Orders } from "../order/order.js";
import { intersect, type ListingSet, membersOf, type NumberRange } from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";
import { type Finder, select } from "../text/finder.js";
import { ScoreCounter } from "./scores.js";
import { FacetWriter } from "./writing.js";

/*
 * A facet's count is the size of an intersection: the listings that pass a request's filters, and the listings with the
 * facet's value. Counts ignore the facet's own filter if any of its values may match, and use every filter if all must
 * match (docs/contract.md#13-facets).
 */

/** The filters that their own facets ignore, and all others. */
const IGNORED = FACET_FILTERS.filter((name) => LIST_FILTERS[name].match === "any");
const SHARED = FILTER_NAMES.filter((name) => !(isFacetFilterName(name) && IGNORED.includes(name)));
/** The shared filters without `band`, which counts of scores ignore. */
const OPEN = SHARED.filter((name) => name !== "band");

export class FacetCounter {
  readonly #space: Workspace;
  readonly #filters: Filters;
  readonly #finder: Finder;
  readonly #writer: FacetWriter;
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
    this.#writer = new FacetWriter(vocabulary, (filter) => filters.valuesFor(filter));
  }

  /** The body of a facets answer. @param rubric if given, counts by band and by score are added */
  body(query: ListingFilters, rubric: ScoreRubric | null): Uint8Array {
    const filters = this.#filters;
    const range = filters.scores(query);
    const text = query.q === undefined ? undefined : this.#finder.candidates(query.q);
    // Matching the text is slow, so it is done once. If scores are counted, their filters are applied later.
    const open = rubric && select(this.#space, filters.setsOf(OPEN, query), this.#whole, text);
    const shared =
      open === null
        ? select(this.#space, filters.setsOf(SHARED, query), range, text)
        : intersect(this.#space, [open, ...filters.setsOf(["band"], query)], range);
    const { matching, ignoring } = this.#withoutEach(shared, query);
    const members = membersOf(this.#space, matching);
    const countsOf = (filter: FacetFilterName) => {
      const among = ignoring.get(filter) ?? matching;
      const counted = among === matching ? members : membersOf(this.#space, among);
      return { total: among.count, counts: filters.valuesFor(filter).countAmong(counted) };
    };
    if (rubric === null || open === null) return this.#writer.body(matching.count, countsOf, null);
    const given = IGNORED.filter((name) => query[name] !== undefined);
    const others = intersect(this.#space, [open, ...filters.setsOf(given, query)], this.#whole);
    const scores = this.#scores.count(rubric, others, range);
    return this.#writer.body(matching.count, countsOf, scores);
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
