import type { SiteSummary } from "../../contract/listing.js";
import { type ColumnReader, narrowColumn } from "./file.js";
import { DistinctTexts, readTexts, type Texts, textsOf, utf8Length } from "./texts.js";

/*
 * A quarter of a summary's JSON is what other listings have too: its category and its tags. Those pieces are
 * kept once a bucket, and a listing names them; the rest is its own. Its own bytes up to the cut, its pieces,
 * and its own bytes after the cut are its JSON.
 */

export interface SummaryRows {
  /** By listing, the bytes that are its own, the last one a comma after its JSON. */
  readonly own: Texts;
  /** By listing, the bytes of its own that come before its pieces. */
  readonly cuts: Uint16Array | Uint32Array;
  /** Where in its own bytes each listing has what suggestions show: start and end of each of SHOWN. */
  readonly shown: Uint16Array | Uint32Array;
  /** The pieces that listings name, none twice. */
  readonly pieces: Texts;
  /** Where each listing's row starts in `named`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Places in `pieces`. */
  readonly named: Uint16Array | Uint32Array;
}

/** The fields of a suggestion, in its order (contract section 2). */
export const SHOWN = ["host", "name", "logoUrl"] as const;

/**
 * Fields that stand side by side and have few values, or lists of few long ones. The many short ids of
 * capabilities would take as much again as all else of a search to be put together.
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
  /** UTF-8 bytes. */
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
    // Pieces are one run: what comes after it is the listing's own again.
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

/** A list's JSON but for its end, an item a piece. */
function listPieces(head: string, items: readonly unknown[]): string[] {
  const [first, ...others] = items.map((item) => JSON.stringify(item));
  return [`${head}[${first ?? ""}`, ...others.map((item) => `,${item}`)];
}

function withGreatest(numbers: readonly number[]): [numbers: readonly number[], greatest: number] {
  return [numbers, numbers.reduce((a, b) => Math.max(a, b), 0)];
}

/** Summaries as they stand in a file. @throws BadColumnsError */
export function readSummaries(reader: ColumnReader): SummaryRows {
  return {
    own: readTexts(reader),
    cuts: reader.narrow(),
    shown: reader.narrow(),
    pieces: readTexts(reader),
    starts: reader.u32(),
    named: reader.narrow(),
  };
}
