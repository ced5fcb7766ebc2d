import { setImmediate } from "node:timers/promises";
import { parentPort, Worker } from "node:worker_threads";
import { itemAt } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { StoreLockedError } from "../files/lock.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";

/**
 * Worker threads that carry out the orders of a build or of an export. @template O an order, @template R its outcome
 */
export interface Crew<O, R> {
  /** How many orders to give at the same time. */
  readonly lanes: number;
  /** @throws StoreWriteError; StoreLockedError; BadSnapshotError; Error if a worker has died */
  run(order: O): Promise<R>;
  close(): Promise<void>;
}

/** Carries out orders in one thread. */
export interface Work<O, R> {
  run(order: O): Promise<R>;
  close(): void;
}

/** Orders that a worker has at a time: while it carries out one, the disk syncs the files of earlier ones. */
const LANES_A_WORKER = 3;

/**
 * @param jobs worker threads; with 1, the calling thread does all the work
 * @param worker the module of a worker thread, which calls `serveOrders`
 * @param data the `workerData` of each worker
 * @param solo makes the work of the calling thread
 */
export function crewOf<O, R>(
  jobs: number,
  worker: URL,
  data: unknown,
  solo: () => Work<O, R> | Promise<Work<O, R>>,
): Crew<O, R> {
  return jobs === 1 ? soloCrew(solo()) : new WorkerThreads(jobs, worker, data);
}

function soloCrew<O, R>(opened: Work<O, R> | Promise<Work<O, R>>): Crew<O, R> {
  return {
    lanes: LANES_A_WORKER,
    async run(order) {
      // Awaited before anything else, so that a failure to open it never counts as an unhandled rejection.
      const solo = await opened;
      // Reading is synchronous, so signals and progress can only be handled between orders.
      await setImmediate();
      return solo.run(order);
    },
    close: async () => (await opened).close(),
  };
}

/** A worker thread's reply for one order. */
type Reply<R> = { readonly number: number } & (
  | { readonly outcome: R }
  | { readonly failure: { readonly name: string; readonly message: string } }
);

interface Numbered<O> {
  readonly number: number;
  readonly order: O;
}

/** Carries out the orders that a worker thread receives. */
export function serveOrders<O, R>(run: (order: O) => Promise<R>): void {
  parentPort?.on("message", async ({ number, order }: Numbered<O>) => {
    const reply = await run(order).then(
      (outcome): Reply<R> => ({ number, outcome }),
      ({ name, message }: Error): Reply<R> => ({ number, failure: { name, message } }),
    );
    parentPort?.postMessage(reply);
  });
}

/** Errors that keep their type on the way from a thread. */
const ERRORS = [StoreWriteError, StoreLockedError, BadSnapshotError];

interface Waiting<R> {
  resolve(outcome: R): void;
  reject(error: Error): void;
}

class WorkerThread<O, R> {
  readonly waiting = new Map<number, Waiting<R>>();
  readonly #worker: Worker;
  #number = 0;
  #death: Error | null = null;

  constructor(worker: URL, workerData: unknown) {
    this.#worker = new Worker(worker, { workerData });
    this.#worker.on("message", (reply: Reply<R>) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#die(`failed: ${error.message}`));
    this.#worker.on("exit", (code) => this.#die(`ended with code ${code}`));
  }

  run(order: O): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) {
        reject(this.#death);
        return;
      }
      this.#number += 1;
      const numbered: Numbered<O> = { number: this.#number, order };
      this.waiting.set(this.#number, { resolve, reject });
      this.#worker.postMessage(numbered);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: Reply<R>): void {
    const waiting = this.waiting.get(reply.number);
    this.waiting.delete(reply.number);
    if ("outcome" in reply) {
      waiting?.resolve(reply.outcome);
      return;
    }
    const { name, message } = reply.failure;
    const KnownError = ERRORS.find((known) => known.name === name) ?? Error;
    waiting?.reject(new KnownError(message));
  }

  #die(how: string): void {
    this.#death ??= new Error(`a worker thread ${how}`);
    for (const { reject } of this.waiting.values()) reject(this.#death);
    this.waiting.clear();
  }
}

class WorkerThreads<O, R> implements Crew<O, R> {
  readonly lanes: number;
  readonly #members: readonly WorkerThread<O, R>[];

  constructor(jobs: number, worker: URL, data: unknown) {
    this.#members = Array.from({ length: jobs }, () => new WorkerThread<O, R>(worker, data));
    this.lanes = jobs * LANES_A_WORKER;
  }

  run(order: O): Promise<R> {
    const byLoad = this.#members.toSorted((a, b) => a.waiting.size - b.waiting.size);
    return itemAt(byLoad, 0).run(order);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end()));
  }
}
