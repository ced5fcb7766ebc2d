import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { AnswerColumns } from "../columns/answers.js";
import type { EngineIndex, TextPart } from "../engine/engine.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { BadLoad, LoadedListings, LoadPart, LoadWork } from "./load-worker.js";

/** All of a snapshot that is held in memory, as plain data. */
export interface LoadedIndex {
  readonly index: EngineIndex;
  readonly answers: AnswerColumns;
}

/**
 * Makes a snapshot's index in threads of its own, so that requests go on being answered meanwhile: one
 * reads the files and makes the postings, the other, of the same memory, the rest. It comes without a copy.
 * Both threads have ended when this settles.
 * @throws BadSnapshotError where a file of it is gone or damaged
 */
export async function loadIndex(work: LoadWork): Promise<LoadedIndex> {
  const { port1, port2 } = new MessageChannel();
  const threads: LoadThread<object>[] = [];
  const start = <T extends object>(part: LoadPart["part"], files: MessagePort): Promise<T> => {
    const thread = new LoadThread<T>({ ...work, part, files });
    threads.push(thread);
    return thread.made;
  };
  try {
    const text = start<TextPart>("text", port1);
    const rest = start<LoadedListings>("listings", port2);
    const [{ postings }, { listings, answers }] = await Promise.all([text, rest]);
    return { index: { ...listings, postings }, answers };
  } finally {
    // Where a thread could not be started, its port is here still.
    port1.close();
    port2.close();
    await Promise.all(threads.map(({ ended }) => ended));
  }
}

/**
 * A thread ends by itself: when it has made its part, or when the other one's end of the channel is closed.
 * To terminate it while it opens its modules' files would leave those open for as long as the process lives.
 */
class LoadThread<T extends object> {
  readonly made: Promise<T>;
  readonly ended: Promise<unknown>;

  constructor(part: LoadPart) {
    const worker = new Worker(new URL("./load-worker.js", import.meta.url), {
      workerData: part,
      transferList: [part.files],
    });
    this.ended = new Promise((resolve) => worker.once("exit", resolve));
    const exit = once(worker, "exit").then(([code]): never => {
      throw new Error(`a thread that loads the index ended with code ${code}`);
    });
    this.made = Promise.race([once(worker, "message"), exit]).then(([message]) => {
      const made = message as T | BadLoad;
      if ("bad" in made) throw new BadSnapshotError(made.bad);
      return made;
    });
    // The first failure is told; what it does to the other thread is not.
    this.made.catch(() => {});
    exit.catch(() => {});
  }
}
