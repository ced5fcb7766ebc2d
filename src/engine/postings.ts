import type { GramRows } from "../columns/gram-rows.js";
import { GramNumbering, type GramTable, NO_GRAM, ROOT, stepGram } from "../columns/grams.js";
import { foldText } from "../contract/fold.js";
import { ExtendedRows, extendGrams, isExtended } from "./common-grams.js";
import { type PackedSets, packedSet, renumber, SetPacker } from "./packed-sets.js";
import type { Roster } from "./roster.js";
import type { Scratch } from "./scratch.js";
import {
  EMPTY,
  eachNumber,
  filterSet,
  intersect,
  type ListingSet,
  type NumberRange,
} from "./sets.js";
import { type Fields, type FoldedText, seek, unitsOf } from "./text.js";

/*
 * A posting is the set of listings of which a field holds a gram. Where a piece is a gram itself, its posting
 * is the answer; else the piece can only be where all its grams are, and what their postings share is
 * checked against the text. Search and suggestions look at different fields, so each has its postings.
 */

export interface Postings {
  readonly grams: GramTable;
  /** Listings by gram of any field. */
  readonly all: PackedSets;
  /** Listings by gram of host or name. */
  readonly titles: PackedSets;
}

/**
 * Postings of a long piece that are intersected before its candidates are checked. The shortest ones
 * leave out the most, each further one less; anything from 3 to 24 measured the same.
 */
const LEADING_GRAMS = 6;

/** Makes the postings from the buckets' rows of grams, and of the text what is in common grams. */
export function gatherPostings(
  { size, buckets, bucketOf, rowOf }: Roster,
  text: FoldedText,
  scratch: Scratch,
): Postings {
  const numbering = new GramNumbering();
  const numbersOf = buckets.map(({ grams }) => numberGrams(grams, numbering));
  const counts = {
    all: new Uint32Array(numbering.count),
    titles: new Uint32Array(numbering.count),
  };
  const isNarrow = numbering.count <= 0x10000;
  const rows = buckets.map(({ grams }, bucket) => {
    const { length } = grams.grams;
    const into = isNarrow ? scratch.u16(length) : scratch.u32(length);
    const numbered = renumber(grams.grams, numbersOf[bucket]!, counts.all, into);
    countTitles(grams, numbered, counts.titles);
    return numbered;
  });
  const extended = extendGrams(text, numbering, counts, scratch);
  const longer = new ExtendedRows(text, extended);
  const all = new SetPacker(size, extended.counts.all, numbering.parents);
  const titles = new SetPacker(size, extended.counts.titles, numbering.parents);
  for (let number = 0; number < size; number += 1) {
    const bucket = bucketOf[number]!;
    const { starts, titleEnds } = buckets[bucket]!.grams;
    const row = rowOf[number]!;
    titles.add(number, rows[bucket]!, starts[row]!, titleEnds[row]!);
    all.add(number, rows[bucket]!, starts[row]!, starts[row + 1]!);
    const { titleEnd, end } = longer.read(number);
    titles.add(number, longer.row, 0, titleEnd);
    all.add(number, longer.row, 0, end);
  }
  return { grams: numbering.table, all: all.finish(), titles: titles.finish() };
}

/** The numbers of a bucket's grams. */
function numberGrams({ parents, units }: GramRows, numbering: GramNumbering): Uint32Array {
  const numbers = new Uint32Array(parents.length);
  for (let gram = 0; gram < parents.length; gram += 1) {
    const parent = parents[gram]!;
    numbers[gram] = numbering.step(parent === 0 ? ROOT : numbers[parent - 1]!, units[gram]!);
  }
  return numbers;
}

/** Counts the rows of titles of each gram. @param rows a bucket's, by the grams' numbers */
function countTitles(
  { starts, titleEnds }: GramRows,
  rows: Uint16Array | Uint32Array,
  counts: Uint32Array,
): void {
  for (let row = 0; row < titleEnds.length; row += 1) {
    for (let at = starts[row]!; at < titleEnds[row]!; at += 1) counts[rows[at]!]! += 1;
  }
}

/** Where a piece of text is: in the listings of all `sets` that pass `check`, where there is one. */
interface Candidates {
  readonly sets: readonly ListingSet[];
  readonly check: ((number: number) => boolean) | undefined;
}

/** A text of which a gram is nowhere. */
const NOWHERE: Candidates = { sets: [EMPTY], check: undefined };

/** Finds pieces of text in one read's fields. */
export class Finder {
  readonly #text: FoldedText;
  readonly #grams: GramTable;
  /** By gram, how many listings hold it in any field: says which grams are extended. */
  readonly #counts: Uint32Array;
  readonly #sets: PackedSets;
  readonly #fields: Fields;
  readonly #size: number;

  constructor(text: FoldedText, postings: Postings, fields: Fields) {
    this.#text = text;
    this.#grams = postings.grams;
    this.#counts = postings.all.counts;
    this.#sets = postings[fields];
    this.#fields = fields;
    this.#size = text.names.length;
  }

  /** Where a text, which is not empty, may be; in any case (decisions, Text matching). */
  candidates(text: string): Candidates {
    const piece = unitsOf(foldText(text));
    const grams: number[] = [];
    let covered = 0;
    for (let start = 0; covered < piece.length; start += 1) {
      let gram = ROOT;
      let end = start;
      do {
        gram = stepGram(this.#grams, gram, piece[end]!);
        if (gram === NO_GRAM) return NOWHERE;
        end += 1;
      } while (end < piece.length && isExtended(end - start, this.#counts[gram]!, this.#size));
      // A gram that ends where the one before did is a part of it, and says no more.
      if (end > covered) grams.push(gram);
      covered = end;
    }
    const sets = (some: readonly number[]) =>
      some.map((gram) => packedSet(this.#sets, this.#size, gram));
    if (grams.length === 1) return { sets: sets(grams), check: undefined };
    const count = (gram: number) => this.#sets.counts[gram] ?? 0;
    const leading = grams.sort((a, b) => count(a) - count(b)).slice(0, LEADING_GRAMS);
    return {
      sets: sets(leading),
      check: seek(this.#text, this.#fields, piece),
    };
  }

  /**
   * Whether any listing holds a text, which is not empty; of those that may, none after the first `most`
   * is looked at.
   */
  hasAny(text: string, most = this.#size): boolean {
    const { sets, check } = this.candidates(text);
    const shared = intersect(this.#size, sets, { from: 0, to: this.#size });
    if (check === undefined) return shared.count > 0;
    let found = false;
    let left = most;
    eachNumber(shared, (number) => {
      left -= 1;
      found = check(number);
      return !found && left > 0;
    });
    return found;
  }
}

/** The listings of a range that are in every set and, where a text is sought, hold it. */
export function select(
  size: number,
  sets: readonly ListingSet[],
  range: NumberRange,
  text?: Candidates,
): ListingSet {
  if (text === undefined) return intersect(size, sets, range);
  const shared = intersect(size, [...sets, ...text.sets], range);
  return text.check === undefined ? shared : filterSet(size, shared, text.check);
}
