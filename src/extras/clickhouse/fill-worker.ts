import { parentPort, workerData } from "node:worker_threads";
import { type FilledFrom, fillTables } from "./fill.js";

// The entry of a worker thread, which open.ts starts. An error that is not handled here ends the thread.
await fillTables(workerData as FilledFrom);
parentPort?.postMessage(true);
