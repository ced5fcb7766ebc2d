import {
  FACET_FILTERS,
  type FacetFilterName,
  FILTER_NAMES,
  isFacetFilterName,
  LIST_FILTERS,
} from "../contract/filters.js";
import { LIMITS } from "../contract/limits.js";
import type { FacetScores, Vocabulary } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import type { ListingFilters } from "../contract/query.js";
import type { CountedFacet, CountedFacets, FacetTerm, ScoreRubric } from "./answering.js";
import type { Filters } from "./filters.js";
import {
  countCommon,
  countInRange,
  intersect,
  type ListingSet,
  membersOf,
  type NumberRange,
  type Orders,
  scoreRange,
  type Workspace,
} from "./sets.js";
import { type Finder, select } from "./text.js";

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

/** The terms of a facet in a fixed order, and by term the value that listings have for it. */
export interface FacetTerms {
  readonly filter: FacetFilterName;
  readonly terms: readonly FacetTerm[];
  readonly keys: readonly string[];
}

/**
 * @param values those of listings, which are the terms of a facet whose terms the vocabulary does not name
 * @returns the terms, sorted by slug if the facet is ordered by count: the order of equal counts
 */
export function facetTermsOf(
  filter: FacetFilterName,
  vocabulary: Vocabulary,
  values: readonly string[],
): FacetTerms {
  const { member, order } = LIST_FILTERS[filter].facet;
  const named: Readonly<Record<string, readonly FacetTerm[]>> = vocabulary;
  const given = named[member] ?? values.map((slug) => ({ slug }));
  const terms =
    order === "count" ? given.toSorted((a, b) => byCodeUnit(keyOf(a), keyOf(b))) : given;
  return { filter, terms, keys: terms.map(keyOf) };
}

function keyOf(term: FacetTerm): string {
  return "id" in term ? term.id : term.slug;
}

/** @param countOf returns the count of a term by its index */
export function countedFacet(
  { filter, terms }: FacetTerms,
  total: number,
  countOf: (term: number) => number,
): CountedFacet {
  const items = terms.map((_, term) => [term, countOf(term)] as const);
  // The sort is stable, so equal counts stay in the order of their slugs.
  if (LIST_FILTERS[filter].facet.order === "count") items.sort(([, a], [, b]) => b - a);
  return { filter, terms, total, items };
}

export class FacetCounter {
  readonly #space: Workspace;
  readonly #filters: Filters;
  readonly #finder: Pick<Finder, "candidates">;
  /** By facet, its terms, and by term the index among the values of listings; -1 if no listing has the term. */
  readonly #facets: readonly (readonly [FacetTerms, Int32Array])[];
  readonly #orders: Pick<Orders, "atLeast">;

  constructor(
    space: Workspace,
    filters: Filters,
    orders: Pick<Orders, "atLeast">,
    finder: Pick<Finder, "candidates">,
    vocabulary: Vocabulary,
  ) {
    this.#orders = orders;
    this.#space = space;
    this.#filters = filters;
    this.#finder = finder;
    this.#facets = FACET_FILTERS.map((filter) => {
      const values = filters.valuesFor(filter);
      const terms = facetTermsOf(filter, vocabulary, values.texts);
      return [terms, Int32Array.from(terms.keys, (key) => values.indexOf(key) ?? -1)];
    });
  }

  /** @param rubric if given, counts by band and by score are added */
  count(query: ListingFilters, rubric: ScoreRubric | null): CountedFacets {
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
    const facets = this.#facets.map(([terms, indexes]) => {
      const among = ignoring.get(terms.filter) ?? matching;
      const counted = among === matching ? members : membersOf(this.#space, among);
      const counts = filters.valuesFor(terms.filter).countAmong(counted);
      return countedFacet(terms, among.count, (term) => counts[indexes[term]!] ?? 0);
    });
    if (rubric === null || open === null) return { total: matching.count, facets, scores: null };
    const given = IGNORED.filter((name) => query[name] !== undefined);
    const others = intersect(this.#space, [open, ...filters.setsOf(given, query)], this.#whole);
    return { total: matching.count, facets, scores: this.#scores(rubric, others, range) };
  }

  /**
   * The counts by band and by score, which are beyond the contract (docs/api.md, Scores).
   * @param open the listings that pass every filter other than `band` and the range of scores
   * @param range the numbers of the listings that pass the range of scores
   */
  #scores({ version, bands }: ScoreRubric, open: ListingSet, range: NumberRange): FacetScores {
    const ofBand = this.#filters.valuesFor("band");
    const inRange = intersect(this.#space, [open], range);
    const ofVersion = this.#filters.valuesFor("scoreVersion").listingsWith(version);
    const current = intersect(this.#space, [open, ofVersion], this.#whole);
    const scored = countInRange(open, { from: 0, to: this.#orders.atLeast[0] ?? 0 });
    return {
      bands: bands.map(({ band }) => ({
        band,
        count: countCommon(ofBand.listingsWith(band), inRange),
      })),
      unscored: open.count - scored,
      olderScoring: scored - current.count,
      points: pointsFrom((score) => countInRange(current, scoreRange(this.#orders, score, score))),
    };
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

/** The pairs of a score and its number of listings, by rising score, without those that no listing has. */
export function pointsFrom(countOf: (score: number) => number): FacetScores["points"] {
  const points: FacetScores["points"] = [];
  for (let score = LIMITS.scoreMin; score <= LIMITS.scoreMax; score += 1) {
    const count = countOf(score);
    if (count > 0) points.push([score, count]);
  }
  return points;
}
