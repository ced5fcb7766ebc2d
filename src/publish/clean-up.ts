import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { disk } from "../files/disk.js";
import { hasCode } from "../files/errors.js";
import type { Lock } from "../files/lock.js";
import { layout, snapshotId } from "../store/layout.js";
import { OWN_NAMES, SHARED_FOLDERS } from "../store/names.js";
import { currentId, snapshotIds } from "../store/reader.js";
import { type BuilderNotes, NO_NOTES, readNotes } from "./notes.js";
import { oldestFirst } from "./snapshots.js";

/**
 * Milliseconds that a snapshot stays after another one becomes current. A server looks for a new
 * snapshot twice a second and loads it within seconds. Until then it reads the files of the old one.
 */
const GRACE_MS = 60_000;

/** A snapshot that is to go, and stays for a while after it was current because servers may still read it. */
export interface LingeringSnapshot {
  /** The snapshot's id. */
  readonly id: string;
  /** The time after which a clean-up deletes it, in UTC. */
  readonly until: string;
}

/**
 * Creates a store's folders. Deletes leftovers of earlier runs and old snapshots, to make room for the
 * files of this run.
 * @param wanted files in `segments/` that stay though no snapshot names them yet
 * @throws StoreLockedError if the lock is lost
 */
export async function prepareStore(
  store: string,
  lock: Lock,
  keep: number,
  notes: BuilderNotes,
  wanted: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const folder of ["", ...SHARED_FOLDERS]) await disk.makeFolder(join(store, folder));
  await cleanUp(store, lock, keep, notes, wanted);
}

/**
 * Deletes the files that a failed run wrote. Never throws: the run's first failure is the one to report,
 * and the next run deletes the rest.
 * @param isNew whether the run created the store. If so, empty folders are deleted too
 */
export async function discardRun(store: string, lock: Lock, isNew = false): Promise<void> {
  const isUnused = isNew && !existsSync(layout.current(store));
  const steps = [
    async () => {
      if (!isUnused) {
        await cleanUp(store, lock, Infinity, await readNotes(store));
        return;
      }
      lock.check();
      await disk.remove(layout.notes(store));
      await cleanUp(store, lock, Infinity, { ...NO_NOTES, pending: await snapshotIds(store) });
    },
    ...SHARED_FOLDERS.map((folder) => async () => {
      const path = join(store, folder);
      lock.check();
      if (isUnused && (await readdir(path)).length === 0) await disk.remove(path);
    }),
  ];
  for (const step of steps) await step().catch(() => {});
}

/**
 * Deletes unfinished files, snapshots that were never published, snapshots older than the newest `keep`,
 * and the files of segments that no remaining snapshot names. These snapshots always stay: the
 * current one; the one built last, whose unchanged files the next build keeps; and those that were
 * current less than a minute ago, because servers may still answer from them. Snapshots that the notes
 * do not list count as the oldest. Files and folders whose names do not match our own patterns are
 * ignored. A snapshot that was built last but never published loses its signature.
 *
 * The modification time of a snapshot's folder says when the snapshot stopped being current (`publish`
 * sets it). This needs no notes. In a copied store with new times, every snapshot stays for a minute
 * longer.
 * @returns the snapshots that stay only for the servers that may still read them
 * @throws StoreWriteError; StoreLockedError if the lock is lost: the next deletion might hit another
 * build's files
 */
export async function cleanUp(
  store: string,
  lock: Lock,
  keep: number,
  { publications, pending = [], built }: BuilderNotes,
  wanted: ReadonlySet<string> = new Set(),
): Promise<LingeringSnapshot[]> {
  const all = await oldestFirst(store, publications);
  for (const folder of ["", ...SHARED_FOLDERS, ...all]) {
    await removeFiles(lock, join(store, folder), (name) => OWN_NAMES.unfinished.test(name));
  }
  // If the pointer is damaged, any snapshot may have been current.
  const current = await currentId(store).catch(() => "");
  const isNeeded = (id: string) => current === "" || id === current || id === built?.id;
  const found = all.filter(
    (id) => isNeeded(id) || publications.includes(id) || !pending.includes(id),
  );
  const isUnpublished = (id: string) =>
    current !== id && current !== "" && !publications.includes(id) && pending.includes(id);
  const servedUntil = graceIn(store);
  const lingering: LingeringSnapshot[] = [];
  const named = new Set(wanted);
  const kept = new Set(found.slice(-keep));
  for (const id of found) {
    if (!kept.has(id) && !isNeeded(id)) {
      const until = await servedUntil(id);
      if (until === null) continue;
      lingering.push({ id, until });
    }
    kept.add(id);
    // A reader would take a signature that was never published for a newer snapshot than the current one.
    if (isUnpublished(id)) {
      lock.check();
      await disk.remove(layout.signature(store, id));
    }
    const files = await filesNamedBy(store, id);
    // Without the manifest we cannot know which files its readers use, so all files stay.
    if (files === null && (isNeeded(id) || (await servedUntil(id)) !== null)) return lingering;
    for (const file of files ?? []) named.add(file);
  }
  if (current && !kept.has(current)) return lingering;
  const old = all.filter((id) => !kept.has(id));
  await removeSnapshots(store, lock, old);
  await removeFiles(lock, join(store, "segments"), (name) => {
    const isOurs = [OWN_NAMES.table, OWN_NAMES.pack, OWN_NAMES.added].some((one) => one.test(name));
    return isOurs && !named.has(`segments/${name}`);
  });
  return lingering;
}

async function removeSnapshots(store: string, lock: Lock, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    lock.check();
    await putAside(store, id);
    await disk.remove(asideOf(store, id));
  }
}

/** Says until when servers may still read a snapshot that was current just now; null for any other one. */
function graceIn(store: string): (id: string) => Promise<string | null> {
  let now: number | undefined;
  return async (id) => {
    now ??= await disk.touchFolder(store);
    const { mtimeMs } = await stat(layout.snapshot(store, id));
    // A time far in the future is wrong, and must not keep the snapshot for years.
    return Math.abs(now - mtimeMs) < GRACE_MS ? new Date(mtimeMs + GRACE_MS).toISOString() : null;
  };
}

async function removeFiles(
  lock: Lock,
  folder: string,
  isToGo: (name: string) => boolean,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isToGo(name)) continue;
    lock.check();
    await disk.remove(join(folder, name));
  }
}

/**
 * The files in `segments/` that a snapshot's manifest names, in any format; null if the
 * manifest is lost or damaged.
 */
async function filesNamedBy(store: string, id: string): Promise<string[] | null> {
  const bytes = await readFile(layout.manifest(store, id)).catch((error: unknown) => {
    // If the manifest exists but cannot be read, its files must not count as unused.
    if (!hasCode(error, ["ENOENT"])) throw error;
    return null;
  });
  if (bytes === null || snapshotId(bytes) !== id) return null;
  const names = bytes.toString("latin1").matchAll(/"(segments\/[^"]+)"/g);
  return Array.from(names, ([, name = ""]) => name);
}

/** Moves a snapshot's folder aside before deleting it, so that readers never see half a snapshot. */
export async function putAside(store: string, id: string): Promise<void> {
  await disk.remove(asideOf(store, id));
  try {
    await disk.rename(layout.snapshot(store, id), asideOf(store, id));
  } catch (error) {
    // A container's file system (overlayfs) refuses to rename folders of its lower layers.
    if (!hasCode(error, ["EXDEV"])) throw error;
    await disk.remove(layout.snapshot(store, id));
  }
}

/**
 * The path of a snapshot's folder while it is deleted: an unfinished name, so that the next run deletes
 * leftovers.
 */
export function asideOf(store: string, id: string): string {
  return join(store, `.new-0-${id}`);
}
