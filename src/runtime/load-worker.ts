import { parentPort, workerData } from "node:worker_threads";
import { type AnswerColumns, joinAnswers } from "../columns/answers.js";
import { buildIndex, type EngineIndex, type Vocabulary } from "../engine/engine.js";
import { readAllColumns } from "../store/column-files.js";
import type { Manifest } from "../store/format.js";
import { BadSnapshotError } from "../store/reader.js";

/** What a thread that loads an index is started with. */
export interface LoadWork {
  readonly store: string;
  readonly buckets: Manifest["buckets"];
  readonly vocabulary: Vocabulary;
}

/** All of a snapshot that is held in memory, as plain data. */
export interface LoadedIndex {
  readonly index: EngineIndex;
  readonly answers: AnswerColumns;
}

/** What it says: the index, or what is bad about the snapshot. */
export type LoadReply = LoadedIndex | { readonly bad: string };

// A worker thread's entry: load.ts starts it. Whatever else fails ends the thread with that error.
const { store, buckets, vocabulary } = workerData as LoadWork;
let reply: LoadReply;
try {
  const columns = readAllColumns(store, buckets);
  reply = {
    index: buildIndex(
      columns.map(({ listings }) => listings),
      vocabulary,
    ),
    answers: joinAnswers(columns.map(({ answers }) => answers)),
  };
} catch (error) {
  if (!(error instanceof BadSnapshotError)) throw error;
  reply = { bad: error.message };
}
parentPort?.postMessage(reply, [...buffersOf(reply)]);

/** The buffers of all typed arrays in plain data: they are handed over, not copied. */
function buffersOf(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) {
    if (data.buffer instanceof ArrayBuffer) found.add(data.buffer);
  } else if (typeof data === "object" && data !== null) {
    for (const value of Object.values(data)) buffersOf(value, found);
  }
  return found;
}
