import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { LOAD_LIMITS } from "../answer/limits.js";
import { type EngineIndex, listingPartOf, rankListings } from "../engine/engine.js";
import { gramRows, postingsOf } from "../engine/postings.js";
import { BadSnapshotError, unreadable } from "../store/bad-snapshot.js";
import type { Manifest, Segment } from "../store/format.js";
import { segmentsIn } from "../store/reader.js";
import type { SegmentDirectory } from "../store/segments/directory.js";
import type { BadLoad, LoadWork } from "./load-worker.js";

/** Everything of a snapshot that stays in memory, as plain data. */
export interface LoadedIndex {
  readonly index: EngineIndex;
  /** By segment. Null if the store's packs are elsewhere: their directories are then read when they are needed. */
  readonly directories: readonly SegmentDirectory[] | null;
  /** The number of different hosts in the directories. */
  readonly reports: number | null;
}

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
  /** Milliseconds that loading may take. */
  readonly stepMs?: number;
  /** Tables of at most this many rows are loaded in the calling thread. */
  readonly aloneRowsMax?: number;
  /** Bytes of memory that the process can still get. Default: what the system says. */
  readonly freeBytes?: number;
}

/**
 * Loads a snapshot's index. A small one is loaded in the calling thread: starting another thread costs more. A large
 * one is loaded in a thread, while this one keeps answering requests. The index arrives without a copy.
 * @throws BadSnapshotError if one of the snapshot's files is missing or damaged, or if loading takes too long or
 * more memory than is free
 */
export async function loadIndex(
  { store, manifest }: { readonly store: string; readonly manifest: Manifest },
  options: IndexOptions,
): Promise<LoadedIndex> {
  const { segments, vocabulary } = manifest;
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  const { isAside, hasPacks = true, stepMs = stepMsOf(rows) } = options;
  const source = { store, hasPacks, segments, vocabulary };
  const directories = segments.reduce((sum, { directory }) => sum + directory.bytes, 0);
  requireRoom(rows, hasPacks ? directories : 0, options.freeBytes ?? process.availableMemory());
  if (rows <= (options.aloneRowsMax ?? LOAD_LIMITS.aloneRowsMax)) return indexOf(source, pause);
  return loadInThread({ ...source, isAside }, stepMs);
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
async function loadInThread(work: LoadWork, limitMs: number): Promise<LoadedIndex> {
  const worker = new Worker(new URL("./load-worker.js", import.meta.url), { workerData: work });
  let made: LoadedIndex | BadLoad | null = null;
  let failure: unknown = null;
  worker.once("message", (message) => {
    made = message;
  });
  worker.once("error", (error) => {
    failure = error;
  });
  const timer = setTimeout(() => {
    const seconds = (limitMs / 1_000).toFixed(0);
    failure = new BadSnapshotError(`loading it took longer than ${seconds} s`);
    void worker.terminate();
  }, limitMs);
  const code = await new Promise<number>((resolve) => worker.once("exit", resolve));
  clearTimeout(timer);
  return requireLoaded(made, failure ?? new Error(`the thread that loads ended with code ${code}`));
}

/** @throws the failure if there is no index, or the reason why the snapshot is bad */
function requireLoaded(made: LoadedIndex | BadLoad | null, failure: unknown): LoadedIndex {
  if (made === null) throw failure;
  if ("bad" in made) throw new BadSnapshotError(made.bad);
  return made;
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
): Promise<LoadedIndex> {
  try {
    return await madeIndex(source, pause);
  } catch (error) {
    // An array could not be allocated, or would be too long.
    if (!(error instanceof RangeError)) throw error;
    throw new BadSnapshotError(`it is too large for this process: ${error.message}`, {
      cause: error,
    });
  }
}

async function madeIndex(
  { store, hasPacks, segments, vocabulary }: IndexSource,
  pause: () => Promise<unknown>,
): Promise<LoadedIndex> {
  if (hasPacks) checkPackSizes(store, segments);
  const stored = segmentsIn(store, segments, vocabulary);
  const ranking = rankListings(await stored.searchRows(pause));
  await pause();
  const part = listingPartOf(ranking, vocabulary);
  await pause();
  const grams = gramRows(part.text);
  await pause();
  const postings = postingsOf(part.text, grams, part.orders.host);
  await pause();
  const index = { ...part, postings };
  if (!hasPacks) return { index, directories: null, reports: null };
  const reports = (await stored.live()).reduce((sum, { length }) => sum + length, 0);
  return { index, directories: await stored.directories(), reports };
}

/**
 * Checks the sizes of packs. Synchronous: this takes microseconds for each pack, and promises would take
 * many times as long.
 * @throws BadSnapshotError at the first pack that is missing or has another size
 */
export function checkPackSizes(store: string, segments: readonly Segment[]): void {
  for (const { pack } of segments) {
    const { file, bytes } = pack;
    const size = sizeOf(join(store, file), file);
    if (size !== bytes) throw new BadSnapshotError(`${file} has ${size} bytes, expected ${bytes}`);
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
