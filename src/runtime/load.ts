import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { AnswerColumns } from "../columns/answers.js";
import type { EngineIndex, TextPart } from "../engine/engine.js";
import { BadSnapshotError } from "../store/reader.js";
import type { BadLoad, LoadedListings, LoadPart, LoadWork } from "./load-worker.js";

/** All of a snapshot that is held in memory, as plain data. */
export interface LoadedIndex {
  readonly index: EngineIndex;
  readonly answers: AnswerColumns;
}

/**
 * Makes a snapshot's index in threads of its own, so that requests go on being answered meanwhile: one
 * reads the files and makes the postings, the other, of the same memory, the rest. It comes without a copy.
 * @throws BadSnapshotError where a file of it is gone or damaged
 */
export async function loadIndex(work: LoadWork): Promise<LoadedIndex> {
  const { port1, port2 } = new MessageChannel();
  const text = new LoadThread<TextPart>({ ...work, part: "text", files: port1 });
  const rest = new LoadThread<LoadedListings>({ ...work, part: "listings", files: port2 });
  try {
    const [{ postings }, { listings, answers }] = await Promise.all([text.made, rest.made]);
    return { index: { ...listings, postings }, answers };
  } finally {
    await Promise.all([text.end(), rest.end()]);
  }
}

class LoadThread<T extends object> {
  readonly made: Promise<T>;
  readonly #worker: Worker;

  constructor(part: LoadPart & { readonly files: MessagePort }) {
    this.#worker = new Worker(new URL("./load-worker.js", import.meta.url), {
      workerData: part,
      transferList: [part.files],
    });
    const exit = once(this.#worker, "exit").then(([code]): never => {
      throw new Error(`a thread that loads the index ended with code ${code}`);
    });
    this.made = Promise.race([once(this.#worker, "message"), exit]).then(([message]) => {
      const made = message as T | BadLoad;
      if ("bad" in made) throw new BadSnapshotError(made.bad);
      return made;
    });
    // The first failure is told; what it does to the other thread is not.
    this.made.catch(() => {});
    exit.catch(() => {});
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
