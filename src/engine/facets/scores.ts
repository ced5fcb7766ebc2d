import { LIMITS } from "../../contract/limits.js";
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

/** Numbers of listings by band and by score. */
export interface ScoreCounts {
  /** Each band of the rubric, in its order. */
  readonly bands: readonly (readonly [band: string, count: number])[];
  readonly unscored: number;
  /** Listings with a score of an older version. */
  readonly older: number;
  /** Returns the number of listings whose current score is `score`. */
  pointsOf(score: number): number;
}

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
  count({ version, bands }: ScoreRubric, open: ListingSet, range: NumberRange): ScoreCounts {
    const ofBand = this.#filters.valuesFor("band");
    const inRange = intersect(this.#space, [open], range);
    const whole = { from: 0, to: this.#space.size };
    const versions = this.#filters.valuesFor("scoreVersion");
    const current = intersect(this.#space, [open, versions.listingsWith(version)], whole);
    const scored = countInRange(open, { from: 0, to: this.#orders.atLeast[0] ?? 0 });
    return {
      bands: bands.map(({ band }) => [band, countCommon(ofBand.listingsWith(band), inRange)]),
      unscored: open.count - scored,
      older: scored - current.count,
      pointsOf: (score) => countInRange(current, scoreRange(this.#orders, score, score)),
    };
  }
}

/** The member `scores` of a facets answer. */
export function countedScores({ bands, unscored, older, pointsOf }: ScoreCounts) {
  const points: [score: number, count: number][] = [];
  for (let score = LIMITS.scoreMin; score <= LIMITS.scoreMax; score += 1) {
    const count = pointsOf(score);
    if (count > 0) points.push([score, count]);
  }
  const counted = bands.map(([band, count]) => ({ band, count }));
  return { bands: counted, unscored, olderScoring: older, points };
}
