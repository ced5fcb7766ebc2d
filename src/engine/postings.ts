import { enlarged, type PackedSets, type Permutation, Scratch, SetPacker } from "./sets.js";
import {
  endsField,
  type FoldedText,
  GRAM_MAX,
  GramNumbering,
  type GramTable,
  isExtended,
  NO_GRAM,
  ROOT,
  stepGram,
} from "./text.js";

/*
 * Makes the postings of a text. A posting is the set of listings that contain a gram in one of the fields that a read
 * searches. Search and suggestions look at different fields, so each has its own postings. Those of suggestions hold
 * ranks in the host order, which is the order of their answers, so that the first five matches are enough.
 */

/** By gram, the number of listings that contain it: in any field, and in host or name. */
export interface GramCounts {
  readonly all: Uint32Array;
  readonly titles: Uint32Array;
}

/** For each listing, the grams of at most GRAM_MAX units that its fields contain. */
export interface GramRows {
  readonly numbering: GramNumbering;
  readonly counts: GramCounts;
  /** Where each listing's row starts in `grams`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Where the grams of host and name end in each row. The grams that only the tagline has follow. */
  readonly titleEnds: Uint32Array;
  /** No gram appears twice in a row. */
  readonly grams: Uint32Array;
}

/** Numbers and counts the grams of a text, listing by listing. */
export function gramRows({ units, hosts, names, taglines }: FoldedText): GramRows {
  const size = names.length;
  // The entries that are never written take no memory.
  const grams = new GramCounter(new Uint32Array(GRAM_MAX * units.length));
  const starts = new Uint32Array(size + 1);
  const titleEnds = new Uint32Array(size);
  for (let number = 0; number < size; number += 1) {
    grams.beginRow();
    grams.addField(units, hosts[number]!, names[number]!);
    grams.addField(units, names[number]!, taglines[number]!);
    titleEnds[number] = grams.endTitles();
    grams.addField(units, taglines[number]!, hosts[number + 1]!);
    starts[number + 1] = grams.end;
  }
  return { ...grams.finish(), starts, titleEnds };
}

/** Adds the grams of one listing after another to rows, each gram once. */
class GramCounter {
  readonly #numbering = new GramNumbering();
  readonly #rows: Uint32Array;
  /** By gram, the last row that has it, counted from 1. */
  #lastRows: Uint32Array = new Uint32Array(1 << 12);
  #all: Uint32Array = new Uint32Array(1 << 12);
  #titles: Uint32Array = new Uint32Array(1 << 12);
  #row = 0;
  #start = 0;
  #end = 0;

  /** @param rows is long enough for the grams of all rows */
  constructor(rows: Uint32Array) {
    this.#rows = rows;
  }

  /** The end of the row in `rows`. */
  get end(): number {
    return this.#end;
  }

  beginRow(): void {
    this.#row += 1;
    this.#start = this.#end;
  }

  /** Adds the grams of a field, which one more unit ends at `end` - 1. */
  addField(units: Uint16Array, start: number, end: number): void {
    const last = end - 1;
    const numbering = this.#numbering;
    for (let at = start; at < last; at += 1) {
      const single = numbering.step(ROOT, units[at]!);
      const pair = at + 1 < last ? numbering.step(single, units[at + 1]!) : single;
      const gram = at + 2 < last ? numbering.step(pair, units[at + 2]!) : pair;
      // A row that has a gram has the gram's beginnings, too.
      if (!this.#add(gram)) continue;
      this.#add(pair);
      this.#add(single);
    }
  }

  /** Counts the row's grams so far as those of host and name. @returns their end in `rows` */
  endTitles(): number {
    for (let at = this.#start; at < this.#end; at += 1) this.#titles[this.#rows[at]!]! += 1;
    return this.#end;
  }

  finish(): Pick<GramRows, "numbering" | "counts" | "grams"> {
    const numbering = this.#numbering;
    const { count } = numbering;
    const counts = { all: this.#all.slice(0, count), titles: this.#titles.slice(0, count) };
    return { numbering, counts, grams: this.#rows.subarray(0, this.#end) };
  }

  /** @returns whether the row did not have the gram yet */
  #add(gram: number): boolean {
    if (gram >= this.#lastRows.length) this.#enlarge();
    if (this.#lastRows[gram] === this.#row) return false;
    this.#lastRows[gram] = this.#row;
    this.#all[gram]! += 1;
    this.#rows[this.#end] = gram;
    this.#end += 1;
    return true;
  }

  #enlarge(): void {
    const length = 2 * this.#numbering.count;
    this.#lastRows = enlarged(this.#lastRows, length);
    this.#all = enlarged(this.#all, length);
    this.#titles = enlarged(this.#titles, length);
  }
}

/*
 * If every gram of a piece were in a third of the listings, the search would have to read the text of a third of them.
 * So common grams are extended: their continuations by one unit are grams too, and if those are still common, so are
 * their own continuations. As a result a piece is a gram itself, or one of its grams is in few listings.
 */

/** The pieces of the text that begin with a common gram of GRAM_MAX units. */
interface Pieces {
  /** Their start positions, ascending. */
  readonly starts: Uint32Array;
  /** By piece, the longest gram that starts there. Its shorter beginnings are its parents in the numbering. */
  readonly grams: Uint32Array;
}

/** The grams of more than GRAM_MAX units. */
interface ExtendedGrams {
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
function extendGrams(
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
class ExtendedRows {
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
