import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import type { ScoreRubric } from "../answering.js";
import type { Filters } from "../filters.js";
import { type Orders, scoreRange } from "../order/order.js";
import {
  countCommon,
  countInRange,
  intersect,
  type ListingSet,
  type NumberRange,
} from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";

/* The counts by band and by score of a facets answer: beyond the contract (docs/api.md, Scores). */

/** Counts the member `scores` of a facets answer. */
export class ScoreCounter {
  readonly #space: Workspace;
  readonly #filters: Filters;
  readonly #orders: Orders;

  constructor(space: Workspace, filters: Filters, orders: Orders) {
    this.#space = space;
    this.#filters = filters;
    this.#orders = orders;
  }

  /**
   * @param open the listings that pass every filter other than `band` and the range of scores
   * @param range the numbers of the listings that pass the range of scores
   */
  count({ version, bands }: ScoreRubric, open: ListingSet, range: NumberRange): FacetScores {
    const ofBand = this.#filters.valuesFor("band");
    const inRange = intersect(this.#space, [open], range);
    const whole = { from: 0, to: this.#space.size };
    const versions = this.#filters.valuesFor("scoreVersion");
    const current = intersect(this.#space, [open, versions.listingsWith(version)], whole);
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
