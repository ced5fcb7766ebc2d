import { LIMITS } from "../contract/limits.js";
import type { ListingFilters } from "../contract/query.js";
import type { FilterName } from "../store/columns/listings.js";
import { type ValueIndex, Values } from "./facets/values.js";
import { type Orders, scoreRange } from "./order/order.js";
import { type ListingSet, type NumberRange, unite } from "./sets/sets.js";
import type { Workspace } from "./sets/workspace.js";

/*
 * A request's filters as sets of listings. The values of one filter are united, except for capability: each of its
 * values is a filter of its own. Different filters are intersected. Scores need no sets, since a range of scores is a
 * range of listing numbers (contract section 4, shared listing filters).
 */

/** By filter, the index of its values. */
export type FilterIndex = Readonly<Record<FilterName, ValueIndex>>;

/** Turns filters into sets. Undefined stands for a filter that is not given. */
export class Filters {
  readonly category: Values;
  readonly platform: Values;
  readonly capability: Values;
  readonly #tag: Values;
  readonly #band: Values;
  readonly #status: Values;
  readonly #space: Workspace;
  readonly #orders: Orders;

  constructor(space: Workspace, index: FilterIndex, orders: Orders) {
    const { size } = space;
    this.category = new Values(size, index.category);
    this.platform = new Values(size, index.platform);
    this.capability = new Values(size, index.capability);
    this.#tag = new Values(size, index.tag);
    this.#band = new Values(size, index.band);
    this.#status = new Values(size, index.status);
    this.#space = space;
    this.#orders = orders;
  }

  inCategory({ category }: ListingFilters): ListingSet | undefined {
    return this.#withAny(this.category, category);
  }

  onPlatform({ platform }: ListingFilters): ListingSet | undefined {
    return this.#withAny(this.platform, platform);
  }

  /** Returns the sets of all other filters that are given. A matching listing is in each of them. */
  others({ tag, band, status, capability = [] }: ListingFilters): ListingSet[] {
    return [
      this.#withAny(this.#tag, tag),
      this.#withAny(this.#band, band),
      status === undefined ? undefined : this.#status.listingsWith(status),
      ...capability.map((id) => this.capability.listingsWith(id)),
    ].filter((set) => set !== undefined);
  }

  /** Returns the numbers of the listings that pass the score filters; all numbers if neither filter is given. */
  scores({ minScore, maxScore }: ListingFilters): NumberRange {
    if (minScore === undefined && maxScore === undefined) return { from: 0, to: this.#space.size };
    return scoreRange(this.#orders, minScore ?? LIMITS.scoreMin, maxScore ?? LIMITS.scoreMax);
  }

  #withAny(values: Values, wanted: readonly string[] | undefined): ListingSet | undefined {
    if (wanted === undefined) return undefined;
    return unite(
      this.#space,
      wanted.map((value) => values.listingsWith(value)),
    );
  }
}
