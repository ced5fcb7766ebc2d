import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { itemAt } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import {
  type BuildWork,
  type SegmentOrder,
  type SegmentOutcome,
  SegmentWork,
} from "./segment-work.js";
import type { SegmentReply } from "./segment-worker.js";

/** The threads that do a build's orders. */
export interface Crew {
  /** How many orders to give at the same time. */
  readonly lanes: number;
  /** @throws StoreWriteError; BadSnapshotError; Error if a worker has died */
  run(order: SegmentOrder): Promise<SegmentOutcome>;
  close(): Promise<void>;
}

/** Orders that a worker has at a time: while it compiles one, the disk syncs the earlier ones. */
const LANES_A_WORKER = 3;

/** @param jobs worker threads; with 1, the calling thread does all the work */
export function crewOf(jobs: number, work: BuildWork): Crew {
  return jobs === 1 ? soloCrew(work) : new WorkerThreads(jobs, work);
}

function soloCrew(work: BuildWork): Crew {
  const solo = new SegmentWork(work);
  return {
    lanes: LANES_A_WORKER,
    async run(order) {
      // Reading is synchronous, so signals and progress can only be handled between orders.
      await setImmediate();
      return solo.run(order);
    },
    close: async () => solo.close(),
  };
}

/** Errors that keep their type on the way from a thread. */
const ERRORS = [StoreWriteError, BadSnapshotError];

interface Waiting {
  resolve(outcome: SegmentOutcome): void;
  reject(error: Error): void;
}

class WorkerThread {
  readonly waiting = new Map<number, Waiting>();
  readonly #worker: Worker;
  #death: Error | null = null;

  constructor(work: BuildWork) {
    this.#worker = new Worker(new URL("./segment-worker.js", import.meta.url), {
      workerData: work,
    });
    this.#worker.on("message", (reply: SegmentReply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#die(`failed: ${error.message}`));
    this.#worker.on("exit", (code) => this.#die(`ended with code ${code}`));
  }

  run(order: SegmentOrder): Promise<SegmentOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) {
        reject(this.#death);
        return;
      }
      this.waiting.set(order.order, { resolve, reject });
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: SegmentReply): void {
    const waiting = this.waiting.get(reply.order);
    this.waiting.delete(reply.order);
    if ("outcome" in reply) {
      waiting?.resolve(reply.outcome);
      return;
    }
    const { name, message } = reply.failure;
    const KnownError = ERRORS.find((known) => known.name === name) ?? Error;
    waiting?.reject(new KnownError(message));
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

  run(order: SegmentOrder): Promise<SegmentOutcome> {
    const byLoad = this.#members.toSorted((a, b) => a.waiting.size - b.waiting.size);
    return itemAt(byLoad, 0).run(order);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end()));
  }
}
