import { type Texts, textAt } from "./texts.js";

/*
 * A quarter of a summary's JSON also appears in other listings: its category and its tags. Each of those pieces is in
 * memory once, and a listing refers to them; the rest is its own bytes. The listing's JSON is its own bytes up to the cut,
 * then its pieces, then its own bytes after the cut. Capabilities are not among the pieces: joining their many short ids
 * would take as long as the rest of a search.
 */

export interface SummaryRows {
  /** By listing, its own bytes. The last one is a comma after its JSON. */
  readonly own: Texts;
  /** By listing, how many of its own bytes come before its pieces. */
  readonly cuts: Uint16Array | Uint32Array;
  /** Where each listing's own bytes hold the fields that suggestions show: start and end of each field of SHOWN. */
  readonly shown: Uint16Array | Uint32Array;
  /** The pieces that listings refer to, each once. */
  readonly pieces: Texts;
  /** Where each listing's row starts in `named`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Places in `pieces`. */
  readonly named: Uint16Array | Uint32Array;
}

/** The fields of a suggestion, in order (contract section 2). */
export const SHOWN = ["host", "name", "logoUrl"] as const;

/** The JSON of one summary. */
export function summaryJson(
  { own, cuts, pieces, starts, named }: SummaryRows,
  row: number,
): string {
  const [start, end] = [own.starts[row]!, own.starts[row + 1]!];
  const cut = start + cuts[row]!;
  const shared = Array.from(named.subarray(starts[row], starts[row + 1]), (piece) =>
    textAt(pieces, piece),
  );
  const text = (from: number, to: number) => decoder.decode(own.bytes.subarray(from, to));
  // The last byte is a comma.
  return text(start, cut) + shared.join("") + text(cut, end - 1);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
