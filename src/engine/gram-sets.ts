import type { GramRows } from "../columns/gram-rows.js";
import { GramNumbering, type GramTable, ROOT } from "../columns/grams.js";
import { ExtendedRows, extendGrams } from "./common-grams.js";
import { type PackedSets, renumber, SetPacker } from "./packed-sets.js";
import type { Roster, RosterOrder } from "./roster.js";
import type { Scratch } from "./scratch.js";
import type { FoldedText } from "./text.js";

/*
 * A posting is the set of listings of which a field holds a gram. Search and suggestions look at different
 * fields, so each has its postings: those of suggestions hold places in the host order, the order of their
 * answers, so that the first five are enough.
 *
 * They are made in two steps. The short grams alone find everything, exactly; the longer ones, which take as
 * long again to make, spare the reading of candidates where all short grams of a text are common. So a runtime
 * that has nothing to answer from yet does not wait for them.
 */

/** Postings by gram. */
export interface GramSets {
  /** Listings, of any field. */
  readonly all: PackedSets;
  /** Places in the host order, of host or name. */
  readonly titles: PackedSets;
}

export interface Postings {
  /** Knows the grams that have postings, and no others. */
  readonly grams: GramTable;
  /** Of the grams of up to GRAM_MAX units. */
  readonly short: GramSets;
}

/** What the second step adds. */
export interface LongerGrams {
  /** Knows these grams, too. */
  readonly grams: GramTable;
  /** Of the grams that come after the short ones. */
  readonly longer: GramSets;
}

/** Makes postings, step by step. */
export class GramGatherer {
  readonly #numbering = new GramNumbering();
  readonly #counts: { readonly all: Uint32Array; readonly titles: Uint32Array };
  /** By bucket, its rows of grams by their numbers. */
  readonly #rows: readonly (Uint16Array | Uint32Array)[];
  readonly #scratch: Scratch;

  /** Numbers and counts the grams of all buckets: for that, no order of their listings has to be known. */
  constructor(buckets: Roster["buckets"], scratch: Scratch) {
    this.#scratch = scratch;
    const numbersOf = buckets.map(({ grams }) => numberGrams(grams, this.#numbering));
    const { count } = this.#numbering;
    const counts = { all: new Uint32Array(count), titles: new Uint32Array(count) };
    const isNarrow = count <= 0x10000;
    this.#rows = buckets.map(({ grams }, bucket) => {
      const { length } = grams.grams;
      const into = isNarrow ? scratch.u16(length) : scratch.u32(length);
      const numbered = renumber(grams.grams, numbersOf[bucket]!, counts.all, into);
      countTitles(grams, numbered, counts.titles);
      return numbered;
    });
    this.#counts = counts;
  }

  /** The first step. What it returns is not used here any more. */
  short({ size, buckets, bucketOf, rowOf, orders }: Roster): Postings {
    const { parents, table } = this.#numbering;
    const all = new SetPacker(size, this.#counts.all.slice(), parents);
    for (let number = 0; number < size; number += 1) {
      const bucket = bucketOf[number]!;
      const { starts } = buckets[bucket]!.grams;
      const row = rowOf[number]!;
      all.add(number, this.#rows[bucket]!, starts[row]!, starts[row + 1]!);
    }
    const titles = new SetPacker(size, this.#counts.titles.slice(), parents);
    for (let place = 0; place < size; place += 1) {
      const number = orders.host.numbers[place]!;
      const bucket = bucketOf[number]!;
      const { starts, titleEnds } = buckets[bucket]!.grams;
      const row = rowOf[number]!;
      titles.add(place, this.#rows[bucket]!, starts[row]!, titleEnds[row]!);
    }
    const short = { all: all.finish(), titles: titles.finish() };
    return { grams: { slots: table.slots.slice() }, short };
  }

  /** The second step. */
  longer({ size, orders }: RosterOrder, text: FoldedText): LongerGrams {
    const first = this.#numbering.count;
    const extended = extendGrams(text, this.#numbering, this.#counts, this.#scratch);
    const rows = new ExtendedRows(text, extended, first);
    const parents = this.#numbering.parents.slice(first).map((parent) => parent - first);
    const counts = {
      all: extended.counts.all.slice(first),
      titles: extended.counts.titles.slice(first),
    };
    const titleRows = this.#scratch.u32(sum(counts.titles));
    const titleStarts = this.#scratch.u32(size + 1);
    const all = new SetPacker(size, counts.all, parents);
    for (let number = 0; number < size; number += 1) {
      const { titleEnd, end } = rows.read(number);
      all.add(number, rows.row, 0, end);
      const start = titleStarts[number]!;
      for (let at = 0; at < titleEnd; at += 1) titleRows[start + at] = rows.row[at]!;
      titleStarts[number + 1] = start + titleEnd;
    }
    const titles = new SetPacker(size, counts.titles, parents);
    for (let place = 0; place < size; place += 1) {
      const number = orders.host.numbers[place]!;
      titles.add(place, titleRows, titleStarts[number]!, titleStarts[number + 1]!);
    }
    return {
      grams: this.#numbering.table,
      longer: { all: all.finish(), titles: titles.finish() },
    };
  }
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
