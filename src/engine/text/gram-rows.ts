import { narrowColumn } from "../../store/columns/file.js";
import { GramNumbering, ROOT } from "./grams.js";

/*
 * Every substring of 1, 2 or 3 code units of a field is a gram. A segment numbers its own grams, each one
 * after its parent, which is the gram without its last unit. For each listing, the segment lists the
 * listing's grams. The engine then looks a gram up once for each segment, instead of once for each of a
 * thousand occurrences.
 */

/** Code units of the longest gram. */
export const GRAM_MAX = 3;

export interface GramRows {
  /** By gram: its parent's number plus 1 (0 if the gram is one unit long), and its last unit. */
  readonly parents: Uint32Array;
  readonly units: Uint16Array;
  /** Where each listing's row starts in `grams`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Where the grams of host and name end in each row. The grams that only the tagline has follow. */
  readonly titleEnds: Uint32Array;
  /** No gram appears twice in a row. */
  readonly grams: Uint16Array | Uint32Array;
}

/** The fields of a listing: host and name, which suggestions search, and all three with the tagline. */
const [TITLES, ALL] = [2, 3];

/**
 * @param units the fields of all listings, each ended by one unit that is in no gram
 * @param fields where each field starts: three fields for each listing, and one more entry
 */
export function gramRows(units: Uint16Array, fields: Uint32Array): GramRows {
  const size = (fields.length - 1) / ALL;
  const numbering = new GramNumbering();
  /** By gram, the last row that has it, plus 1. */
  const lastRows: number[] = [];
  const starts = new Uint32Array(size + 1);
  const titleEnds = new Uint32Array(size);
  const grams: number[] = [];
  for (let row = 0; row < size; row += 1) {
    for (let field = 0; field < ALL; field += 1) {
      if (field === TITLES) titleEnds[row] = grams.length;
      const [start, end] = [fields[ALL * row + field]!, fields[ALL * row + field + 1]! - 1];
      for (let at = start; at < end; at += 1) {
        let gram = ROOT;
        const last = Math.min(at + GRAM_MAX, end);
        for (let next = at; next < last; next += 1) {
          gram = numbering.step(gram, units[next]!);
          if (lastRows[gram] === row + 1) continue;
          lastRows[gram] = row + 1;
          grams.push(gram);
        }
      }
    }
    starts[row + 1] = grams.length;
  }
  return {
    parents: Uint32Array.from(numbering.parents, (parent) => parent - ROOT),
    units: Uint16Array.from(numbering.units),
    starts,
    titleEnds,
    grams: narrowColumn(grams, numbering.count),
  };
}
