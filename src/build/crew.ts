import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { itemAt } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { type BucketOrder, type BucketOutcome, BucketWork, type BuildWork } from "./bucket-work.js";
import type { BucketReply } from "./bucket-worker.js";

/** The threads that process a build's buckets. */
export interface Crew {
  /** How many buckets to request at the same time. */
  readonly lanes: number;
  /** @throws StoreWriteError; Error if a worker has died */
  run(order: BucketOrder): Promise<BucketOutcome>;
  close(): Promise<void>;
}

/** Buckets that a worker has at a time: while it compiles one, the disk syncs the earlier ones. */
const LANES_A_WORKER = 3;

/** @param jobs worker threads; with 1, the calling thread does all the work */
export function crewOf(jobs: number, work: BuildWork): Crew {
  return jobs === 1 ? soloCrew(work) : new WorkerThreads(jobs, work);
}

function soloCrew(work: BuildWork): Crew {
  const solo = new BucketWork(work);
  return {
    lanes: LANES_A_WORKER,
    async run(order) {
      // Reading is synchronous, so signals and progress can only be handled between buckets.
      await setImmediate();
      return solo.run(order);
    },
    close: async () => solo.close(),
  };
}

interface Waiting {
  resolve(outcome: BucketOutcome): void;
  reject(error: Error): void;
}

class WorkerThread {
  readonly waiting = new Map<number, Waiting>();
  readonly #worker: Worker;
  #death: Error | null = null;

  constructor(work: BuildWork) {
    this.#worker = new Worker(new URL("./bucket-worker.js", import.meta.url), { workerData: work });
    this.#worker.on("message", (reply: BucketReply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#die(`failed: ${error.message}`));
    this.#worker.on("exit", (code) => this.#die(`ended with code ${code}`));
  }

  run(order: BucketOrder): Promise<BucketOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) {
        reject(this.#death);
        return;
      }
      this.waiting.set(order.bucket, { resolve, reject });
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: BucketReply): void {
    const waiting = this.waiting.get(reply.bucket);
    this.waiting.delete(reply.bucket);
    if ("outcome" in reply) {
      waiting?.resolve(reply.outcome);
      return;
    }
    const { name, message } = reply.failure;
    waiting?.reject(name === "StoreWriteError" ? new StoreWriteError(message) : new Error(message));
  }

  #die(how: string): void {
    this.#death ??= new Error(`a worker thread of the build ${how}`);
    for (const { reject } of this.waiting.values()) reject(this.#death);
    this.waiting.clear();
  }
}

class WorkerThreads implements Crew {
  readonly lanes: number;
  readonly #members: readonly WorkerThread[];

  constructor(jobs: number, work: BuildWork) {
    this.#members = Array.from({ length: jobs }, () => new WorkerThread(work));
    this.lanes = jobs * LANES_A_WORKER;
  }

  run(order: BucketOrder): Promise<BucketOutcome> {
    const byLoad = this.#members.toSorted((a, b) => a.waiting.size - b.waiting.size);
    return itemAt(byLoad, 0).run(order);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end()));
  }
}
