import { parentPort, workerData } from "node:worker_threads";
import {
  type BuildWork,
  type SegmentOrder,
  type SegmentOutcome,
  SegmentWork,
} from "./segment-work.js";

/** A worker thread's reply for one order. */
export type SegmentReply = { readonly order: number } & (
  | { readonly outcome: SegmentOutcome }
  | { readonly failure: { readonly name: string; readonly message: string } }
);

// The entry point of a worker thread. crew.ts passes the `BuildWork` as `workerData`.
const data: BuildWork = workerData;
const work = new SegmentWork(data);

parentPort?.on("message", async (message: SegmentOrder) => {
  const { order } = message;
  const reply = await work.run(message).then(
    (outcome): SegmentReply => ({ order, outcome }),
    ({ name, message }: Error): SegmentReply => ({ order, failure: { name, message } }),
  );
  parentPort?.postMessage(reply);
});
