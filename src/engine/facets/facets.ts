import type { Platform, Signal, TaxonomyEntry } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import type { ListingFilters } from "../../contract/query.js";
import { type Body, encode } from "../body.js";
import type { Filters } from "../filters.js";
import { intersect, type ListingSet, type Members, membersOf } from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";
import { type Finder, select } from "../text/postings.js";

/*
 * A facet's count is the size of an intersection: the listings that pass a request's filters, and the listings with the
 * facet's value. Category counts ignore the category filter, and platform counts ignore the platform filter. Signal
 * counts use every filter (contract section 4, GET /api/sites/facets).
 */

/** The values that the facets read counts. */
export interface Vocabulary {
  /** The active categories, in the order of the categories read. */
  readonly categories: readonly TaxonomyEntry[];
  /** The signals in the order of the standards. */
  readonly signals: readonly Signal[];
  readonly platforms: readonly Platform[];
}

/** A counted value: its place among the values of listings, and its JSON up to the count. */
interface Counted {
  /** Undefined if no listing has the value. */
  readonly place: number | undefined;
  readonly head: Uint8Array;
}

const TOTAL = encode('{"data":{"total":');
const CATEGORIES = encode(',"categories":{"total":');
const ITEMS = encode(',"items":[');
const SIGNALS = encode('},"signals":[');
const PLATFORMS = encode(',"platforms":[');
const ITEM_END = encode("},");
const END = encode("}}");

export class FacetCounter {
  readonly #space: Workspace;
  readonly #filters: Filters;
  readonly #finder: Finder;
  readonly #categories: readonly Counted[];
  readonly #signals: readonly Counted[];
  /** Sorted by slug, which is the order of equal counts. */
  readonly #platforms: readonly Counted[];

  constructor(space: Workspace, filters: Filters, finder: Finder, vocabulary: Vocabulary) {
    this.#space = space;
    this.#filters = filters;
    this.#finder = finder;
    this.#categories = vocabulary.categories.map(({ slug, name, group, order }) => ({
      place: filters.category.placeOf(slug),
      head: headOf({ slug, name, group, order }),
    }));
    this.#signals = vocabulary.signals.map(({ id, label, description, kind }) => ({
      place: filters.capability.placeOf(id),
      head: headOf({ id, label, description, kind }),
    }));
    this.#platforms = vocabulary.platforms
      .toSorted((a, b) => byCodeUnit(a.slug, b.slug))
      .map(({ slug, name }) => ({
        place: filters.platform.placeOf(slug),
        head: headOf({ slug, name }),
      }));
  }

  /** Writes the answer to a facets request. */
  write(query: ListingFilters, body: Body): void {
    const filters = this.#filters;
    const shared = select(
      this.#space,
      filters.others(query),
      filters.scores(query),
      query.q === undefined ? undefined : this.#finder.candidates(query.q),
    );
    const category = filters.inCategory(query);
    const anyCategory = this.#narrowed(shared, filters.onPlatform(query));
    const anyPlatform = this.#narrowed(shared, category);
    const matching = this.#narrowed(anyCategory, category);
    const members = membersOf(this.#space, matching);
    const among = (set: ListingSet): Members =>
      set === matching ? members : membersOf(this.#space, set);

    body.begin(TOTAL).count(matching.count);
    body.bytes(CATEGORIES).count(anyCategory.count).bytes(ITEMS);
    writeCounts(this.#categories, filters.category.countAmong(among(anyCategory)), body);
    body.bytes(SIGNALS);
    writeCounts(this.#signals, filters.capability.countAmong(members), body);
    body.bytes(PLATFORMS);
    const counts = filters.platform.countAmong(among(anyPlatform));
    // The sort is stable, so equal counts stay in the order of their slugs.
    const byCount = this.#platforms.toSorted((a, b) => countOf(b, counts) - countOf(a, counts));
    writeCounts(byCount, counts, body);
    body.bytes(END);
  }

  #narrowed(listings: ListingSet, filter: ListingSet | undefined): ListingSet {
    if (filter === undefined) return listings;
    return intersect(this.#space, [listings, filter], { from: 0, to: this.#space.size });
  }
}

function countOf({ place }: Counted, counts: Uint32Array): number {
  return place === undefined ? 0 : counts[place]!;
}

/** Writes the items of an array, and its end. */
function writeCounts(values: readonly Counted[], counts: Uint32Array, body: Body): void {
  for (const value of values) {
    body.bytes(value.head).count(countOf(value, counts)).bytes(ITEM_END);
  }
  body.closeArray();
}

/** Returns the JSON of an item up to its count. */
function headOf(item: TaxonomyEntry | Signal | Platform): Uint8Array {
  return encode(`${JSON.stringify(item).slice(0, -1)},"count":`);
}
