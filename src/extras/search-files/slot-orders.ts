import { LIMITS } from "../../contract/limits.js";
import { tableOf } from "../../contract/tables.js";
import { type Ranking, type RankingColumns, rankListings } from "../../engine/ranking.js";
import { eachNumber, setBit, takeBits, wordsFor } from "../../engine/sets.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { FIELDS, NO_SCORE, VALUE_NAMES, type ValueRows } from "../../store/columns/listings.js";
import type { AddedText, SearchDelta, SearchHead } from "./format.js";
import type { SlotSet } from "./search-texts.js";

/** Bytes of a slot in the file `recent`. */
const RECENT_BYTES = 3;

/**
 * The orders of listings, from the scores of slots. A listing's rank is its position in the order of hosts, and its
 * number is that in the default order.
 */
export class SlotOrders {
  /** By rank. */
  readonly slots: Uint32Array;
  /** By slot. */
  readonly ranks: Uint32Array;
  /** By slot. */
  readonly numbers: Uint32Array;
  readonly #scores: Uint8Array;
  #ranking: Ranking<RankingColumns>;

  /** @param scores by slot @throws BadColumnsError */
  constructor({ slots }: SearchHead, { added }: SearchDelta, scores: Uint8Array) {
    const isScore = (score: number) => score <= LIMITS.scoreMax || score === NO_SCORE;
    if (scores.length !== slots + added.length || !scores.every(isScore)) {
      throw new BadColumnsError("it does not have the scores of all listings");
    }
    this.slots = slotsByHost(slots, added);
    this.ranks = new Uint32Array(scores.length);
    this.#scores = Uint8Array.from(this.slots, (slot) => scores[slot] ?? NO_SCORE);
    this.#ranking = rankListings([columnsOf(this.#scores)]);
    this.numbers = new Uint32Array(scores.length);
    for (const [rank, slot] of this.slots.entries()) {
      this.ranks[slot] = rank;
    }
    for (const [number, rank] of this.#ranking.rowOf.entries()) {
      this.numbers[this.slots[rank] ?? 0] = number;
    }
  }

  /** Rows are ranks. */
  get ranking(): Ranking<RankingColumns> {
    return this.#ranking;
  }

  /** Sorts by date. @param recent the file of that name @throws BadColumnsError */
  addRecent(recent: Uint8Array): void {
    if (recent.length !== RECENT_BYTES * this.slots.length) {
      throw new BadColumnsError("it does not have the dates of all listings");
    }
    const bytes = new Uint8Array(recent.length);
    for (const [rank, slot] of this.slots.entries()) {
      const own = recent.subarray(RECENT_BYTES * slot, RECENT_BYTES * (slot + 1));
      bytes.set(own, RECENT_BYTES * rank);
    }
    this.#ranking = rankListings([columnsOf(this.#scores, bytes)]);
  }

  /** The slots of listings. */
  slotsOf(numbers: Uint32Array): Uint32Array {
    return numbers.map((number) => this.slots[this.#ranking.rowOf[number] ?? 0] ?? 0);
  }

  /** The numbers or ranks of a set, ascending. @param by `numbers`, `ranks` or, for the slots themselves, null */
  sorted(set: SlotSet, by: Uint32Array | null): Uint32Array {
    const bits = new Uint32Array(wordsFor(this.slots.length));
    let count = 0;
    eachNumber({ dense: true, count: 0, data: set }, (slot) => {
      setBit(bits, by === null ? slot : (by[slot] ?? 0));
      count += 1;
      return true;
    });
    return takeBits(bits, 0, new Uint32Array(count));
  }
}

/** @throws BadColumnsError */
function slotsByHost(base: number, added: readonly AddedText[]): Uint32Array {
  const sorted = new Uint32Array(base + added.length);
  let at = 0;
  let slot = 0;
  const addBase = (end: number) => {
    for (; slot < end; slot += 1, at += 1) sorted[at] = slot;
  };
  for (const [index, { before }] of added.entries()) {
    if (before < slot || before > base) throw new BadColumnsError("its listings are not sorted");
    addBase(before);
    sorted[at] = base + index;
    at += 1;
  }
  addBase(base);
  return sorted;
}

/**
 * The columns of listings whose texts are elsewhere, in the order of hosts.
 * @param recents sort keys of equal length
 */
function columnsOf(scores: Uint8Array, recents = new Uint8Array()): RankingColumns {
  const size = scores.length;
  const bytes = recents.length / Math.max(1, size);
  const starts = new Uint32Array(size + 1);
  const none: ValueRows = { values: [], starts, places: starts.subarray(0, 0) };
  return {
    size,
    scores,
    recents: { bytes: recents, starts: starts.map((_, at) => bytes * at) },
    units: new Uint16Array(FIELDS * size),
    fields: Uint32Array.from({ length: FIELDS * size + 1 }, (_, at) => at),
    filters: tableOf(VALUE_NAMES, () => none),
  };
}
