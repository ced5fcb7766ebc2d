import { wordsFor } from "../sets/bitmap.js";
import { enlarged } from "../sets/packed-sets.js";
import type { Scratch } from "../sets/scratch.js";
import type { GramCounts } from "./gram-rows.js";
import { GRAM_MAX, type GramNumbering, NO_GRAM, ROOT, stepGram } from "./grams.js";
import { endsField, type FoldedText } from "./text.js";

/*
 * If every gram of a piece were in a third of the listings, the search would have to read the text of a third of them.
 * So common grams are extended: their continuations by one unit are grams too, and if those are still common, so are
 * their own continuations. As a result a piece is a gram itself, or one of its grams is in few listings.
 */

/**
 * Grams of this many units are never extended. A text that all listings share must not take memory by the square of its
 * length.
 */
const LONGEST = 12;

/**
 * Whether the continuations of a gram are grams too. The gram has `length` units and is in `count` of `size` listings.
 * It is common if a bitmap of its listings takes fewer words than a list.
 */
export function isExtended(length: number, count: number, size: number): boolean {
  return length < GRAM_MAX || (length < LONGEST && count > wordsFor(size));
}

/** The pieces of the text that begin with a common gram of GRAM_MAX units. */
interface Pieces {
  /** Their start positions, ascending. */
  readonly starts: Uint32Array;
  /** By piece, the longest gram that starts there. Its shorter beginnings are its parents in the numbering. */
  readonly grams: Uint32Array;
}

/** The grams of more than GRAM_MAX units. */
export interface ExtendedGrams {
  /** The counts of all grams, including the shorter ones. */
  readonly counts: GramCounts;
  readonly pieces: Pieces;
  /** The lowest number of a gram of more than GRAM_MAX units. */
  readonly first: number;
}

/**
 * Numbers the grams of more than GRAM_MAX units, length by length.
 * @param counts the counts of the grams that already have numbers
 * @param scratch holds the returned pieces, and nothing else of the result
 */
export function extendGrams(
  text: FoldedText,
  numbering: GramNumbering,
  counts: GramCounts,
  scratch: Scratch,
): ExtendedGrams {
  const first = numbering.count;
  const counting = new Counting(text, counts);
  const pieces = commonPieces(text, numbering, counts.all, scratch);
  let growing = scratch.u32(pieces.starts.length);
  for (let piece = 0; piece < growing.length; piece += 1) growing[piece] = piece;
  for (let length = GRAM_MAX + 1; growing.length > 0; length += 1) {
    growing = extendPieces(text, pieces, growing, length, numbering, counting);
  }
  return { counts: counting.finish(numbering.count), pieces, first };
}

/**
 * Extends the grams of pieces to `length` units where they are common, and counts them.
 * @param growing the indexes of the pieces whose gram has one unit less, ascending; overwritten
 * @returns the indexes of the pieces whose gram now has `length` units
 */
function extendPieces(
  { units, names }: FoldedText,
  { starts, grams }: Pieces,
  growing: Uint32Array,
  length: number,
  numbering: GramNumbering,
  counting: Counting,
): Uint32Array {
  const size = names.length;
  let count = 0;
  counting.begin();
  for (let at = 0; at < growing.length; at += 1) {
    const piece = growing[at]!;
    const gram = grams[piece]!;
    if (!isExtended(length - 1, counting.all[gram]!, size)) continue;
    const start = starts[piece]!;
    const last = start + length - 1;
    if (endsField(units, last)) continue;
    const longer = numbering.step(gram, units[last]!);
    counting.add(longer, start);
    grams[piece] = longer;
    growing[count] = piece;
    count += 1;
  }
  return growing.subarray(0, count);
}

/** Counts the listings that contain each gram, each listing once. Pieces must come in the order of the text. */
class Counting {
  all: Uint32Array;
  #titles: Uint32Array;
  /** By gram, the last listing that was counted, plus 1. */
  #lastAll: Uint32Array;
  #lastTitles: Uint32Array;
  readonly #text: FoldedText;
  #number = 0;

  constructor(text: FoldedText, { all, titles }: GramCounts) {
    this.#text = text;
    this.all = all;
    this.#titles = titles;
    this.#lastAll = new Uint32Array(all.length);
    this.#lastTitles = new Uint32Array(all.length);
  }

  /** Begins a new pass over the text. */
  begin(): void {
    this.#number = 0;
  }

  add(gram: number, start: number): void {
    if (gram >= this.all.length) this.#enlarge(gram + 1);
    const { hosts, taglines } = this.#text;
    while (hosts[this.#number + 1]! <= start) this.#number += 1;
    const mark = this.#number + 1;
    if (this.#lastAll[gram] !== mark) {
      this.#lastAll[gram] = mark;
      this.all[gram]! += 1;
    }
    if (start < taglines[mark - 1]! && this.#lastTitles[gram] !== mark) {
      this.#lastTitles[gram] = mark;
      this.#titles[gram]! += 1;
    }
  }

  finish(grams: number): GramCounts {
    return { all: this.all.slice(0, grams), titles: this.#titles.slice(0, grams) };
  }

  #enlarge(least: number): void {
    const length = Math.max(least, 2 * this.all.length);
    this.all = enlarged(this.all, length);
    this.#titles = enlarged(this.#titles, length);
    this.#lastAll = enlarged(this.#lastAll, length);
    this.#lastTitles = enlarged(this.#lastTitles, length);
  }
}

/** Returns the pieces of GRAM_MAX units whose grams are extended. */
function commonPieces(
  { units, names }: FoldedText,
  { table }: GramNumbering,
  counts: Uint32Array,
  scratch: Scratch,
): Pieces {
  const found = { starts: scratch.u32(units.length), grams: scratch.u32(units.length) };
  let count = 0;
  // The grams of the one unit and of the two units before the current one.
  let single = ROOT;
  let pair = ROOT;
  let length = 0;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]!;
    if (endsField(units, at)) {
      length = 0;
      continue;
    }
    length += 1;
    const gram = length < GRAM_MAX ? NO_GRAM : stepGram(table, pair, unit);
    pair = length < 2 ? NO_GRAM : stepGram(table, single, unit);
    single = stepGram(table, ROOT, unit);
    if (gram === NO_GRAM || !isExtended(GRAM_MAX, counts[gram]!, names.length)) continue;
    found.starts[count] = at + 1 - GRAM_MAX;
    found.grams[count] = gram;
    count += 1;
  }
  return { starts: found.starts.subarray(0, count), grams: found.grams.subarray(0, count) };
}

/** Reads the grams of more than GRAM_MAX units listing by listing, each gram once. */
export class ExtendedRows {
  readonly #text: FoldedText;
  readonly #extended: ExtendedGrams;
  readonly #parents: readonly number[];
  /** The first unread piece. */
  #next = 0;
  /** By gram, the last listing whose row contains it, plus 1. */
  readonly #last: Uint32Array;
  #row: Uint32Array = new Uint32Array(1 << 8);
  #length = 0;

  /** @param parents by gram, the gram without its last unit */
  constructor(text: FoldedText, extended: ExtendedGrams, parents: readonly number[]) {
    this.#text = text;
    this.#extended = extended;
    this.#parents = parents;
    this.#last = new Uint32Array(extended.counts.all.length);
  }

  /** The row that was read last; only its first `end` entries are valid. */
  get row(): Uint32Array {
    return this.#row;
  }

  /**
   * Reads a listing's row. Listings must come in the order of their numbers.
   * @returns `titleEnd`, the end of the row's grams of host or name, and `end`, the end of its grams of any field
   */
  read(number: number): { readonly titleEnd: number; readonly end: number } {
    const { hosts, taglines } = this.#text;
    this.#length = 0;
    this.#readTo(taglines[number]!, number);
    const titleEnd = this.#length;
    this.#readTo(hosts[number + 1]!, number);
    return { titleEnd, end: this.#length };
  }

  /** Reads the pieces that start before `end`. */
  #readTo(end: number, number: number): void {
    const { pieces, first } = this.#extended;
    const { starts, grams } = pieces;
    const mark = number + 1;
    for (; this.#next < starts.length && starts[this.#next]! < end; this.#next += 1) {
      let gram = grams[this.#next]!;
      // A gram that is in the row already has its parents there, too.
      for (; gram >= first && this.#last[gram] !== mark; gram = this.#parents[gram]!) {
        this.#last[gram] = mark;
        if (this.#length === this.#row.length) this.#row = enlarged(this.#row, this.#length * 2);
        this.#row[this.#length] = gram;
        this.#length += 1;
      }
    }
  }
}
