import { once } from "node:events";
import { setImmediate as pause } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import {
  buildListingPart,
  type EngineIndex,
  type ListingPart,
  rankListings,
} from "../../engine/engine.js";
import { GramGatherer } from "../../engine/text/gram-sets.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { checkPackSizes } from "../../store/packs/pack-sizes.js";
import type { StoredSnapshot } from "../../store/reader.js";
import type { AnswerColumns } from "../../store/segments/answer-table.js";
import { liveRows } from "../../store/segments/live.js";
import { withGrams } from "../../store/segments/rows.js";
import { checking, readAnswers, readStoredTable } from "../../store/segments/set.js";
import { LOAD_LIMITS } from "../limits.js";
import { Inbox } from "./inbox.js";
import type { BadLoad, LoadedText, LoadWork } from "./load-worker.js";

/** Everything of a snapshot that stays in memory, as plain data. */
export interface LoadedIndex {
  readonly index: EngineIndex;
  readonly answers: AnswerColumns;
}

export interface IndexOptions {
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
  /** Milliseconds that loading may take. */
  readonly stepMs?: number;
  /** Tables of at most this many rows are loaded in the calling thread. */
  readonly aloneRowsMax?: number;
}

/**
 * Loads a snapshot's index. A small one is loaded in the calling thread: starting two threads takes a second of
 * processor time. A large one is loaded in two threads that share memory, while this thread goes on answering requests.
 * The index arrives without a copy. If loading fails, both threads have ended.
 * @throws BadSnapshotError if one of the snapshot's files is missing or damaged, or if loading takes too long
 */
export async function loadIndex(
  stored: StoredSnapshot,
  options: IndexOptions,
): Promise<LoadedIndex> {
  const { segments, vocabulary } = stored.manifest;
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  const { isAside, stepMs = stepMsOf(rows) } = options;
  if (rows <= (options.aloneRowsMax ?? LOAD_LIMITS.aloneRowsMax)) return loadAlone(stored);
  const work = { store: stored.store, segments, vocabulary, isAside };
  const [text, rest] = await startThreads(work);
  try {
    const both = bothOf(text.next<LoadedText>(), rest.next<ListingPart>());
    const [{ postings, answers }, listings] = await within(stepMs, both, [text, rest]);
    return { index: { ...listings, postings }, answers };
  } finally {
    await Promise.all([text.ended, rest.ended]);
  }
}

/** Loads an index in the calling thread, and lets requests be answered after each step. @throws BadSnapshotError */
async function loadAlone({ store, manifest }: StoredSnapshot): Promise<LoadedIndex> {
  const { segments, vocabulary } = manifest;
  checkPackSizes(store, segments);
  const tables = segments.map((segment) => readStoredTable(store, segment));
  const live = liveRows(tables.map(({ hosts }) => hosts));
  await pause();
  const listings = [];
  for (const [number, table] of tables.entries()) {
    const rows = () => withGrams(table.rows(vocabulary, live[number]!));
    listings.push(checking(segments[number]!.table.file, rows));
    await pause();
  }
  const gatherer = new GramGatherer(listings);
  await pause();
  const ranking = rankListings(listings);
  await pause();
  const postings = gatherer.finish(ranking);
  await pause();
  const index = { ...buildListingPart(ranking, vocabulary), postings };
  await pause();
  return { index, answers: readAnswers(store, segments) };
}

/** Starts both threads. If the second cannot be started, the first one ends too. */
async function startThreads(
  work: Omit<LoadWork, "part" | "other">,
): Promise<readonly [text: LoadThread, rest: LoadThread]> {
  const { port1, port2 } = new MessageChannel();
  const text = new LoadThread({ ...work, part: "text", other: port1 });
  try {
    return [text, new LoadThread({ ...work, part: "listings", other: port2 })];
  } catch (error) {
    port2.close();
    await text.ended;
    throw error;
  }
}

/** Milliseconds that loading so many rows may take. */
function stepMsOf(rows: number): number {
  const { stepMs, stepMsPerRow, stepMsMax } = LOAD_LIMITS;
  return Math.min(stepMs + stepMsPerRow * rows, stepMsMax);
}

/**
 * Waits for a step of the loading, and terminates its threads if it takes too long.
 * @throws BadSnapshotError if the step takes too long, else the step's own error
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
    throw new BadSnapshotError(`loading it took longer than ${seconds} s`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Says that a thread ended before it made its part, because the other one failed. */
class EndedThreadError extends Error {
  override readonly name = "EndedThreadError";
}

/**
 * Waits for both parts, even if one fails, so that nothing keeps running after a failure.
 * @throws the root cause, not the error of a thread that only ended because the other one failed
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
 * A thread ends when it has made its parts, or when the other thread closes their channel. It is terminated only if it
 * takes too long: a thread that is terminated while it opens its modules leaves their files open as long as the process
 * lives.
 */
class LoadThread {
  readonly ended: Promise<unknown>;
  readonly #worker: Worker;
  readonly #inbox: Inbox;
  readonly #exit: Promise<never>;

  constructor(work: LoadWork) {
    const worker = new Worker(new URL("./load-worker.js", import.meta.url), {
      workerData: work,
      transferList: [work.other],
    });
    this.#worker = worker;
    this.#inbox = new Inbox(worker);
    this.ended = new Promise((resolve) => worker.once("exit", resolve));
    this.#exit = once(worker, "exit").then(([code]): never => {
      throw new EndedThreadError(`a thread that loads the index ended with code ${code}`);
    });
    // `next` reports the failure.
    this.#exit.catch(() => {});
  }

  /**
   * Returns the next part that the thread makes.
   * @throws BadSnapshotError
   */
  async next<T extends object>(): Promise<T> {
    const made = await Promise.race([this.#inbox.next<T | BadLoad>(), this.#exit]);
    if ("bad" in made) throw new BadSnapshotError(made.bad);
    return made;
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}
