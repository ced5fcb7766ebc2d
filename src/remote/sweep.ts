import { type OnProgress, PHASES } from "../options/defaults.js";
import { GENERATIONS_KEPT } from "./generations.js";
import { type Inventory, takeInventory } from "./inventory.js";
import { underMark } from "./mark.js";
import { folderId, generationPath } from "./paths.js";
import { inParallel } from "./retrying.js";
import type { S3Bucket } from "./s3-bucket.js";
import { MARK_LIFE_MS } from "./uploads.js";

/** How many objects are deleted at the same time. */
const DELETED_AT_ONCE = 16;
/** A sweep deletes for this long by the store's clock: other pushes wait for it. A later one deletes the rest. */
const SWEEP_MAX_MS = 60_000;

/** What stays in a bucket. */
export interface Retention {
  /** How many of the newest generations keep their files. */
  readonly keep: number;
  readonly graceMs: number;
}

/** The paths of all files of a generation's snapshot, its manifest included; null if the manifest is lost. */
export type FilesOfGeneration = (generation: number) => Promise<readonly string[] | null>;

/**
 * Whether a push should sweep: only if the list has something old that the new snapshot does not name, and only once in
 * half of the grace time. A sweep reads the manifest of each generation that was replaced within the grace time, which
 * would cost too much for pushes that follow each other by seconds.
 * @param named files of kept generations, as far as the push knows them
 * @param storeTime the store's time now
 */
export function isSweepDue(
  inventory: Inventory,
  named: ReadonlySet<string>,
  storeTime: number,
  { keep, graceMs }: Retention,
): boolean {
  const { now, content, generations, newest, marks } = inventory;
  const isOld = (modified: number) => now - modified >= graceMs;
  const slot = (time: number) => Math.floor(time / (graceMs / 2));
  const latest = generations.get(newest);
  if (latest !== undefined && slot(latest) === slot(storeTime)) return false;
  const oldest = newest - Math.max(keep, GENERATIONS_KEPT);
  return (
    [...content.values()].some(({ path, modified }) => !named.has(path) && isOld(modified)) ||
    [...generations].some(([number, modified]) => number <= oldest && isOld(modified)) ||
    marks.some(({ modified }) => now - modified >= MARK_LIFE_MS)
  );
}

/**
 * Deletes files of our own names that no kept generation names: neither one of the newest `keep`, nor one that was
 * among them less than the grace time ago. Files younger than the grace time stay: a push may be about to name them.
 * `uploads.ts` says why no other push can lose a file that it relies on. Old generations go too, the oldest first, and
 * marks of sweeps that were killed.
 * @returns the number of deleted objects; null if the manifest of a kept generation is lost, so that nothing was deleted
 */
export function sweep(
  bucket: S3Bucket,
  filesOf: FilesOfGeneration,
  retention: Retention,
  onProgress: OnProgress | undefined,
): Promise<number | null> {
  return underMark(bucket, async (held) => {
    const inventory = await takeInventory(bucket, held.signal);
    const named = await namedFiles(inventory, filesOf, retention);
    if (named === null) return null;
    const { content, generations, newest, marks, now } = inventory;
    const isOld = (modified: number) => now - modified >= retention.graceMs;
    const files = [...content.values()]
      .filter(({ path, modified }) => isOld(modified) && !isNamed(named, path))
      .map(({ path }) => path);
    const dead = marks
      .filter(({ modified }) => now - modified >= MARK_LIFE_MS)
      .map(({ path }) => path);
    const oldest = newest - Math.max(retention.keep, GENERATIONS_KEPT);
    const old = [...generations]
      .filter(([number, modified]) => number <= oldest && isOld(modified))
      .map(([number]) => number)
      .sort((a, b) => a - b);
    let deleted = 0;
    const began = bucket.storeTime;
    const remove = async (path: string): Promise<void> => {
      if (bucket.storeTime - began > SWEEP_MAX_MS) return;
      held.require();
      await bucket.remove(path, held.signal);
      deleted += 1;
      onProgress?.(deleted, files.length + old.length + dead.length, PHASES.removing);
    };
    await inParallel([...files, ...dead], DELETED_AT_ONCE, remove);
    // One after the other: a reader takes a generation without a next one for the newest.
    for (const number of old) await remove(generationPath(number));
    return deleted;
  });
}

/** Signatures are in no manifest: all files in the folder of a kept snapshot stay. */
function isNamed({ files, ids }: NamedFiles, path: string): boolean {
  const id = folderId(path);
  return id === null ? files.has(path) : ids.has(id);
}

interface NamedFiles {
  readonly files: ReadonlySet<string>;
  /** The ids of the snapshots. */
  readonly ids: ReadonlySet<string>;
}

/** The files that stay because of a generation; null if they cannot be known. */
async function namedFiles(
  { generations, newest, now }: Inventory,
  filesOf: FilesOfGeneration,
  { keep, graceMs }: Retention,
): Promise<NamedFiles | null> {
  const files = new Set<string>();
  const ids = new Set<string>();
  for (let number = newest; generations.has(number); number -= 1) {
    // With this one created, the generation was no longer among the newest `keep`.
    const replaced = generations.get(number + keep);
    if (replaced !== undefined && now - replaced >= graceMs) break;
    const found = await filesOf(number);
    if (found === null) return null;
    for (const file of found) {
      files.add(file);
      const id = folderId(file);
      if (id !== null) ids.add(id);
    }
  }
  return { files, ids };
}
