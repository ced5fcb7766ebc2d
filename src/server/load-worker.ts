import { parentPort, workerData } from "node:worker_threads";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { blockFrom, type IndexSource, type LoadReply } from "./load.js";
import { lowerPriority } from "./lower-priority.js";

export interface LoadWork extends IndexSource {
  /** Where the index is kept for the next start; null keeps it nowhere. */
  readonly path: string | null;
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
}

/** The reason why the snapshot is bad. */
export interface BadLoad {
  readonly bad: string;
}

// The entry of a worker thread, which load.ts starts. An error that is not handled here ends the thread.
const { isAside, path, ...source } = workerData as LoadWork;
if (isAside) lowerPriority();
const reply: LoadReply = await blockFrom(source, path, async () => {}).then(
  (block) => ({ block }),
  (error: unknown) => {
    if (!(error instanceof BadSnapshotError)) throw error;
    return { bad: error.message };
  },
);
parentPort?.postMessage(reply);
