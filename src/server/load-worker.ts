import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { blockFrom, type IndexSource, type LoadReply, writeIndex } from "./load.js";
import { lowerPriority } from "./lower-priority.js";

export interface LoadWork extends IndexSource {
  /** The index file, which a process writes; null for a thread, which hands over the block. */
  readonly path: string | null;
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
}

/** The reason why the snapshot is bad. */
export interface BadLoad {
  readonly bad: string;
}

async function made({ isAside, path, ...source }: LoadWork): Promise<LoadReply> {
  if (isAside) lowerPriority();
  try {
    if (path === null) return { block: await blockFrom(source, null, async () => {}) };
    await writeIndex(source, path);
    return { block: null };
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
    return { bad: error.message };
  }
}

// The entry of a thread or of a process, which load.ts starts. An error that is not handled here ends it.
if (parentPort === null) {
  process.once("disconnect", () => process.exit());
  const [work] = (await once(process, "message")) as [LoadWork];
  const reply = await made(work);
  process.send?.(reply, () => process.exit());
} else {
  parentPort.postMessage(await made(workerData));
}
