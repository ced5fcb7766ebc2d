import { enlarged } from "../sets/packed-sets.js";
import { GRAM_MAX, GramNumbering, ROOT } from "./grams.js";
import type { FoldedText } from "./text.js";

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
