import cluster, { type Worker } from "node:cluster";
import { SERVER_LIMITS } from "./limits.js";
import { type Counted, NO_COUNTS } from "./metrics.js";
import type { Log } from "./reload.js";
import type { WorkerOptions } from "./serve-worker.js";
import { type Ask, type Order, type Said, type Tell, WORKER_OPTIONS } from "./worker-orders.js";

/** What was asked of a worker that is no more. */
export class DeadWorkerError extends Error {
  override readonly name = "DeadWorkerError";
}

/** Milliseconds over the drain time that a worker has to end. */
const END_MS = 500;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A worker process as the first process sees it. */
export class Member {
  /** When it hears what it is told. @throws DeadWorkerError */
  readonly ready: Promise<void>;
  /** How it died. */
  readonly death: Promise<string>;
  /** Whether it answers from the crew's snapshot, or would; whether it has opened the port. */
  isLoaded = false;
  isListening = false;
  /** What it has counted, as far as is known. */
  counted: Counted = {
    counters: NO_COUNTS,
    state: { residentBytes: 0, cacheBytes: 0, snapshot: null, listings: 0 },
  };
  readonly #worker: Worker;
  readonly #start = performance.now();
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isDead = false;

  constructor(
    options: WorkerOptions,
    log: Log,
    onWant: (want: number) => void,
    onDoubt: () => void,
  ) {
    let onReady = () => {};
    this.#worker = cluster.fork({ [WORKER_OPTIONS]: JSON.stringify(options) });
    this.#worker.on("message", (said: Said) => {
      if ("line" in said) log(said.line, said.kind);
      else if ("ready" in said) onReady();
      else if ("want" in said) onWant(said.want);
      else if ("doubt" in said) onDoubt();
      else this.#settle(said);
    });
    this.death = new Promise((resolve) => {
      const die = (how: string) => {
        this.#isDead = true;
        for (const { reject } of this.#waiting.values()) reject(new DeadWorkerError(how));
        this.#waiting.clear();
        resolve(how);
      };
      this.#worker.once("exit", (code, signal) => {
        die(signal ? `was ended by ${signal}` : `ended with code ${code}`);
      });
      this.#worker.on("error", ({ message }) => {
        // A process that was never started has no exit. An order to one that is just dying fails too: its exit follows.
        if (this.#worker.process.pid === undefined) die(`could not be started: ${message}`);
      });
    });
    this.ready = new Promise((resolve, reject) => {
      onReady = resolve;
      void this.death.then((how) => reject(new DeadWorkerError(`a worker ${how}`)));
    });
    this.ready.catch(() => {});
  }

  get lifeMs(): number {
    return performance.now() - this.#start;
  }

  /** @throws what the worker says why it could not, and DeadWorkerError */
  ask<T>(ask: Ask): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isDead) {
        reject(new DeadWorkerError("a worker is dead"));
        return;
      }
      this.#asked += 1;
      this.#waiting.set(this.#asked, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ ...ask, ask: this.#asked });
    });
  }

  tell(order: Tell): void {
    this.#send(order);
  }

  /** Lets running answers finish. */
  async close(): Promise<void> {
    this.tell({ kind: "close" });
    const hardStop = setTimeout(() => this.kill(), SERVER_LIMITS.drainMs + END_MS);
    await this.death;
    clearTimeout(hardStop);
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }

  #send(order: Order): void {
    if (!this.#isDead && this.#worker.isConnected()) this.#worker.send(order);
  }

  #settle(said: Extract<Said, { ask: number }>): void {
    const waiting = this.#waiting.get(said.ask);
    this.#waiting.delete(said.ask);
    if ("failure" in said) waiting?.reject(new Error(said.failure));
    else waiting?.resolve(said.value);
  }
}
