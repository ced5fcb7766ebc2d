import type { Permutation } from "../order/order.js";
import { type PackedSets, SetPacker } from "../sets/packed-sets.js";
import { Scratch } from "../sets/scratch.js";
import { ExtendedRows, extendGrams } from "./common-grams.js";
import type { GramRows } from "./gram-rows.js";
import type { GramTable } from "./grams.js";
import type { FoldedText } from "./text.js";

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

/** Bytes of temporary memory for each unit of text: two lists of pieces, and the rows of titles. */
const SCRATCH_A_UNIT = 16;

/**
 * Makes the postings of a text: adds the longer grams to the short ones, and packs all of them.
 * @param short what `gramRows` returns for the text; more grams are numbered in it
 * @param hostOrder the listings by host
 */
export function postingsOf(text: FoldedText, short: GramRows, hostOrder: Permutation): Postings {
  const size = text.names.length;
  const scratch = new Scratch(SCRATCH_A_UNIT * text.units.length);
  const extended = extendGrams(text, short.numbering, short.counts, scratch);
  const { parents, table } = short.numbering;
  const long = new ExtendedRows(text, extended, parents);
  const longTitles = extended.counts.titles.subarray(short.counts.titles.length);
  const titleRows = scratch.u32(longTitles.reduce((sum, count) => sum + count, 0));
  const titleStarts = scratch.u32(size + 1);
  const all = new SetPacker(size, extended.counts.all, parents);
  for (let number = 0; number < size; number += 1) {
    all.add(number, short.grams, short.starts[number]!, short.starts[number + 1]!);
    const { titleEnd, end } = long.read(number);
    all.add(number, long.row, 0, end);
    const start = titleStarts[number]!;
    for (let at = 0; at < titleEnd; at += 1) titleRows[start + at] = long.row[at]!;
    titleStarts[number + 1] = start + titleEnd;
  }
  const titles = new SetPacker(size, extended.counts.titles, parents);
  for (let rank = 0; rank < size; rank += 1) {
    const number = hostOrder.numbers[rank]!;
    titles.add(rank, short.grams, short.starts[number]!, short.titleEnds[number]!);
    titles.add(rank, titleRows, titleStarts[number]!, titleStarts[number + 1]!);
  }
  return { grams: table, all: all.finish(), titles: titles.finish() };
}
