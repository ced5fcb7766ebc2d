import { parentPort, workerData } from "node:worker_threads";
import { type BucketOrder, type BucketOutcome, BucketWork, type BuildWork } from "./bucket-work.js";

/** A worker thread's reply for one bucket. */
export type BucketReply = { readonly bucket: number } & (
  | { readonly outcome: BucketOutcome }
  | { readonly failure: { readonly name: string; readonly message: string } }
);

// The entry point of a worker thread. crew.ts passes the `BuildWork` as `workerData`.
const data: BuildWork = workerData;
const work = new BucketWork(data);

parentPort?.on("message", async (order: BucketOrder) => {
  const { bucket } = order;
  const reply = await work.run(order).then(
    (outcome): BucketReply => ({ bucket, outcome }),
    ({ name, message }: Error): BucketReply => ({ bucket, failure: { name, message } }),
  );
  parentPort?.postMessage(reply);
});
