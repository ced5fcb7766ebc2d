import { parentPort, workerData } from "node:worker_threads";
import { gramRows, postingsOf } from "../engine/postings.js";
import type { Permutation } from "../engine/sets.js";
import type { FoldedText } from "../engine/text.js";

export interface PostingsWork {
  readonly text: FoldedText;
  readonly hostOrder: Permutation;
}

// The entry of a thread that makes the postings of an index, which load.ts starts.
const { text, hostOrder }: PostingsWork = workerData;
const postings = postingsOf(text, gramRows(text), hostOrder);
const buffers = new Set<ArrayBuffer>();
for (const { counts, starts, words } of [postings.all, postings.titles]) {
  for (const { buffer } of [counts, starts, words, postings.grams.slots])
    if (buffer instanceof ArrayBuffer) buffers.add(buffer);
}
// The arrays are handed over without a copy.
parentPort?.postMessage(postings, [...buffers]);
