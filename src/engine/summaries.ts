import { Bytes, type Texts } from "../store/columns/columns.js";
import { memberIn, storedJson } from "../store/stored-json.js";
import type { Ranking } from "./order/ranking.js";

/* The JSON of the summaries of all listings, in one buffer. It is more than half of the engine's memory. */

/** Room for the bytes of a summary: more than most of them take. Room that is never written takes no memory. */
const SUMMARY_ROOM = 1_024;

/**
 * Brings the summaries of all listings into the order of their numbers.
 * @throws RangeError at 4 GiB
 */
export function gatherSummaries({ size, segments, segmentOf, rowOf }: Ranking): Texts {
  const bytes = new Bytes(SUMMARY_ROOM * size);
  const starts = new Uint32Array(size + 1);
  for (let number = 0; number < size; number += 1) {
    bytes.all(segments[segmentOf[number]!]!.summary(rowOf[number]!));
    if (bytes.length >= 2 ** 32) throw new RangeError("the summaries are 4 GiB or more");
    starts[number + 1] = bytes.length;
  }
  return { bytes: bytes.taken(), starts };
}

/** The bytes of the text at an index. */
export function bytesAt({ bytes, starts }: Texts, place: number): Uint8Array {
  return bytes.subarray(starts[place], starts[place + 1]);
}

const decoder = new TextDecoder();

/** A listing's `latestScannedAt`. @param summary its JSON */
export function scannedAtIn(summary: Uint8Array): string | null {
  return storedJson(memberIn(decoder.decode(summary), "latestScannedAt"));
}
