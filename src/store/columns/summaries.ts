import type { SiteSummary } from "../../contract/listing.js";
import { narrowColumn } from "./file.js";
import { DistinctTexts, type Texts, textAt, textsOf, utf8Length } from "./texts.js";

/*
 * A quarter of a summary's JSON also appears in other listings: its category and its tags. A bucket
 * stores each of those pieces once, and a listing refers to them; it stores the rest as its own bytes.
 * The listing's JSON is its own bytes up to the cut, then its pieces, then its own bytes after the cut.
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

/**
 * Adjacent fields with few distinct values, or with lists of a few long ones. Capabilities are not among
 * them: joining their many short ids would take as long as the rest of a search.
 */
const SHARED: ReadonlySet<string> = new Set<keyof SiteSummary>(["category", "tags"]);

export function summaryRows(summaries: readonly SiteSummary[]): SummaryRows {
  const cut = summaries.map(cutSummary);
  const known = new DistinctTexts();
  const starts = new Uint32Array(summaries.length + 1);
  const named: number[] = [];
  for (const [row, { pieces }] of cut.entries()) {
    for (const piece of pieces) named.push(known.placeOf(piece));
    starts[row + 1] = named.length;
  }
  const shown = cut.flatMap(({ shown }) => shown);
  return {
    own: textsOf(cut.map(({ own }) => own)),
    cuts: narrowColumn(...withGreatest(cut.map(({ cut }) => cut))),
    shown: narrowColumn(...withGreatest(shown)),
    pieces: textsOf(known.texts),
    starts,
    named: narrowColumn(named, known.size),
  };
}

interface CutSummary {
  readonly own: string;
  /** In UTF-8 bytes. */
  readonly cut: number;
  readonly shown: readonly number[];
  readonly pieces: readonly string[];
}

function cutSummary(summary: SiteSummary): CutSummary {
  let own = "";
  let length = 0;
  let cut: number | null = null;
  let [open, close] = ["{", ""];
  const pieces: string[] = [];
  const places = new Map<string, readonly number[]>();
  for (const [name, value] of Object.entries(summary)) {
    const head = `${close}${open}${JSON.stringify(name)}:`;
    open = ",";
    // All pieces must be adjacent. Any field after them is the listing's own again.
    if (SHARED.has(name) && (cut === null || cut === length)) {
      cut = length;
      const isList = Array.isArray(value);
      pieces.push(...(isList ? listPieces(head, value) : [head + JSON.stringify(value)]));
      close = isList ? "]" : "";
      continue;
    }
    close = "";
    const json = JSON.stringify(value);
    const start = length + utf8Length(head);
    length = start + utf8Length(json);
    own += head + json;
    places.set(name, [start, length]);
  }
  own += `${close}},`;
  return {
    own,
    cut: cut ?? length,
    shown: SHOWN.flatMap((name) => places.get(name) ?? []),
    pieces,
  };
}

/** A list's JSON without its closing bracket, one piece for each item. */
function listPieces(head: string, items: readonly unknown[]): string[] {
  const [first, ...others] = items.map((item) => JSON.stringify(item));
  return [`${head}[${first ?? ""}`, ...others.map((item) => `,${item}`)];
}

function withGreatest(numbers: readonly number[]): [numbers: readonly number[], greatest: number] {
  return [numbers, numbers.reduce((a, b) => Math.max(a, b), 0)];
}

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
