import { SHOWN, type SummaryRows } from "../store/columns/summaries.js";
import { DistinctTexts, listOf, roomFor, textsOf } from "../store/columns/texts.js";
import type { Ranking } from "./order/ranking.js";

/*
 * The summaries of all listings. One buffer holds each listing's own bytes. Pieces that listings share are stored once;
 * each segment numbers its pieces separately. Summaries are more than half of the engine's memory.
 */

/** Entries of `shown` for each listing. */
export const PLACES = 2 * SHOWN.length;

/**
 * Brings the summaries of all listings into the order of their numbers.
 * @throws RangeError at 4 GiB
 */
export function gatherSummaries({ size, segments, segmentOf, rowOf }: Ranking): SummaryRows {
  const parts = segments.map(({ summaries }) => summaries);
  const lengthOf = (pick: (part: (typeof parts)[number]) => number) =>
    parts.reduce((sum, part) => sum + pick(part), 0);
  const isWide = (pick: (part: (typeof parts)[number]) => Uint16Array | Uint32Array) =>
    parts.some((part) => pick(part).BYTES_PER_ELEMENT > 2);
  const known = new DistinctTexts();
  const placesOf = parts.map(({ pieces }) =>
    Uint32Array.from(listOf(pieces), (piece) => known.placeOf(piece)),
  );
  const all = {
    own: {
      bytes: roomFor(parts.map(({ own }) => own)),
      starts: new Uint32Array(size + 1),
    },
    cuts: numbersFor(
      isWide(({ cuts }) => cuts),
      size,
    ),
    shown: numbersFor(
      isWide(({ shown }) => shown),
      PLACES * size,
    ),
    pieces: textsOf(known.texts),
    starts: new Uint32Array(size + 1),
    named: numbersFor(
      known.size > 0x10000,
      lengthOf(({ named }) => named.length),
    ),
  };
  for (let number = 0; number < size; number += 1) {
    const segment = segmentOf[number]!;
    const { own, cuts, shown, starts, named } = parts[segment]!;
    const numbers = placesOf[segment]!;
    const row = rowOf[number]!;
    const bytes = own.bytes.subarray(own.starts[row], own.starts[row + 1]);
    all.own.bytes.set(bytes, all.own.starts[number]);
    all.own.starts[number + 1] = all.own.starts[number]! + bytes.length;
    all.cuts[number] = cuts[row]!;
    for (let at = 0; at < PLACES; at += 1)
      all.shown[PLACES * number + at] = shown[PLACES * row + at]!;
    let end = all.starts[number]!;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1, end += 1) {
      all.named[end] = numbers[named[at]!]!;
    }
    all.starts[number + 1] = end;
  }
  return all;
}

function numbersFor(isWide: boolean, length: number): Uint16Array | Uint32Array {
  return isWide ? new Uint32Array(length) : new Uint16Array(length);
}

const LASTMOD = new TextEncoder().encode('"latestScannedAt":"');
const QUOTE = 0x22;
const latin1 = new TextDecoder("latin1");

/**
 * Returns a listing's `latestScannedAt` without parsing its JSON, which would take ten times as long. A date-time is
 * plain ASCII without escapes. No string in JSON can contain the bytes of a key, since JSON puts a backslash before each
 * quote.
 */
export function scannedAtIn({ own }: SummaryRows, number: number): string | null {
  const json = own.bytes.subarray(own.starts[number], own.starts[number + 1]);
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    if (!LASTMOD.every((byte, index) => json[at + index] === byte)) continue;
    const from = at + LASTMOD.length;
    return latin1.decode(json.subarray(from, json.indexOf(QUOTE, from)));
  }
  return null;
}
