import { foldText } from "../../contract/order.js";
import type { Permutation } from "../order/order.js";
import { setBit, takeBits, wordsFor } from "../sets/bitmap.js";
import { setOfNumbers } from "../sets/sets.js";
import { Workspace } from "../sets/workspace.js";
import type { Candidates, Finder } from "./finder.js";
import { type Fields, type FoldedText, isAt, jumpsOf, unitsOf } from "./text.js";

/*
 * Finds texts without postings, by reading the whole text. A search of 100,000 listings then takes milliseconds instead
 * of microseconds, but the index needs a third of the memory, and is made in a tenth of the time. That suits a browser
 * or an edge worker, which answers few requests after each start.
 */

export class ScanFinder implements Finder {
  readonly #text: FoldedText;
  readonly #fields: Fields;
  readonly #hostOrder: Permutation;
  readonly #space: Workspace;
  /** The last text and its listings: a page of the explorer asks for the same text several times. */
  #last: { readonly text: string; readonly members: Uint32Array } | null = null;

  constructor(text: FoldedText, fields: Fields, hostOrder: Permutation) {
    this.#text = text;
    this.#fields = fields;
    this.#hostOrder = hostOrder;
    this.#space = new Workspace(text.names.length);
  }

  candidates(text: string): Candidates {
    const folded = foldText(text);
    const piece = unitsOf(folded);
    if (this.#last?.text !== folded) {
      const numbers = Uint32Array.from(this.#scan(piece));
      const members = this.#fields === "titles" ? this.#placesOf(numbers) : numbers;
      this.#last = { text: folded, members };
    }
    this.#space.clear();
    return { piece, sets: [setOfNumbers(this.#space, this.#last.members)], check: undefined };
  }

  hasAny(text: string): boolean {
    const folded = foldText(text);
    if (this.#last?.text === folded) return this.#last.members.length > 0;
    return this.#scan(unitsOf(folded), 1).length > 0;
  }

  /** Returns the ascending ranks of listings in the host order. */
  #placesOf(numbers: Uint32Array): Uint32Array {
    const bits = new Uint32Array(wordsFor(this.#space.size));
    for (const number of numbers) setBit(bits, this.#hostOrder.ranks[number]!);
    return takeBits(bits, 0, numbers);
  }

  /**
   * Returns the numbers of up to `most` listings that contain the piece, ascending. No match spans two fields
   * (text.ts). The unit at the piece's possible end tells how far the search may jump (Horspool).
   */
  #scan(piece: Uint16Array, most = Number.POSITIVE_INFINITY): number[] {
    const { units, hosts, taglines } = this.#text;
    const found: number[] = [];
    const last = piece.length - 1;
    const jumps = jumpsOf(piece);
    const lastUnit = piece[last]!;
    const isTitles = this.#fields === "titles";
    let number = 0;
    let at = last;
    while (at < units.length && found.length < most) {
      const unit = units[at]!;
      if (unit !== lastUnit || !isAt(units, at - last, piece)) {
        at += jumps[unit & 0xff]!;
        continue;
      }
      const start = at - last;
      while (hosts[number + 1]! <= start) number += 1;
      if (!isTitles || start < taglines[number]!) found.push(number);
      at = hosts[number + 1]! + last;
    }
    return found;
  }
}
