import type { GramRows } from "../columns/gram-rows.js";
import { GramNumbering, type GramTable, NO_GRAM, ROOT, stepGram } from "../columns/grams.js";
import { foldText } from "../contract/fold.js";
import { ExtendedRows, extendGrams, isExtended } from "./common-grams.js";
import type { Permutation } from "./order.js";
import { type PackedSets, packedSet, renumber, SetPacker } from "./packed-sets.js";
import type { Roster } from "./roster.js";
import type { Scratch } from "./scratch.js";
import {
  EMPTY,
  eachCommon,
  filterSet,
  intersect,
  type ListingSet,
  type NumberRange,
} from "./sets.js";
import { type Fields, type FoldedText, seek, unitsOf } from "./text.js";
import type { Workspace } from "./workspace.js";

/*
 * A posting is the set of listings of which a field holds a gram. Where a piece is a gram itself, its posting
 * is the answer; else the piece can only be where all its grams are, and what their postings share is
 * checked against the text. Search and suggestions look at different fields, so each has its postings: those
 * of suggestions hold places in the host order, the order of their answers, so that the first five are enough.
 */

export interface Postings {
  readonly grams: GramTable;
  /** Listings by gram of any field. */
  readonly all: PackedSets;
  /** Places in the host order by gram of host or name. */
  readonly titles: PackedSets;
}

/**
 * Postings of a long piece that are intersected before its candidates are checked. The shortest ones
 * leave out the most, each further one less; anything from 3 to 24 measured the same.
 */
const LEADING_GRAMS = 6;

/** Makes the postings from the buckets' rows of grams, and of the text what is in common grams. */
export function gatherPostings(
  { size, buckets, bucketOf, rowOf, orders }: Roster,
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
  const short = numbering.count;
  const extended = extendGrams(text, numbering, counts, scratch);
  const longer = new ExtendedRows(text, extended);
  const longerTitles = scratch.u32(sum(extended.counts.titles.subarray(short)));
  const longerStarts = scratch.u32(size + 1);
  const all = new SetPacker(size, extended.counts.all, numbering.parents);
  for (let number = 0; number < size; number += 1) {
    const bucket = bucketOf[number]!;
    const { starts } = buckets[bucket]!.grams;
    const row = rowOf[number]!;
    all.add(number, rows[bucket]!, starts[row]!, starts[row + 1]!);
    const { titleEnd, end } = longer.read(number);
    all.add(number, longer.row, 0, end);
    const start = longerStarts[number]!;
    for (let at = 0; at < titleEnd; at += 1) longerTitles[start + at] = longer.row[at]!;
    longerStarts[number + 1] = start + titleEnd;
  }
  const titles = new SetPacker(size, extended.counts.titles, numbering.parents);
  for (let place = 0; place < size; place += 1) {
    const number = orders.host.numbers[place]!;
    const bucket = bucketOf[number]!;
    const { starts, titleEnds } = buckets[bucket]!.grams;
    const row = rowOf[number]!;
    titles.add(place, rows[bucket]!, starts[row]!, titleEnds[row]!);
    titles.add(place, longerTitles, longerStarts[number]!, longerStarts[number + 1]!);
  }
  return { grams: numbering.table, all: all.finish(), titles: titles.finish() };
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
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
  /** The text's folded units. */
  readonly piece: Uint16Array;
  readonly sets: readonly ListingSet[];
  readonly check: ((member: number) => boolean) | undefined;
}

/** Finds pieces of text in one read's fields; what it finds are members of that read's postings. */
export class Finder {
  readonly #text: FoldedText;
  readonly #grams: GramTable;
  /** By gram, how many listings hold it in any field: says which grams are extended. */
  readonly #counts: Uint32Array;
  readonly #sets: PackedSets;
  readonly #fields: Fields;
  /** By member, its listing, where members are places. */
  readonly #listings: Uint32Array | undefined;
  readonly #size: number;

  /** @param hostOrder titles are found by their places in it */
  constructor(
    text: FoldedText,
    postings: Postings,
    fields: Fields,
    hostOrder: Pick<Permutation, "numbers">,
  ) {
    this.#text = text;
    this.#grams = postings.grams;
    this.#counts = postings.all.counts;
    this.#sets = postings[fields];
    this.#fields = fields;
    this.#listings = fields === "titles" ? hostOrder.numbers : undefined;
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
        if (gram === NO_GRAM) return { piece, sets: [EMPTY], check: undefined };
        end += 1;
      } while (end < piece.length && isExtended(end - start, this.#counts[gram]!, this.#size));
      // A gram that ends where the one before did is a part of it, and says no more.
      if (end > covered) grams.push(gram);
      covered = end;
    }
    const sets = (some: readonly number[]) =>
      some.map((gram) => packedSet(this.#sets, this.#size, gram));
    if (grams.length === 1) return { piece, sets: sets(grams), check: undefined };
    const count = (gram: number) => this.#sets.counts[gram] ?? 0;
    const leading = grams.sort((a, b) => count(a) - count(b)).slice(0, LEADING_GRAMS);
    return { piece, sets: sets(leading), check: this.#holds(piece) };
  }

  /**
   * Whether any listing holds a text, which is not empty; of those that may, none after the first `most`
   * is looked at.
   */
  hasAny(text: string, most = this.#size): boolean {
    const { sets, check } = this.candidates(text);
    let found = false;
    let left = most;
    eachCommon(sets, (member) => {
      left -= 1;
      found = check === undefined || check(member);
      return !found && left > 0;
    });
    return found;
  }

  #holds(piece: Uint16Array): (member: number) => boolean {
    const holds = seek(this.#text, this.#fields, piece);
    const listings = this.#listings;
    return listings === undefined ? holds : (place) => holds(listings[place]!);
  }
}

/** The listings of a range that are in every set and, where a text is sought, hold it. */
export function select(
  space: Workspace,
  sets: readonly ListingSet[],
  range: NumberRange,
  text?: Candidates,
): ListingSet {
  if (text === undefined) return intersect(space, sets, range);
  const shared = intersect(space, [...sets, ...text.sets], range);
  return text.check === undefined ? shared : filterSet(space, shared, text.check);
}
