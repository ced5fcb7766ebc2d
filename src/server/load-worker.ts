import { parentPort, workerData } from "node:worker_threads";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { type IndexSource, indexOf, type LoadedIndex } from "./load.js";
import { lowerPriority } from "./lower-priority.js";

export interface LoadWork extends IndexSource {
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
}

/** The reason why the snapshot is bad. */
export interface BadLoad {
  readonly bad: string;
}

/** Collects the buffers of all typed arrays in plain data, to transfer them without a copy. */
function buffersOf(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) {
    if (data.buffer instanceof ArrayBuffer) found.add(data.buffer);
  } else if (typeof data === "object" && data !== null) {
    for (const value of Object.values(data)) buffersOf(value, found);
  }
  return found;
}

// The entry of a worker thread, which load.ts starts. An error that is not handled here ends the thread.
const { isAside, ...source } = workerData as LoadWork;
if (isAside) lowerPriority();
const made: LoadedIndex | BadLoad = await indexOf(source, async () => {}).catch((error) => {
  if (!(error instanceof BadSnapshotError)) throw error;
  return { bad: error.message };
});
parentPort?.postMessage(made, [...buffersOf(made)]);
