import { FILTERS, type FilterName } from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { ListingFilters } from "../contract/query.js";
import { tableOf } from "../contract/tables.js";
import { VALUE_NAMES, type ValueName } from "../store/columns/listings.js";
import { type ValueIndex, Values } from "./facets/values.js";
import { type Orders, scoreRange } from "./order/order.js";
import { type ListingSet, type NumberRange, unite } from "./sets/sets.js";
import type { Workspace } from "./sets/workspace.js";

/*
 * A request's filters as sets of listings. If any of a filter's values may match, its sets are united; if all must
 * match, each value is a filter of its own. Different filters are intersected. Scores need no sets, since a range of
 * scores is a range of listing numbers (docs/contract.md#31-filters).
 */

/** The indexes of the values of filters, of the versions of scores, and of the checks that do not apply. */
export type FilterIndex = Readonly<Record<ValueName, ValueIndex>>;

/** Turns filters into sets. */
export class Filters {
  readonly #values: Readonly<Record<ValueName, Values>>;
  readonly #space: Workspace;
  readonly #orders: Orders;

  constructor(space: Workspace, index: FilterIndex, orders: Orders) {
    this.#values = tableOf(VALUE_NAMES, (name) => new Values(space.size, index[name]));
    this.#space = space;
    this.#orders = orders;
  }

  /** Returns the values that listings have for a filter, or the versions of their scores. */
  valuesFor(name: ValueName): Values {
    return this.#values[name];
  }

  /** Returns the sets of the named filters that a query gives. A matching listing is in every set. */
  setsOf(names: readonly FilterName[], query: ListingFilters): ListingSet[] {
    const sets: ListingSet[] = [];
    for (const name of names) {
      const given = query[name];
      if (given === undefined) continue;
      const values = this.#values[name];
      const wanted = typeof given === "string" ? [given] : given;
      const found = wanted.map((value) => values.listingsWith(value));
      if (FILTERS[name].match === "all") sets.push(...found);
      else sets.push(unite(this.#space, found));
    }
    return sets;
  }

  /** Returns the numbers of the listings that pass the score filters; all numbers if neither filter is given. */
  scores({ minScore, maxScore }: ListingFilters): NumberRange {
    if (minScore === undefined && maxScore === undefined) return { from: 0, to: this.#space.size };
    return scoreRange(this.#orders, minScore ?? LIMITS.scoreMin, maxScore ?? LIMITS.scoreMax);
  }
}
