import { Worker } from "node:worker_threads";
import type { MakeDump } from "../answer/content.js";

/**
 * Makes a file of the dump in another thread, while this one keeps answering requests. The thread asks for each
 * page of rows, so only one of them is in memory. Its priority is lower than that of threads that answer.
 * Rejects if the rows cannot be read, or if the thread fails.
 */
export const dumpInThread: MakeDump = (file, rows) => {
  const pages = rows[Symbol.asyncIterator]();
  const worker = new Worker(new URL("./dump-worker.js", import.meta.url), { workerData: file });
  // A process that has nothing else to do ends.
  worker.unref();
  return new Promise((resolve, reject) => {
    const sendPage = async () => {
      const { value } = await pages.next();
      // A copy, since a page may be a part of a larger buffer, which would be cloned whole.
      worker.postMessage(value === undefined ? null : new Uint8Array(value));
    };
    worker.on("message", (made: Uint8Array | null) => {
      if (made !== null) return resolve(made);
      sendPage().catch((error: unknown) => {
        reject(error);
        void worker.terminate();
      });
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread that makes a dump has ended")));
  });
};
