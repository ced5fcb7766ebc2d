import { inParallel } from "../contract/tables.js";
import { PATIENCE, RemoteError } from "./failures.js";
import { folderId, isContent, manifestPath } from "./objects.js";
import type { ListedObject, S3Bucket } from "./s3-bucket.js";

/*
 * The files of a bucket that no kept snapshot needs. A push deletes them after its commit, while `current.json` says
 * so: another push that has begun before the commit cannot commit, and one that begins later does not start before
 * the end.
 */

/** How many objects are deleted at the same time. */
const DELETED_AT_ONCE = 16;

/** What stays in a bucket. */
export interface Retention {
  /** How many of the newest snapshots keep their files. */
  readonly keep: number;
  readonly graceMs: number;
}

/** The files of snapshots in a bucket, at one moment. */
export interface Inventory {
  /** The store's time, in milliseconds since 1970. All ages are measured by the store's clock. */
  readonly now: number;
  /** By path. Objects with names that are not ours are left out. */
  readonly content: ReadonlyMap<string, ListedObject>;
}

/** @throws RemoteError */
export async function takeInventory(bucket: S3Bucket, signal?: AbortSignal): Promise<Inventory> {
  const content = new Map<string, ListedObject>();
  for (const object of await bucket.list(signal)) {
    if (isContent(object.path)) content.set(object.path, object);
  }
  return { now: bucket.storeTime, content };
}

/**
 * The paths of files that no kept snapshot names. A snapshot is kept if it is one of the newest `keep`, or was one less
 * than the grace time ago. Files younger than the grace time stay: a push that was refused may be run again.
 * @param current the snapshot that is current after the push, and whether another one was before
 * @param pathsOf reads the paths of all files of a snapshot; null if its manifest is lost
 * @returns null if the manifest of a kept snapshot is lost, so that the old files cannot be known
 */
export async function oldPaths(
  { now, content }: Inventory,
  { keep, graceMs }: Retention,
  { id: current, isNew }: { readonly id: string; readonly isNew: boolean },
  pathsOf: (id: string) => Promise<readonly string[] | null>,
): Promise<string[] | null> {
  const isOld = ({ modified }: ListedObject) => now - modified >= graceMs;
  const own = new Set(await pathsOf(current));
  const candidates = [...content.values()].filter(
    (object) => isOld(object) && folderId(object.path) !== current && !own.has(object.path),
  );
  if (candidates.length === 0) return [];
  // A push that was killed may have sent the manifest long ago.
  const writtenAt = (id: string) =>
    isNew && id === current ? now : (content.get(manifestPath(id))?.modified ?? now);
  const found = [...content.keys()].flatMap((path) => {
    const id = folderId(path);
    return id !== null && id !== current && path === manifestPath(id) ? [id] : [];
  });
  const newest = [current, ...found.sort((a, b) => writtenAt(b) - writtenAt(a))];
  const kept = newest.filter((_, index) => {
    const replacedBy = newest[index - keep];
    return replacedBy === undefined || now - writtenAt(replacedBy) < graceMs;
  });
  const named = new Set<string>();
  for (const id of kept) {
    const paths = await pathsOf(id);
    if (paths === null) return null;
    for (const path of paths) named.add(path);
  }
  return candidates
    .map(({ path }) => path)
    .filter((path) => {
      // Signatures are in no manifest: all files in the folder of a kept snapshot stay.
      const id = folderId(path);
      return id === null ? !named.has(path) : !kept.includes(id);
    });
}

/**
 * Deletes old files, right after a push has marked `current.json`. A later push deletes those that are left after a
 * third of `PATIENCE.deletingMs`; other pushes wait three times as long, for requests that are late.
 * @param marked when the mark was written, by the store's clock. The answer may have been late
 * @param onDeleted called with the number of deleted objects
 * @throws RemoteError
 */
export async function deleteFiles(
  bucket: S3Bucket,
  paths: readonly string[],
  marked: number,
  onDeleted: (deleted: number) => void,
): Promise<void> {
  const ms = PATIENCE.deletingMs / 3;
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new RemoteError(`${bucket.name} takes too long to delete files`)),
    ms,
  );
  let deleted = 0;
  try {
    await inParallel(paths, DELETED_AT_ONCE, async (path) => {
      if (bucket.storeTime - marked > ms) return;
      await bucket.remove(path, stop.signal);
      deleted += 1;
      onDeleted(deleted);
    });
  } finally {
    clearTimeout(timer);
  }
}
