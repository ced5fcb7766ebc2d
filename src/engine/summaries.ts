import { roomFor, type Texts } from "../store/columns/texts.js";
import { memberIn } from "./body.js";
import type { Ranking } from "./order/ranking.js";

/* The JSON of the summaries of all listings, in one buffer. It is more than half of the engine's memory. */

/**
 * Brings the summaries of all listings into the order of their numbers.
 * @throws RangeError at 4 GiB
 */
export function gatherSummaries({ size, segments, segmentOf, rowOf }: Ranking): Texts {
  const parts = segments.map(({ summaries }) => summaries);
  const all = { bytes: roomFor(parts), starts: new Uint32Array(size + 1) };
  for (let number = 0; number < size; number += 1) {
    const json = bytesAt(parts[segmentOf[number]!]!, rowOf[number]!);
    all.bytes.set(json, all.starts[number]);
    all.starts[number + 1] = all.starts[number]! + json.length;
  }
  return all;
}

/** The bytes of the text at a place. */
export function bytesAt({ bytes, starts }: Texts, place: number): Uint8Array {
  return bytes.subarray(starts[place], starts[place + 1]);
}

const decoder = new TextDecoder();

/** A listing's `latestScannedAt`. */
export function scannedAtIn(summaries: Texts, number: number): string | null {
  return JSON.parse(memberIn(decoder.decode(bytesAt(summaries, number)), "latestScannedAt"));
}
