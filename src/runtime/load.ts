import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { AnswerColumns } from "../columns/answers.js";
import type { EngineIndex, LaterPart, ListingPart } from "../engine/engine.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { StoredSnapshot } from "../store/reader.js";
import { Inbox } from "./inbox.js";
import { LOAD_LIMITS } from "./limits.js";
import type { BadLoad, Compared, LoadedText, LoadPart, LoadWork, Rebuilt } from "./load-worker.js";

/** All of a snapshot that is held in memory, as plain data. */
export interface LoadedIndex {
  /** Answers exactly, but for corrections of texts that are nowhere. */
  readonly index: EngineIndex;
  readonly answers: AnswerColumns;
  readonly rebuilt: Rebuilt | null;
  /** What `Engine.extend` takes, when it is made. Its thread has ended when this settles. */
  readonly later: Promise<LaterPart>;
  /** How the columns compare with the shards. Its thread has ended when this settles. */
  readonly compared: Promise<Compared>;
}

export interface IndexOptions {
  /** Whether another snapshot answers meanwhile: its requests go first. */
  readonly isAside: boolean;
  /** Keys of buckets that were compared with their shards before. */
  readonly compared?: ReadonlySet<string>;
  /** Milliseconds that each step may take. */
  readonly stepMs?: number;
}

/** Two threads that make one index, of the same memory. They may be started before it is known of what. */
export class LoadThreads {
  readonly #text: LoadThread;
  readonly #rest: LoadThread;
  #isFree = true;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#text = new LoadThread("text", port1);
    try {
      this.#rest = new LoadThread("listings", port2);
    } catch (error) {
      this.#text.begin(null);
      port2.close();
      throw error;
    }
  }

  /**
   * Makes a snapshot's index, once, while requests go on being answered. It comes without a copy. Where it fails,
   * both threads have ended.
   * @throws BadSnapshotError where a file of it is gone or damaged, or the loading takes too long
   */
  async load(stored: StoredSnapshot, options: IndexOptions): Promise<LoadedIndex> {
    const { buckets, vocabulary } = stored.manifest;
    const { isAside, compared = new Set<string>(), stepMs = stepMsOf(buckets) } = options;
    const work = { store: stored.store, buckets, vocabulary, isAside, compared };
    const [text, rest] = [this.#text, this.#rest];
    try {
      text.begin(work);
      rest.begin(work);
      this.#isFree = false;
      const both = bothOf(text.first as Promise<LoadedText>, rest.first as Promise<ListingPart>);
      const [found, listings] = await within(stepMs, both, [text, rest]);
      const later = within(stepMs, text.last<LaterPart>(), [text]);
      const isCompared = within(stepMs, rest.last<Compared>(), [rest]);
      // Callers await both; this only avoids unhandled rejections.
      for (const step of [later, isCompared]) step.catch(() => {});
      const index = { ...listings, ...found.text, later: null };
      const { answers, rebuilt } = found;
      return { index, answers, rebuilt, later, compared: isCompared };
    } catch (error) {
      this.end();
      await Promise.all([text.ended, rest.ended]);
      throw error;
    }
  }

  /** Ends them, unless they are at work. */
  end(): void {
    if (!this.#isFree) return;
    this.#text.begin(null);
    this.#rest.begin(null);
  }
}

/** Milliseconds that each step of the loading of these buckets may take. */
function stepMsOf(buckets: StoredSnapshot["manifest"]["buckets"]): number {
  const bytes = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  const { stepMs, stepMsPerMegabyte, stepMsMax } = LOAD_LIMITS;
  return Math.min(stepMs + (stepMsPerMegabyte * bytes) / 2 ** 20, stepMsMax);
}

/**
 * Waits for a step of the loading, and ends its threads where it takes too long.
 * @throws BadSnapshotError then, else what the step throws
 */
async function within<T>(
  limitMs: number,
  step: Promise<T>,
  threads: readonly LoadThread[],
): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    for (const thread of threads) thread.terminate();
  }, limitMs);
  try {
    return await step;
  } catch (error) {
    if (!isLate) throw error;
    const seconds = (limitMs / 1_000).toFixed(0);
    throw new BadSnapshotError(`it was not loaded within ${seconds} s`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** A thread has ended before it made its part, because the other one failed. */
class EndedThreadError extends Error {
  override readonly name = "EndedThreadError";
}

/**
 * Waits for both parts, even if one fails, so that nothing runs on behind a failure. @throws the root cause: not the error
 * of a thread that only ended because the other one failed
 */
export async function bothOf<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const failures = (await Promise.allSettled([one, other])).flatMap((part) =>
    part.status === "rejected" ? [part.reason as Error] : [],
  );
  const failure = failures.find((error) => !(error instanceof EndedThreadError)) ?? failures[0];
  if (failure !== undefined) throw failure;
  return await Promise.all([one, other]);
}

/**
 * A thread ends by itself: when it has made its part, when it is told that there is nothing to make, or, at work, when
 * the other one's end of the channel is closed. It is terminated only where it takes too long: to terminate it while it
 * opens its modules' files would leave those open for as long as the process lives.
 */
class LoadThread {
  /** What it makes, one after the other. */
  readonly first: Promise<LoadedText | ListingPart>;
  readonly second: Promise<LaterPart | Compared>;
  readonly ended: Promise<unknown>;

  readonly #worker: Worker;

  constructor(part: LoadPart["part"], other: MessagePort) {
    const worker = new Worker(new URL("./load-worker.js", import.meta.url), {
      workerData: { part, other } satisfies LoadPart,
      transferList: [other],
    });
    this.#worker = worker;
    this.ended = new Promise((resolve) => worker.once("exit", resolve));
    const exit = once(worker, "exit").then(([code]): never => {
      throw new EndedThreadError(`a thread that loads the index ended with code ${code}`);
    });
    const inbox = new Inbox(worker);
    this.first = madeNext(inbox, exit);
    this.second = madeNext(inbox, exit);
    // The first failure is told; what it does to all else is not.
    for (const made of [this.first, this.second, exit]) made.catch(() => {});
  }

  /** @param work null: there is none, and the thread ends */
  begin(work: LoadWork | null): void {
    this.#worker.postMessage(work);
  }

  /** What it makes last, when it has ended. */
  async last<T extends LaterPart | Compared>(): Promise<T> {
    const made = await this.second;
    await this.ended;
    return made as T;
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}

async function madeNext<T extends object>(inbox: Inbox, exit: Promise<never>): Promise<T> {
  const made = await Promise.race([inbox.next<T | BadLoad>(), exit]);
  if ("bad" in made) throw new BadSnapshotError(made.bad);
  return made;
}
