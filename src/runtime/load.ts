import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { BadSnapshotError } from "../store/reader.js";
import type { LoadedIndex, LoadReply, LoadWork } from "./load-worker.js";

/**
 * Makes a snapshot's index in a thread of its own, so that requests go on being answered meanwhile; it
 * comes without a copy.
 * @throws BadSnapshotError where a file of it is gone or damaged
 */
export async function loadIndex(work: LoadWork): Promise<LoadedIndex> {
  const worker = new Worker(new URL("./load-worker.js", import.meta.url), { workerData: work });
  const exit = once(worker, "exit");
  try {
    const reply = await Promise.race([
      once(worker, "message").then(([message]) => message as LoadReply),
      exit.then(([code]): never => {
        throw new Error(`the thread that loads the index ended with code ${code}`);
      }),
    ]);
    if ("bad" in reply) throw new BadSnapshotError(reply.bad);
    return reply;
  } finally {
    await worker.terminate();
  }
}
