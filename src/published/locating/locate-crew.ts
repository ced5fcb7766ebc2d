import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TakenProblems } from "../checking/problem.js";
import type { SourceFile } from "./files.js";
import type { KnownFile } from "./locate.js";
import type { LocateReply, LocateWork } from "./locate-worker.js";
import { recordsBetween } from "./record-index.js";

/** A thread gets files of about this many bytes at a time. */
const THREAD_BYTES = 32 * 1024 * 1024;

export interface LocateCrewOptions {
  readonly jobs: number;
  onProblems(problems: TakenProblems): void;
  /** Called with the bytes read since the last call. */
  onRead(bytes: number): void;
  /** Aborts locating; the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** A file and its size. */
export interface SizedFile {
  readonly file: SourceFile;
  readonly bytes: number;
}

/** Files whose records were located by threads. */
export interface LocatedInThreads {
  /** The files by name, without those that could not be read. */
  readonly files: ReadonlyMap<string, KnownFile>;
  /** How many records name no host; their problems are already reported. */
  readonly lost: number;
}

/**
 * Locates the records of files in threads, each of which takes some files at a time. Locates nothing if
 * there is too little to read, or too few jobs, for threads to pay off.
 */
export async function locateInThreads(
  files: readonly SizedFile[],
  work: LocateWork,
  { jobs, onProblems, onRead, signal }: LocateCrewOptions,
): Promise<LocatedInThreads> {
  const located = new Map<string, KnownFile>();
  const chunks = jobs > 1 ? chunksOf(files) : [];
  if (chunks.length < 2) return { files: located, lost: 0 };
  let lost = 0;
  const take = (reply: LocateReply) => {
    for (const { name, state, start, end } of reply.files) {
      const records = recordsBetween(reply.columns, start, end);
      located.set(name, { state, records, isNew: true });
    }
    lost += reply.lost;
    onProblems(reply.problems);
  };
  const workers = Array.from({ length: Math.min(jobs, chunks.length) }, () => {
    return new Worker(new URL("./locate-worker.js", import.meta.url), { workerData: work });
  });
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
          worker.postMessage(chunk.files);
          take(await replyOf(worker, signal));
          onRead(chunk.bytes);
        }
      }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { files: located, lost };
}

/** @throws the error that ended the thread, or the signal's reason */
async function replyOf(worker: Worker, signal: AbortSignal | undefined): Promise<LocateReply> {
  const over = new AbortController();
  const options = { signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal };
  try {
    const message = once(worker, "message", options);
    const exit = once(worker, "exit", options).then(([code]) => {
      throw new Error(`a thread that locates records ended with code ${code}`);
    });
    const [reply]: LocateReply[] = await Promise.race([message, exit]);
    if (reply === undefined) throw new Error("a thread that locates records sent no reply");
    return reply;
  } finally {
    over.abort();
  }
}

/** Files for one thread at a time, and their bytes together. */
interface Chunk {
  readonly files: SourceFile[];
  bytes: number;
}

/** Divides files into runs of about `THREAD_BYTES`. */
function chunksOf(files: readonly SizedFile[]): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk = { files: [], bytes: THREAD_BYTES };
  for (const { file, bytes } of files) {
    if (chunk.bytes >= THREAD_BYTES) {
      chunk = { files: [], bytes: 0 };
      chunks.push(chunk);
    }
    chunk.files.push(file);
    chunk.bytes += bytes;
  }
  return chunks;
}
