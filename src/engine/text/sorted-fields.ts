import { firstWhere } from "../../contract/order.js";
import { compareField, type FoldedText, HEAD_BASE, HEAD_UNITS, headOf } from "./text.js";

/*
 * One field of all listings that have it, sorted. The fields that start with a piece are a range, found by binary
 * search. The fields themselves lie all over the text. So the first units of every sixteenth field are stored side by
 * side as numbers, and a search in those leaves a few fields to compare.
 */

/**
 * A range of fields: those from `from` to before `to` start with a piece, and those before `exactTo` are equal to it.
 */
export interface PrefixRange {
  readonly from: number;
  readonly exactTo: number;
  readonly to: number;
}

const STRIDE = 16;

export class SortedFields {
  readonly #numbers: Uint32Array;
  readonly #text: FoldedText;
  readonly #starts: Uint32Array;
  readonly #nexts: Uint32Array;
  readonly #heads: Float64Array;

  /**
   * @param numbers the listings in the order of the field
   * @param starts by listing, the start of its field
   * @param nexts by listing, the start of the next field
   */
  constructor(numbers: Uint32Array, text: FoldedText, starts: Uint32Array, nexts: Uint32Array) {
    this.#numbers = numbers;
    this.#text = text;
    this.#starts = starts;
    this.#nexts = nexts;
    this.#heads = Float64Array.from({ length: Math.ceil(numbers.length / STRIDE) }, (_, at) => {
      const number = numbers[STRIDE * at]!;
      return headOf(text.units, starts[number]!, nexts[number]! - 1);
    });
  }

  /**
   * Returns the range of fields that start with a piece.
   * @param piece folded, not empty
   */
  find(piece: Uint16Array): PrefixRange {
    const size = this.#numbers.length;
    const least = headOf(piece, 0, piece.length);
    // The highest head of a field that starts with the piece, if the piece is shorter than a head.
    const most = least + HEAD_BASE ** Math.max(HEAD_UNITS - piece.length, 0) - 1;
    const low = firstWhere(0, this.#heads.length, (at) => this.#heads[at]! >= least);
    const high = firstWhere(low, this.#heads.length, (at) => this.#heads[at]! > most);
    const first = Math.max(0, STRIDE * (low - 1));
    const last = Math.min(size, STRIDE * high);
    const isHead = piece.length <= HEAD_UNITS;
    const from = firstWhere(
      first,
      isHead ? Math.min(size, STRIDE * low) : last,
      (rank) => this.#compare(rank, piece, true) >= 0,
    );
    let exactTo = from;
    while (exactTo < last && this.#compare(exactTo, piece, false) === 0) exactTo += 1;
    const to = firstWhere(
      isHead ? Math.max(exactTo, STRIDE * (high - 1)) : exactTo,
      last,
      (rank) => this.#compare(rank, piece, true) > 0,
    );
    return { from, exactTo, to };
  }

  #compare(rank: number, piece: Uint16Array, asPrefix: boolean): number {
    const number = this.#numbers[rank]!;
    const [start, end] = [this.#starts[number]!, this.#nexts[number]! - 1];
    return compareField(this.#text, start, end, piece, asPrefix);
  }
}
