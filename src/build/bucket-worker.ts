import { parentPort, workerData } from "node:worker_threads";
import { type BucketOrder, type BucketOutcome, BucketWork, type BuildWork } from "./bucket-work.js";

/** What a worker thread says of a bucket. */
export type BucketReply = { readonly bucket: number } & (
  | { readonly outcome: BucketOutcome }
  | { readonly failure: { readonly name: string; readonly message: string } }
);

// A worker thread's entry: crew.ts starts it with the build's work as its data.
const work = new BucketWork(workerData as BuildWork);

parentPort?.on("message", async (order: BucketOrder) => {
  const { bucket } = order;
  const reply = await work.run(order).then(
    (outcome): BucketReply => ({ bucket, outcome }),
    ({ name, message }: Error): BucketReply => ({ bucket, failure: { name, message } }),
  );
  parentPort?.postMessage(reply);
});
