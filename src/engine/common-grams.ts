import { GRAM_MAX } from "../columns/gram-rows.js";
import { FIELD_END } from "../columns/listings.js";
import { wordsFor } from "./bitmap.js";
import { type GramNumbering, type GramTable, ROOT, stepGram } from "./grams.js";
import type { FoldedText } from "./text.js";

/*
 * A piece of which every gram is in a third of the listings would have to be sought in the text of a third of
 * them. So a gram that is common is extended: its continuations by one unit are grams too, and theirs where
 * they are common still. A piece then is a gram itself, or one of its grams is in few listings.
 */

/** Units beyond which no gram is extended: a text that all listings share must not cost its square. */
const LONGEST = 12;

/**
 * Whether the continuations of a gram are grams: of `length` units, in `count` of `size` listings. Common is
 * what a bitmap holds in fewer words.
 */
export function isExtended(length: number, count: number, size: number): boolean {
  return length < GRAM_MAX || (length < LONGEST && count > wordsFor(size));
}

/** By gram, how many listings hold it in any field, and in host or name. */
interface GramCounts {
  readonly all: Uint32Array;
  readonly titles: Uint32Array;
}

/**
 * Numbers the grams of more than GRAM_MAX units, length by length.
 * @param counts of the grams that are numbered already
 * @returns counts of all grams
 */
export function extendGrams(
  text: FoldedText,
  numbering: GramNumbering,
  counts: GramCounts,
): GramCounts {
  const { units, hosts, taglines, names } = text;
  const size = names.length;
  let { all, titles } = counts;
  const last = { all: new Uint32Array(0), titles: new Uint32Array(0) };
  // Where pieces start that are common so far, and the grams that they are.
  const [starts, grams] = commonPieces(text, numbering.table, all);
  let pieces = starts.length;
  for (let length = GRAM_MAX + 1; pieces > 0; length += 1) {
    const known = numbering.count;
    let number = 0;
    let longer = 0;
    for (let at = 0; at < pieces; at += 1) {
      const start = starts[at]!;
      const unit = units[start + length - 1]!;
      if (unit === FIELD_END) continue;
      starts[longer] = start;
      grams[longer] = numbering.step(grams[at]!, unit);
      longer += 1;
    }
    const fresh = numbering.count - known;
    [all, titles] = [enlarged(all, numbering.count), enlarged(titles, numbering.count)];
    [last.all, last.titles] = [new Uint32Array(fresh), new Uint32Array(fresh)];
    for (let at = 0; at < longer; at += 1) {
      const [start, gram] = [starts[at]!, grams[at]!];
      while (hosts[number + 1]! <= start) number += 1;
      countOnce(all, last.all, gram, known, number);
      if (start < taglines[number]!) countOnce(titles, last.titles, gram, known, number);
    }
    pieces = 0;
    for (let at = 0; at < longer; at += 1) {
      if (!isExtended(length, all[grams[at]!]!, size)) continue;
      starts[pieces] = starts[at]!;
      grams[pieces] = grams[at]!;
      pieces += 1;
    }
  }
  return { all, titles };
}

/** @param last by gram from `first` on, the last listing that was counted, plus 1 */
function countOnce(
  counts: Uint32Array,
  last: Uint32Array,
  gram: number,
  first: number,
  number: number,
): void {
  if (last[gram - first] === number + 1) return;
  last[gram - first] = number + 1;
  counts[gram]! += 1;
}

/** Where a gram of GRAM_MAX units starts that is extended, and the gram. */
function commonPieces(
  { units, names }: FoldedText,
  table: GramTable,
  counts: Uint32Array,
): [starts: Uint32Array, grams: Uint32Array] {
  const size = names.length;
  const starts = new Uint32Array(units.length);
  const grams = new Uint32Array(units.length);
  let pieces = 0;
  for (let start = 0; start < units.length; start += 1) {
    let gram = ROOT;
    let length = 0;
    while (length < GRAM_MAX) {
      const unit = units[start + length]!;
      if (unit === FIELD_END) break;
      gram = stepGram(table, gram, unit);
      length += 1;
      if (!isExtended(GRAM_MAX, counts[gram]!, size)) break;
    }
    if (length < GRAM_MAX || !isExtended(GRAM_MAX, counts[gram]!, size)) continue;
    starts[pieces] = start;
    grams[pieces] = gram;
    pieces += 1;
  }
  return [starts.slice(0, pieces), grams.slice(0, pieces)];
}

function enlarged(array: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}

/** The grams of more than GRAM_MAX units of one listing after the other, each once. */
export class ExtendedRow {
  readonly #text: FoldedText;
  readonly #table: GramTable;
  readonly #counts: Uint32Array;
  /** By gram, the last listing whose row has it, plus 1. */
  readonly #last: Uint32Array;
  #grams: Uint32Array = new Uint32Array(1 << 8);
  #length = 0;

  /** @param counts of all grams, by listings that hold them in any field */
  constructor(text: FoldedText, table: GramTable, counts: Uint32Array) {
    this.#text = text;
    this.#table = table;
    this.#counts = counts;
    this.#last = new Uint32Array(counts.length);
  }

  get grams(): Uint32Array {
    return this.#grams;
  }

  /** Reads a listing's grams; of the row, `titleEnd` are of host and name, `end` of any field. */
  read(number: number): { readonly titleEnd: number; readonly end: number } {
    const { hosts, taglines } = this.#text;
    this.#length = 0;
    this.#readUnits(hosts[number]!, taglines[number]!, number);
    const titleEnd = this.#length;
    this.#readUnits(taglines[number]!, hosts[number + 1]!, number);
    return { titleEnd, end: this.#length };
  }

  #readUnits(from: number, to: number, number: number): void {
    const { units, names } = this.#text;
    for (let start = from; start < to; start += 1) {
      let gram = ROOT;
      for (let at = start; units[at] !== FIELD_END; at += 1) {
        gram = stepGram(this.#table, gram, units[at]!);
        const length = at + 1 - start;
        if (length > GRAM_MAX) this.#add(gram, number);
        // What continues a rare gram is rarer still.
        if (!isExtended(Math.max(length, GRAM_MAX), this.#counts[gram]!, names.length)) break;
      }
    }
  }

  #add(gram: number, number: number): void {
    if (this.#last[gram] === number + 1) return;
    this.#last[gram] = number + 1;
    if (this.#length === this.#grams.length) {
      this.#grams = enlarged(this.#grams, this.#length * 2);
    }
    this.#grams[this.#length] = gram;
    this.#length += 1;
  }
}
