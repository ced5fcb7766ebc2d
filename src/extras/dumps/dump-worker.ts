import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "../../server/lower-priority.js";
import { dumpFiles } from "./dump-files.js";

// The entry of a worker thread, which dump-thread.ts starts. An error that is not handled here ends the thread.
if (parentPort === null) throw new Error("this is the entry of a thread");
const port = parentPort;

async function* pages(): AsyncGenerator<Uint8Array> {
  for (;;) {
    port.postMessage(null);
    const [page]: (Uint8Array | null)[] = await once(port, "message");
    if (!page) return;
    yield page;
  }
}

lowerPriority();
port.postMessage(await dumpFiles(workerData, pages()));
