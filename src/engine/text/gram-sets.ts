import type { Ranking } from "../order/ranking.js";
import { type PackedSets, renumber, SetPacker } from "../sets/packed-sets.js";
import { Scratch } from "../sets/scratch.js";
import { ExtendedRows, extendGrams } from "./common-grams.js";
import type { GramRows } from "./gram-rows.js";
import { GramNumbering, type GramTable, ROOT } from "./grams.js";
import { gatherText, textLength } from "./text.js";

/*
 * A posting is the set of listings that contain a gram in one of the fields that a read searches. Search and
 * suggestions look at different fields, so each has its own postings. Those of suggestions hold ranks in the host
 * order, which is the order of their answers, so that the first five matches are enough.
 */

/** Postings by gram. */
export interface Postings {
  /** Contains exactly the grams that have postings. */
  readonly grams: GramTable;
  /** The listings that contain the gram in any field. */
  readonly all: PackedSets;
  /** The listings that contain the gram in host or name, as ranks in the host order. */
  readonly titles: PackedSets;
}

/** Bytes of temporary memory for each unit of text while postings are made. */
const SCRATCH_A_UNIT = 24;

/** Makes postings. Counts the short grams first, then adds the longer ones and packs all of them. */
export class GramGatherer {
  readonly #numbering = new GramNumbering();
  readonly #counts: { readonly all: Uint32Array; readonly titles: Uint32Array };
  readonly #grams: readonly GramRows[];
  /** By segment, its rows of gram numbers. */
  readonly #rows: readonly (Uint16Array | Uint32Array)[];
  readonly #scratch: Scratch;

  /**
   * Numbers and counts the grams of all segments. The order of the listings is not needed yet.
   * @param grams by segment, what `gramRows` returns
   */
  constructor(segments: Ranking["segments"], grams: readonly GramRows[]) {
    const scratch = new Scratch(SCRATCH_A_UNIT * textLength(segments));
    this.#scratch = scratch;
    this.#grams = grams;
    const numbersOf = grams.map((own) => numberGrams(own, this.#numbering));
    const { count } = this.#numbering;
    const counts = { all: new Uint32Array(count), titles: new Uint32Array(count) };
    const isNarrow = count <= 0x10000;
    this.#rows = grams.map((own, segment) => {
      const { length } = own.grams;
      const into = isNarrow ? scratch.u16(length) : scratch.u32(length);
      const numbered = renumber(own.grams, numbersOf[segment]!, counts.all, into);
      countTitles(own, numbered, counts.titles);
      return numbered;
    });
    this.#counts = counts;
  }

  /** Packs the postings in the order of the listings. Call it once. */
  finish(ranking: Ranking): Postings {
    const text = gatherText(ranking, this.#scratch.u16(textLength(ranking.segments)));
    const extended = extendGrams(text, this.#numbering, this.#counts, this.#scratch);
    const { parents, table } = this.#numbering;
    const rows = new ExtendedRows(text, extended, parents);
    const { size, segmentOf, rowOf, orders } = ranking;
    const longer = extended.counts.titles.subarray(this.#counts.titles.length);
    const titleRows = this.#scratch.u32(sum(longer));
    const titleStarts = this.#scratch.u32(size + 1);
    const all = new SetPacker(size, extended.counts.all, parents);
    for (let number = 0; number < size; number += 1) {
      const segment = segmentOf[number]!;
      const { starts } = this.#grams[segment]!;
      const row = rowOf[number]!;
      all.add(number, this.#rows[segment]!, starts[row]!, starts[row + 1]!);
      const { titleEnd, end } = rows.read(number);
      all.add(number, rows.row, 0, end);
      const start = titleStarts[number]!;
      for (let at = 0; at < titleEnd; at += 1) titleRows[start + at] = rows.row[at]!;
      titleStarts[number + 1] = start + titleEnd;
    }
    const titles = new SetPacker(size, extended.counts.titles, parents);
    for (let rank = 0; rank < size; rank += 1) {
      const number = orders.host.numbers[rank]!;
      const segment = segmentOf[number]!;
      const { starts, titleEnds } = this.#grams[segment]!;
      const row = rowOf[number]!;
      titles.add(rank, this.#rows[segment]!, starts[row]!, titleEnds[row]!);
      titles.add(rank, titleRows, titleStarts[number]!, titleStarts[number + 1]!);
    }
    return { grams: table, all: all.finish(), titles: titles.finish() };
  }
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Returns the numbers of a segment's grams. */
function numberGrams({ parents, units }: GramRows, numbering: GramNumbering): Uint32Array {
  const numbers = new Uint32Array(parents.length);
  for (let gram = 0; gram < parents.length; gram += 1) {
    const parent = parents[gram]!;
    numbers[gram] = numbering.step(parent === 0 ? ROOT : numbers[parent - 1]!, units[gram]!);
  }
  return numbers;
}

/**
 * Counts the titles that contain each gram.
 * @param rows a segment's rows of gram numbers
 */
function countTitles(
  { starts, titleEnds }: GramRows,
  rows: Uint16Array | Uint32Array,
  counts: Uint32Array,
): void {
  for (let row = 0; row < titleEnds.length; row += 1) {
    for (let at = starts[row]!; at < titleEnds[row]!; at += 1) counts[rows[at]!]! += 1;
  }
}
