import { inParallel } from "../contract/tables.js";
import { RemoteBusyError, RemoteError } from "./errors.js";
import { GENERATIONS_KEPT, hintedGeneration } from "./generations.js";
import { folderId, generationAt, generationPath, isContent } from "./objects.js";
import { PATIENCE, waitAfter } from "./retrying.js";
import type { ListedObject, S3Bucket } from "./s3-bucket.js";

/*
 * How a push deletes old files while others push, without locks: docs/push-and-pull.md, "Two pushes at once". Only a
 * push that has just created a generation deletes, in the first third of `PATIENCE.sweepMs`, and then it writes the hint.
 * So if the hint names the newest generation, or that one is old enough, listed files stay until there is another.
 */

/** How many objects are deleted at the same time. */
const DELETED_AT_ONCE = 16;
/** How often a push checks whether another still deletes. It waits in between as after a fifth try: 96 s or more. */
const ROUNDS_MAX = 60;
const WAIT_TRIES = 5;

/** The objects of a bucket that have our names, at one moment. */
export interface Inventory {
  /** The store's time when the list began or shortly before, in milliseconds. All ages are measured by the store's clock. */
  readonly now: number;
  /** The files of snapshots, by path. */
  readonly content: ReadonlyMap<string, ListedObject>;
  /** The times of the generations, by their numbers. */
  readonly generations: ReadonlyMap<number, number>;
  /** The number of the newest generation; 0 if there is none. */
  readonly newest: number;
  /** The generation that the hint named before the list began; 0 if there is none. */
  readonly hinted: number;
}

/**
 * Lists a bucket while no other push deletes files. Objects with names that are not ours are left out.
 * @throws RemoteError; RemoteBusyError if other pushes delete for too long
 */
export async function settledInventory(bucket: S3Bucket, signal?: AbortSignal): Promise<Inventory> {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const inventory = await takeInventory(bucket, signal);
    const { now, generations, newest, hinted } = inventory;
    if (hinted === newest || now - (generations.get(newest) ?? 0) >= PATIENCE.sweepMs) {
      return inventory;
    }
    await waitAfter(WAIT_TRIES, signal);
  }
  throw new RemoteBusyError(
    `${bucket.name}: other pushes have been deleting files for too long; try again when they are done, or a minute after one was killed`,
  );
}

/** Lists a bucket. The hint is read first: a push that has written it no longer deletes anything. */
export async function takeInventory(bucket: S3Bucket, signal?: AbortSignal): Promise<Inventory> {
  const hinted = await hintedGeneration(bucket, signal);
  const now = bucket.storeTime;
  const content = new Map<string, ListedObject>();
  const generations = new Map<number, number>();
  let newest = 0;
  for (const object of await bucket.list(signal)) {
    const generation = generationAt(object.path);
    if (isContent(object.path)) content.set(object.path, object);
    if (generation === null) continue;
    generations.set(generation, object.modified);
    newest = Math.max(newest, generation);
  }
  if (!Number.isNaN(now)) return { now, content, generations, newest, hinted };
  throw new RemoteError(`${bucket.name} does not tell its time in a Date header`);
}

/** What stays in a bucket. */
export interface Retention {
  /** How many of the newest snapshots keep their files. */
  readonly keep: number;
  readonly graceMs: number;
}

/** Reads the id of a generation, and the paths of all files of a snapshot, its manifest included; null for a lost one. */
export interface Generations {
  readonly idOf: (generation: number) => Promise<string | null>;
  readonly pathsOf: (id: string) => Promise<readonly string[] | null>;
}

/**
 * Whether a push should look for old files: only if the list has something that is old enough, and only once in half of
 * the grace time. The look reads the manifest of each generation that was replaced within the grace time, which would
 * cost too much for pushes that follow each other by seconds.
 */
export function isSweepDue(
  { now, content, generations, newest }: Inventory,
  { keep, graceMs }: Retention,
): boolean {
  const isOld = (modified: number) => now - modified >= graceMs;
  const slot = (time: number) => Math.floor(time / (graceMs / 2));
  const latest = generations.get(newest);
  if (latest !== undefined && slot(latest) === slot(now)) return false;
  const oldest = newest - Math.max(keep, GENERATIONS_KEPT);
  return (
    [...content.values()].some(({ modified }) => isOld(modified)) ||
    [...generations.keys()].some((number) => number <= oldest)
  );
}

/**
 * The paths of files with our kind of names that no kept generation names: neither one of the newest `keep` snapshots,
 * nor one that was among them less than the grace time ago. Files younger than the grace time are not old: a push that
 * was refused may be run again. Old generations come last, the oldest first.
 * @returns null if the manifest of a kept generation is lost, so that the old files cannot be known
 */
export async function oldPaths(
  { now, content, generations, newest }: Inventory,
  { idOf, pathsOf }: Generations,
  { keep, graceMs }: Retention,
): Promise<string[] | null> {
  const named = new Set<string>();
  const ids = new Set<string>();
  /** When each kept snapshot became the newest, the newest one first. One may have several generations in a row. */
  const since: number[] = [];
  let number = newest;
  for (let last = ""; generations.has(number); number -= 1) {
    const id = await idOf(number);
    if (id === null) return null;
    const index = id === last ? since.length - 1 : since.length;
    const replaced = since[index - keep];
    if (replaced !== undefined && now - replaced >= graceMs) break;
    since[index] = generations.get(number) ?? now;
    last = id;
    if (ids.has(id)) continue;
    const paths = await pathsOf(id);
    if (paths === null) return null;
    ids.add(id);
    for (const path of paths) named.add(path);
  }
  const files = [...content.values()].filter(({ path, modified }) => {
    const id = folderId(path);
    // Signatures are in no manifest: all files in the folder of a kept snapshot stay.
    return now - modified >= graceMs && !(id === null ? named.has(path) : ids.has(id));
  });
  const last = Math.min(number, newest - GENERATIONS_KEPT);
  const old = [...generations.keys()].filter((one) => one <= last).sort((a, b) => a - b);
  return [...files.map(({ path }) => path), ...old.map(generationPath)];
}

/**
 * Deletes old files, right after a push has created a generation. What is left after a third of the time is deleted by
 * a later push; other pushes wait three times as long, for requests that are late.
 * @param created the store's time of the generation
 * @param onDeleted called with the number of deleted objects
 * @throws RemoteError
 */
export async function sweep(
  bucket: S3Bucket,
  paths: readonly string[],
  created: number,
  onDeleted: (deleted: number) => void,
): Promise<void> {
  const sweepMs = PATIENCE.sweepMs / 3;
  const stop = new AbortController();
  // A process that was stopped meanwhile runs its timers before anything else.
  const timer = setTimeout(
    () => stop.abort(new RemoteError(`${bucket.name} takes too long to delete files`)),
    sweepMs,
  );
  let deleted = 0;
  const remove = async (path: string): Promise<void> => {
    if (bucket.storeTime - created > sweepMs) return;
    await bucket.remove(path, stop.signal);
    deleted += 1;
    onDeleted(deleted);
  };
  const isFile = (path: string) => generationAt(path) === null;
  try {
    await inParallel(paths.filter(isFile), DELETED_AT_ONCE, remove);
    // One after the other: a reader takes a generation without a next one for the newest.
    for (const path of paths) if (!isFile(path)) await remove(path);
  } finally {
    clearTimeout(timer);
  }
}
