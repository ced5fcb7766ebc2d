import { LIMITS } from "../../contract/limits.js";
import type { ScoreRubric } from "../answering.js";
import { type Body, encode } from "../body.js";
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

/* The counts by band and by score of a facets answer: an extension beside the contract (docs/api.md, Scores). */

const BANDS = encode(',"scores":{"bands":[');
const COUNT = encode(',"count":');
const ITEM_END = encode("},");
const UNSCORED = encode(',"unscored":');
const OLDER = encode(',"olderScoring":');
const POINTS = encode(',"points":[');
const OPEN = encode("[");
const COMMA = encode(",");
const PAIR_END = encode("],");
const END = encode("}");

/** Writes the member `scores` of a facets answer. */
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
  write({ version, bands }: ScoreRubric, open: ListingSet, range: NumberRange, body: Body): void {
    const ofBand = this.#filters.valuesFor("band");
    const inRange = intersect(this.#space, [open], range);
    const whole = { from: 0, to: this.#space.size };
    const versions = this.#filters.valuesFor("scoreVersion");
    const current = intersect(this.#space, [open, versions.listingsWith(version)], whole);
    body.bytes(BANDS);
    for (const { band } of bands) {
      const count = countCommon(ofBand.listingsWith(band), inRange);
      body
        .text(`{"band":${JSON.stringify(band)}`)
        .bytes(COUNT)
        .count(count)
        .bytes(ITEM_END);
    }
    const scored = countInRange(open, { from: 0, to: this.#orders.atLeast[0] ?? 0 });
    body
      .closeArray()
      .bytes(UNSCORED)
      .count(open.count - scored);
    body
      .bytes(OLDER)
      .count(scored - current.count)
      .bytes(POINTS);
    for (let score = LIMITS.scoreMin; score <= LIMITS.scoreMax; score += 1) {
      const count = countInRange(current, scoreRange(this.#orders, score, score));
      if (count > 0) body.bytes(OPEN).count(score).bytes(COMMA).count(count).bytes(PAIR_END);
    }
    body.closeArray().bytes(END);
  }
}
