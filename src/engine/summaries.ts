import { roomFor, type Texts } from "../store/columns/texts.js";
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

const LASTMOD = new TextEncoder().encode('"latestScannedAt":"');
const QUOTE = 0x22;
const latin1 = new TextDecoder("latin1");

/**
 * Returns a listing's `latestScannedAt` without parsing its JSON, which would take ten times as long. A date-time is
 * plain ASCII without escapes. No string in JSON can contain the bytes of a key, since JSON puts a backslash before each
 * quote.
 */
export function scannedAtIn(summaries: Texts, number: number): string | null {
  const json = bytesAt(summaries, number);
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    if (!LASTMOD.every((byte, index) => json[at + index] === byte)) continue;
    const from = at + LASTMOD.length;
    return latin1.decode(json.subarray(from, json.indexOf(QUOTE, from)));
  }
  return null;
}
