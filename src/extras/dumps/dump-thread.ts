import { Worker } from "node:worker_threads";
import type { DumpFile } from "./names.js";

/**
 * Makes files of the dump in another thread, while this one keeps answering requests. The thread asks for each
 * page of rows, so only one of them is in memory. Its priority is lower than that of threads that answer.
 * Rejects if the rows cannot be read, or if the thread fails.
 */
export function dumpInThread(
  files: readonly DumpFile[],
  rows: AsyncIterable<Uint8Array>,
): Promise<ReadonlyMap<DumpFile, Uint8Array>> {
  const pages = rows[Symbol.asyncIterator]();
  const worker = new Worker(new URL("./dump-worker.js", import.meta.url), { workerData: files });
  // A process that has nothing else to do ends.
  worker.unref();
  return new Promise((resolve, reject) => {
    const sendPage = async () => {
      const { value } = await pages.next();
      if (value === undefined) return worker.postMessage(null);
      // A part of a larger buffer cannot be moved without the rest.
      const page = value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
      worker.postMessage(page, [page.buffer as ArrayBuffer]);
    };
    worker.on("message", (made: ReadonlyMap<DumpFile, Uint8Array> | null) => {
      if (made !== null) return resolve(made);
      sendPage().catch((error: unknown) => {
        reject(error);
        void worker.terminate();
      });
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread that makes a dump has ended")));
  });
}
