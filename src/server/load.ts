import { ChildProcess, fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { LOAD_LIMITS } from "../answer/limits.js";
import { listingPartOf, rankListings } from "../engine/engine.js";
import { gramRows, type Postings, postingsOf } from "../engine/postings.js";
import type { Permutation } from "../engine/sets.js";
import { type FoldedText, gatherText } from "../engine/text.js";
import { BadSnapshotError, unreadable } from "../store/bad-snapshot.js";
import type { Manifest } from "../store/format.js";
import { segmentsIn } from "../store/reader.js";
import {
  indexPath,
  type LoadedBlock,
  mayWriteIndex,
  readIndexFile,
  tidyIndexFiles,
  writeIndexFile,
} from "./index-file.js";
import type { BadLoad, LoadWork } from "./load-worker.js";
import { type MadeIndex, packMade } from "./loaded-index.js";
import { blockOf } from "./packed-index.js";
import type { PostingsWork } from "./postings-worker.js";

/** The parts of a stored snapshot that its index is made from. */
export interface IndexSource {
  /** The folder with the tables. */
  readonly store: string;
  /** Whether the folder has the packs, too. */
  readonly hasPacks: boolean;
  readonly segments: Manifest["segments"];
  readonly vocabulary: Manifest["vocabulary"];
}

export interface IndexOptions {
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside: boolean;
  /** Default: true. */
  readonly hasPacks?: boolean;
  /** The folder of index files. Default: the index is made from the tables, and not kept. */
  readonly indexFolder?: string | null | undefined;
  /** Milliseconds that loading may take. */
  readonly stepMs?: number;
  /** Tables of at most this many rows are loaded in the calling thread. */
  readonly aloneRowsMax?: number;
  /** Indexes of fewer rows are not kept in a file. */
  readonly indexRowsMin?: number;
  /** Bytes of summaries and scans up to which they are in memory, not only in the file. */
  readonly outsideBytesMax?: number;
  /** Bytes of memory that the process can still get. Default: what the system says. */
  readonly freeBytes?: number;
}

/** A snapshot in a store's folder. */
export interface StoredFacts {
  readonly store: string;
  readonly id: string;
  readonly manifest: Manifest;
}

/**
 * Loads a snapshot's index: from its file, or from the tables, which also writes the file. A small index is made in the
 * calling thread: starting another one costs more. A large one is made in another process or thread, while this one
 * keeps answering requests.
 * @throws BadSnapshotError if one of the snapshot's files is missing or damaged, or if loading takes too long or
 * more memory than is free
 */
export async function loadIndex(
  snapshot: StoredFacts,
  options: IndexOptions,
): Promise<LoadedBlock> {
  const loaded = await loadKept(snapshot, options);
  if (options.indexFolder) await tidyIndexFiles(options.indexFolder, snapshot.id);
  return loaded;
}

async function loadKept(
  { store, id, manifest }: StoredFacts,
  options: IndexOptions,
): Promise<LoadedBlock> {
  const { segments, vocabulary } = manifest;
  const { isAside, hasPacks = true, indexFolder = null } = options;
  const free = options.freeBytes ?? process.availableMemory();
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  const source = { store, hasPacks, segments, vocabulary };
  const isKept = indexFolder !== null && rows >= (options.indexRowsMin ?? LOAD_LIMITS.indexRowsMin);
  const path = !isKept ? null : indexPath(indexFolder, id, hasPacks);
  const outsideMax = options.outsideBytesMax ?? LOAD_LIMITS.outsideBytesMax;
  const read = async () => (path === null ? null : readIndexFile(path, free, outsideMax));
  const kept = await read();
  if (kept !== null) return withPacks(kept, source);
  const directories = segments.reduce((sum, { directory }) => sum + directory.bytes, 0);
  requireRoom(rows, hasPacks ? directories : 0, free);
  const isSmall = rows <= (options.aloneRowsMax ?? LOAD_LIMITS.aloneRowsMax);
  const limitMs = options.stepMs ?? stepMsOf(rows);
  const work = { ...source, path, isAside };
  if (path === null || isSmall) {
    const block = await (isSmall ? blockFrom(source, path, pause) : loadInThread(work, limitMs));
    if (block !== null) return { block, file: null };
  } else if (await mayWriteIndex(path, rows)) {
    await loadInProcess(work, limitMs);
  }
  const written = await read();
  if (written !== null) return written;
  // There is no room for the file, another server has deleted it, or the disk has damaged it.
  return loadKept({ store, id, manifest }, { ...options, indexFolder: null });
}

/** An index from its file, if the packs are as they should be. @throws BadSnapshotError if they are not */
async function withPacks(kept: LoadedBlock, source: IndexSource): Promise<LoadedBlock> {
  try {
    await checkPackSizes(source, pause);
    return kept;
  } catch (error) {
    await kept.file?.file.close();
    throw error;
  }
}

/**
 * Makes an index from its tables, and writes its file.
 * @param path of the file; null writes none
 * @returns null if the file has it; else the whole index as a block
 * @throws BadSnapshotError as `indexOf` does
 */
export async function blockFrom(
  source: IndexSource,
  path: string | null,
  pause: () => Promise<unknown>,
): Promise<SharedArrayBuffer | null> {
  const packed = packMade(await indexOf(source, pause));
  if (path !== null && (await writeIndexFile(path, packed))) return null;
  return inMemory(() => blockOf(packed, true));
}

/** Makes the file of an index, if it can be written. @throws BadSnapshotError as `indexOf` does */
export async function writeIndex(source: IndexSource, path: string): Promise<void> {
  const made = await indexOf(source, async () => {}, postingsInThread);
  await writeIndexFile(path, packMade(made));
}

/**
 * Refuses a load that would end the process, and with it the snapshot that answers now.
 * @param directoryBytes those of all directories, which stay in memory
 */
function requireRoom(rows: number, directoryBytes: number, freeBytes: number): void {
  const needed = Math.max(rows * LOAD_LIMITS.bytesPerRow, directoryBytes);
  if (needed <= freeBytes) return;
  const [megabytes, free] = [needed, freeBytes].map((bytes) => Math.ceil(bytes / 1e6));
  throw new BadSnapshotError(
    `it has ${rows} listings in search, and loading them takes about ${megabytes} MB of memory, of ` +
      `which ${free} MB are free: give the process more memory`,
  );
}

/** Milliseconds that loading this many rows may take. */
function stepMsOf(rows: number): number {
  const { stepMs, stepMsPerRow, stepMsMax } = LOAD_LIMITS;
  return Math.min(stepMs + stepMsPerRow * rows, stepMsMax);
}

/**
 * Loads an index in another thread, which has ended when this returns or throws. It is terminated only if it takes
 * too long: a thread that is terminated while it opens its modules leaves their files open as long as the process
 * lives.
 */
function loadInThread(work: LoadWork, limitMs: number): Promise<SharedArrayBuffer | null> {
  const worker = new Worker(new URL("./load-worker.js", import.meta.url), { workerData: work });
  return loadedBy(worker, () => void worker.terminate(), limitMs);
}

/**
 * Makes an index and its file in another process: the memory that this takes goes back to the system, while a thread
 * would leave holes of 100 MB at 100,000 listings.
 */
function loadInProcess(work: LoadWork, limitMs: number): Promise<SharedArrayBuffer | null> {
  const child = fork(fileURLToPath(new URL("./load-worker.js", import.meta.url)), {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const loaded = loadedBy(child, () => void child.kill("SIGKILL"), limitMs);
  if (child.pid !== undefined) child.send(work);
  return loaded;
}

async function loadedBy(
  worker: EventEmitter,
  end: () => void,
  limitMs: number,
): Promise<SharedArrayBuffer | null> {
  let made: LoadReply | null = null;
  let failure: unknown = null;
  worker.once("message", (message: LoadReply) => {
    made = message;
  });
  worker.once("error", (error) => {
    failure = error;
  });
  const timer = setTimeout(() => {
    const seconds = (limitMs / 1_000).toFixed(0);
    failure = new BadSnapshotError(`loading it took longer than ${seconds} s`);
    end();
  }, limitMs);
  const code = await new Promise<number | null>((resolve) => {
    worker.once("exit", resolve);
    // A process that could not be started has no end.
    if (worker instanceof ChildProcess && worker.pid === undefined)
      worker.once("error", () => resolve(null));
  });
  clearTimeout(timer);
  return requireLoaded(
    made,
    failure ?? new Error(`the process or thread that loads it ended with ${code}`),
  );
}

/** What was made, or why it could not be. */
export type LoadReply = { readonly block: SharedArrayBuffer | null } | BadLoad;

/** @throws the failure if there is no reply, or the reason why the snapshot is bad */
function requireLoaded(made: LoadReply | null, failure: unknown): SharedArrayBuffer | null {
  if (made === null) throw failure;
  if ("bad" in made) throw new BadSnapshotError(made.bad);
  return made.block;
}

/**
 * Makes a snapshot's index from its tables.
 * @param pause is awaited after each step, so that a thread that also answers requests can do so
 * @throws BadSnapshotError if one of the snapshot's files is missing or damaged, or if the process cannot hold the
 * index
 */
export async function indexOf(
  source: IndexSource,
  pause: () => Promise<unknown>,
  makePostings: MakePostings = async (text, hostOrder) => {
    const grams = gramRows(text);
    await pause();
    return postingsOf(text, grams, hostOrder);
  },
): Promise<MadeIndex> {
  return inMemory(() => madeIndex(source, pause, makePostings));
}

type MakePostings = (text: FoldedText, hostOrder: Permutation) => Promise<Postings>;

/** Makes postings in another thread, while this one makes the rest of the index: they take two fifths of the time. */
const postingsInThread: MakePostings = (text, hostOrder) => {
  const work: PostingsWork = { text, hostOrder };
  const worker = new Worker(new URL("./postings-worker.js", import.meta.url), { workerData: work });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread for postings ended with ${code}`)));
  });
};

/** @throws BadSnapshotError if an array cannot be allocated, or would be too long */
async function inMemory<T>(make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BadSnapshotError(`it is too large for this process: ${error.message}`, {
      cause: error,
    });
  }
}

async function madeIndex(
  source: IndexSource,
  pause: () => Promise<unknown>,
  makePostings: MakePostings,
): Promise<MadeIndex> {
  const { store, hasPacks, segments, vocabulary } = source;
  await checkPackSizes(source, pause);
  const stored = segmentsIn(store, segments, vocabulary);
  const ranking = rankListings(await stored.searchRows(pause));
  await pause();
  const text = gatherText(ranking);
  const making = makePostings(text, ranking.orders.host);
  // If the rest fails first, nobody waits for them.
  making.catch(() => {});
  await pause();
  const part = listingPartOf(ranking, vocabulary, text);
  await pause();
  const index = { ...part, postings: await making };
  if (!hasPacks) return { index, directories: null, reports: null };
  const reports = (await stored.live()).reduce((sum, { length }) => sum + length, 0);
  return { index, directories: await stored.directories(), reports };
}

/** Packs whose sizes are checked at a time. Each takes microseconds; a promise for each would take many times that. */
const PACKS_A_SLICE = 500;

/** Checks the sizes of packs. @throws BadSnapshotError at the first pack that is missing or has another size */
export async function checkPackSizes(
  { store, hasPacks, segments }: Pick<IndexSource, "store" | "hasPacks" | "segments">,
  pause: () => Promise<unknown>,
): Promise<void> {
  if (!hasPacks) return;
  for (const [at, { pack }] of segments.entries()) {
    const { file, bytes } = pack;
    const size = sizeOf(join(store, file), file);
    if (size !== bytes) throw new BadSnapshotError(`${file} has ${size} bytes, expected ${bytes}`);
    if ((at + 1) % PACKS_A_SLICE === 0) await pause();
  }
}

function sizeOf(path: string, name: string): number {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    throw unreadable(name, error);
  }
  throw new BadSnapshotError(`${name} is not a regular file`);
}
