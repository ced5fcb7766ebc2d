import { foldText } from "../../contract/order.js";
import { type GramTable, NO_GRAM, ROOT, stepGram } from "../../engine/text/grams.js";
import type { Permutation } from "../order/order.js";
import { type PackedSets, packedSet } from "../sets/packed-sets.js";
import { EMPTY, eachCommon } from "../sets/sets.js";
import { isExtended } from "./common-grams.js";
import type { Candidates, Finder } from "./finder.js";
import type { Postings } from "./gram-sets.js";
import { type Fields, type FoldedText, seek, unitsOf } from "./text.js";

/*
 * If a piece of text is a gram itself, the gram's posting is the answer. Otherwise only listings that contain all grams
 * of the piece can contain the piece. The intersection of their postings is then checked against the text.
 */

/** Finds texts with the postings of one read. */
export class GramFinder implements Finder {
  readonly #text: FoldedText;
  readonly #grams: GramTable;
  readonly #sets: PackedSets;
  /** By gram, the number of listings that contain it in any field. */
  readonly #counts: Uint32Array;
  readonly #fields: Fields;
  /** By member, its listing number; undefined if members are listing numbers. */
  readonly #listings: Uint32Array | undefined;
  readonly #size: number;

  /** @param hostOrder maps members to listings for titles, whose members are ranks in the host order */
  constructor(
    text: FoldedText,
    postings: Postings,
    fields: Fields,
    hostOrder: Pick<Permutation, "numbers">,
  ) {
    this.#text = text;
    this.#grams = postings.grams;
    this.#sets = postings[fields];
    this.#counts = postings.all.counts;
    this.#fields = fields;
    this.#listings = fields === "titles" ? hostOrder.numbers : undefined;
    this.#size = text.names.length;
  }

  candidates(text: string): Candidates {
    const piece = unitsOf(foldText(text));
    const grams: number[] = [];
    let covered = 0;
    for (let start = 0; covered < piece.length; start += 1) {
      let gram = ROOT;
      let end = start;
      do {
        gram = stepGram(this.#grams, gram, piece[end]!);
        if (gram === NO_GRAM) return { piece, sets: [EMPTY], check: undefined };
        end += 1;
      } while (end < piece.length && isExtended(end - start, this.#counts[gram]!, this.#size));
      // A gram that ends where the one before it ends is a part of it, and rules out nothing more.
      if (end > covered) grams.push(gram);
      covered = end;
    }
    const sets = grams.map((gram) => packedSet(this.#sets, this.#size, gram));
    return { piece, sets, check: sets.length === 1 ? undefined : this.#holds(piece) };
  }

  hasAny(text: string): boolean {
    const { sets, check } = this.candidates(text);
    let found = false;
    eachCommon(sets, (member) => {
      found = check === undefined || check(member);
      return !found;
    });
    return found;
  }

  #holds(piece: Uint16Array): (member: number) => boolean {
    const holds = seek(this.#text, this.#fields, piece);
    const listings = this.#listings;
    return listings === undefined ? holds : (rank) => holds(listings[rank]!);
  }
}
