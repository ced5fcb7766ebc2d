import { firstWhere } from "../../contract/order.js";
import { compareField, type FoldedText } from "./text.js";

/*
 * One field of all listings that have it, sorted. The fields that start with a piece are a range, found by binary
 * search.
 */

/**
 * A range of fields: those from `from` to before `to` start with a piece, and those before `exactTo` are equal to it.
 */
export interface PrefixRange {
  readonly from: number;
  readonly exactTo: number;
  readonly to: number;
}

export class SortedFields {
  readonly #numbers: Uint32Array;
  readonly #text: FoldedText;
  readonly #starts: Uint32Array;
  readonly #nexts: Uint32Array;

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
  }

  /**
   * Returns the range of fields that start with a piece.
   * @param piece folded, not empty
   */
  find(piece: Uint16Array): PrefixRange {
    const size = this.#numbers.length;
    const from = firstWhere(0, size, (rank) => this.#compare(rank, piece, true) >= 0);
    const to = firstWhere(from, size, (rank) => this.#compare(rank, piece, true) > 0);
    let exactTo = from;
    while (exactTo < to && this.#compare(exactTo, piece, false) === 0) exactTo += 1;
    return { from, exactTo, to };
  }

  #compare(rank: number, piece: Uint16Array, asPrefix: boolean): number {
    const number = this.#numbers[rank]!;
    const start = this.#starts[number]!;
    const end = this.#nexts[number]! - 1;
    return compareField(this.#text, start, end, piece, asPrefix);
  }
}
