import { Worker } from "node:worker_threads";
import type { Readiness } from "../answer/answer.js";
import { SERVER_LIMITS } from "../answer/limits.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { ServedSnapshot } from "./current-snapshot.js";
import type { Handling } from "./handler.js";
import type { SharedIndex } from "./load-snapshot.js";
import type { Log, SeenAnswer } from "./observer.js";

/*
 * Further threads that answer at the same address as the first. The first one loads each snapshot and hands it to all:
 * they share the index, open the rest, and begin to answer from it when the first one does. If a thread ends, another
 * one takes its place.
 */

/** What a thread needs before it can answer. */
export interface ThreadSetup {
  readonly store: string;
  /** Bytes of answers that the thread may cache. */
  readonly cacheBytes: number;
  /** The names of extras that do not answer. */
  readonly without: readonly string[];
  readonly hasMetrics: boolean;
  readonly isObserved: boolean;
}

/** A loaded snapshot on its way to the threads. */
export interface HandedSnapshot {
  readonly id: string;
  /** The bytes of its manifest. */
  readonly manifest: Uint8Array;
  readonly shared: SharedIndex;
}

/** What a thread asks the first one. */
export interface Answers {
  metrics: string;
  readiness: Readiness;
}

/** Messages to a thread. Snapshots have numbers, since one that was refused may come again. */
export type ToThread =
  | { readonly kind: "open"; readonly number: number; readonly snapshot: HandedSnapshot }
  | { readonly kind: "adopt" | "forget"; readonly number: number }
  | { readonly kind: "trouble"; readonly trouble: string | undefined }
  | { readonly kind: "listen"; readonly descriptor: number }
  | { readonly kind: "told"; readonly question: number; readonly answers: Partial<Answers> }
  | { readonly kind: "close" };

/** Messages from a thread. */
export type FromThread =
  | { readonly kind: "opened"; readonly number: number; readonly failure: string | null }
  | { readonly kind: "released"; readonly number: number }
  | { readonly kind: "seen"; readonly answers: readonly SeenAnswer[]; readonly cacheBytes: number }
  | { readonly kind: "ask"; readonly question: number; readonly about: keyof Answers }
  | { readonly kind: "log"; readonly message: string; readonly level: Parameters<Log>[1] }
  | { readonly kind: "listening" | "closed" };

export interface ThreadsOptions
  extends Omit<ThreadSetup, "hasMetrics" | "isObserved">,
    Pick<Handling, "log" | "observer" | "metrics" | "readiness"> {
  /** How many threads answer besides the first. */
  readonly count: number;
}

/** Milliseconds after which a thread that does not open a snapshot is ended. */
const OPEN_MS = 60_000;
/** Milliseconds after which a thread that has not ended is made to. By then, its running answers have been cut. */
const CLOSE_MS = SERVER_LIMITS.drainMs + 500;
/** Milliseconds after which a thread that has ended is replaced. */
const REPLACED_MS = 1_000;

/** A snapshot that threads may answer from. */
interface Handed extends HandedSnapshot {
  readonly number: number;
  /** Keeps the index file open. */
  readonly served: ServedSnapshot;
}

export class AnsweringThreads {
  readonly #options: ThreadsOptions;
  readonly #threads = new Set<Thread>();
  #number = 0;
  #current: Handed | null = null;
  #next: Handed | null = null;
  #trouble: string | undefined;
  #descriptor: number | null = null;
  #isClosing = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    for (let at = 0; at < options.count; at += 1) this.#add();
  }

  /** Bytes of the answers in the caches of all these threads. */
  get cacheBytes(): number {
    return [...this.#threads].reduce((sum, { cacheBytes }) => sum + cacheBytes, 0);
  }

  /**
   * Opens a snapshot in all threads, which do not answer from it yet.
   * @throws BadSnapshotError if a thread cannot open it
   */
  async open(served: ServedSnapshot, shared: SharedIndex, manifest: Uint8Array): Promise<void> {
    this.#number += 1;
    const { id } = served;
    const next: Handed = { id, manifest, shared, served, number: this.#number };
    this.#next = next;
    await Promise.all([...this.#threads].map((thread) => thread.open(next)));
  }

  /** Lets all threads answer from the snapshot that was opened last. */
  adopt(): void {
    const { number = 0 } = this.#next ?? {};
    this.#current = this.#next;
    this.#next = null;
    for (const thread of this.#threads) thread.post({ kind: "adopt", number });
  }

  /** Drops the snapshot that was opened last. */
  forget(): void {
    const { number } = this.#next ?? {};
    this.#next = null;
    if (number === undefined) return;
    for (const thread of this.#threads) thread.post({ kind: "forget", number });
  }

  /** Says why no newer snapshot can be read at the moment; undefined if all is well. */
  tell(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    for (const thread of this.#threads) thread.post({ kind: "trouble", trouble });
  }

  /**
   * Lets all threads accept connections.
   * @param descriptor of the listening socket
   * @returns once they do
   * @throws Error if the system has no descriptors
   */
  async listen(descriptor: number | undefined): Promise<void> {
    if (descriptor === undefined)
      throw new Error("this system cannot share a socket between threads: serve with one thread");
    this.#descriptor = descriptor;
    await Promise.all([...this.#threads].map((thread) => thread.listen(descriptor)));
  }

  /** Lets running answers finish, as the first thread does, and ends the threads. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #add(): Thread {
    const thread = new Thread(this.#options, () => this.#replace(thread));
    this.#threads.add(thread);
    return thread;
  }

  #replace(ended: Thread): void {
    this.#threads.delete(ended);
    if (this.#isClosing) return;
    this.#options.log("a thread that answers has ended", "trouble");
    setTimeout(() => void this.#join(), REPLACED_MS);
  }

  /** Adds a thread to those that answer already. */
  async #join(): Promise<void> {
    if (this.#isClosing) return;
    const thread = this.#add();
    if (this.#trouble !== undefined) thread.post({ kind: "trouble", trouble: this.#trouble });
    // The next snapshot may become the current one while the thread opens the former.
    for (const handed of [this.#current, this.#next]) {
      if (handed === null) continue;
      const isCurrent = handed === this.#current;
      const isOpen = thread.open(handed);
      if (isCurrent) thread.post({ kind: "adopt", number: handed.number });
      await isOpen.catch(() => {});
    }
    if (this.#descriptor !== null) await thread.listen(this.#descriptor);
    this.#options.log("a thread takes its place", "info");
  }
}

/** One of the threads, as the first one sees it. */
class Thread {
  cacheBytes = 0;
  readonly #options: ThreadsOptions;
  readonly #worker: Worker;
  /** By number, snapshots that the thread has or opens. */
  readonly #held = new Map<number, Handed>();
  readonly #opening = new Map<number, (failure: string | null) => void>();
  readonly #ended: Promise<void>;
  #onListening: () => void = () => {};

  constructor(options: ThreadsOptions, onEnd: () => void) {
    const { store, cacheBytes, without, metrics, observer } = options;
    this.#options = options;
    this.#worker = new Worker(new URL("./answering-worker.js", import.meta.url), {
      workerData: {
        store,
        cacheBytes,
        without,
        hasMetrics: metrics !== null,
        isObserved: observer !== null,
      } satisfies ThreadSetup,
    });
    this.#worker.on("message", (message: FromThread) => void this.#received(message));
    this.#worker.on("error", ({ stack }) =>
      options.log(`a thread has failed: ${stack}`, "trouble"),
    );
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        for (const { served } of this.#held.values()) served.release();
        for (const settle of this.#opening.values()) settle(null);
        this.#onListening();
        onEnd();
        resolve();
      });
    });
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** A thread that ends meanwhile is replaced, and does not count. @throws BadSnapshotError if it cannot open it */
  async open(handed: Handed): Promise<void> {
    const { id, manifest, shared, number, served } = handed;
    served.retain();
    this.#held.set(number, handed);
    const late = setTimeout(() => void this.#worker.terminate(), OPEN_MS);
    const failure = await new Promise<string | null>((resolve) => {
      this.#opening.set(number, resolve);
      this.post({ kind: "open", number, snapshot: { id, manifest, shared } });
    });
    clearTimeout(late);
    this.#opening.delete(number);
    if (failure !== null) throw new BadSnapshotError(failure);
  }

  listen(descriptor: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onListening = resolve;
      this.post({ kind: "listen", descriptor });
    });
  }

  /** A thread that does not end by itself is ended. */
  async close(): Promise<void> {
    const late = setTimeout(() => void this.#worker.terminate(), CLOSE_MS);
    this.post({ kind: "close" });
    await this.#ended;
    clearTimeout(late);
  }

  async #received(message: FromThread): Promise<void> {
    const { log, observer } = this.#options;
    switch (message.kind) {
      case "opened":
        this.#opening.get(message.number)?.(message.failure);
        break;
      case "released":
        this.#held.get(message.number)?.served.release();
        this.#held.delete(message.number);
        break;
      case "seen":
        this.cacheBytes = message.cacheBytes;
        for (const seen of message.answers) observer?.(seen);
        break;
      case "ask": {
        const { question, about } = message;
        const answer = await this.#options[about]?.();
        this.post({ kind: "told", question, answers: { [about]: answer } });
        break;
      }
      case "log":
        log(message.message, message.level);
        break;
      case "listening":
        this.#onListening();
        break;
      case "closed":
        void this.#worker.terminate();
    }
  }
}
