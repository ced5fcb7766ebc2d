import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { disk, StoreWriteError } from "../files/disk.js";
import type { Lock } from "../files/lock.js";
import { unfinishedName } from "../files/random-name.js";
import { AnyManifest, CURRENT_FORMAT, Manifest } from "../store/format.js";
import { layout, snapshotId } from "../store/layout.js";
import { currentId } from "../store/reader.js";
import { asideOf, cleanUp, hasCode, putAside } from "./clean-up.js";
import { type BuilderNotes, writeNotes } from "./notes.js";
import { announced, settled } from "./publications.js";
import { writePurgeList } from "./purge.js";
import { oldestFirst } from "./snapshots.js";

/** A document of a snapshot's `public/`, by its path there. */
export interface PublicDocument {
  readonly path: string;
  readonly bytes: Buffer;
}

/** What a snapshot is published with. */
export interface Publication {
  readonly manifest: Manifest;
  readonly documents: readonly PublicDocument[];
  /** What the notes say so far, and what is new in them once this is published. */
  readonly notes: BuilderNotes;
  readonly noted?: ((id: string) => Partial<BuilderNotes>) | undefined;
  /** A file for the addresses that changed or went; it is there before the snapshot is current. */
  readonly purgeList?: string | undefined;
}

/** A snapshot that was published. */
export interface Published {
  readonly id: string;
  /** Whether another one was current before. */
  readonly changed: boolean;
  readonly notes: BuilderNotes;
}

/**
 * Publishes a snapshot whose shards and packs are in the store already. The notes name its id before its
 * folder gets this name, so that a run that dies leaves no snapshot that nothing tells from a published
 * one. `current.json` comes last: it is the commit.
 * @throws StoreLockedError, with nothing published, if the lock is lost; StoreWriteError. What was written
 * is left to `discardRun`.
 */
export async function publish(
  store: string,
  lock: Lock,
  { manifest, documents, notes: before, noted, purgeList }: Publication,
): Promise<Published> {
  const bytes = manifestBytes(Manifest.parse(manifest));
  const id = snapshotId(bytes);
  // A damaged pointer may have named any snapshot.
  const current = await currentId(store).catch(() => "");
  const found = await oldestFirst(store, []);
  const unfinished = await writeSnapshotFolder(store, id, [
    { path: "manifest.json", bytes },
    ...documents.map(({ path, bytes }) => ({ path: `public/${path}`, bytes })),
  ]);
  for (const folder of ["index", "reports"]) await disk.syncFolder(join(store, folder));
  const isThere = (other: string) => found.includes(other);
  const { publications, pending = [] } = before;
  const there = { publications: publications.filter(isThere), pending: pending.filter(isThere) };
  const notes = { ...before, ...noted?.(id), ...announced(there, id, current) };
  lock.check();
  if (noted !== undefined || publications.at(-1) !== id) {
    await writeNotes(store, notes);
    await disk.syncFolder(store);
  }
  if (unfinished !== null) await putSnapshotFolder(store, lock, id, unfinished);
  await disk.syncFolder(store);
  lock.check();
  if (purgeList !== undefined) await writePurgeList(purgeList, store, current, id);
  const superseded = found.filter((other) => current === "" || other === current);
  for (const other of superseded) {
    // Its time says from now on when it stopped being current; see `cleanUp`.
    if (other !== id) await disk.touchFolder(layout.snapshot(store, other));
  }
  const pointer = Buffer.from(`${JSON.stringify({ format: CURRENT_FORMAT, id })}\n`);
  // The sync before the rename may take long enough to lose the lock.
  await disk.writeFile(layout.current(store), pointer, { before: () => lock.check() });
  await disk.syncFolder(store).catch((error: unknown) => {
    throw standing(id, "a loss of power may undo that", error);
  });
  return { id, changed: id !== current, notes: settled(notes, id) };
}

/**
 * `cleanUp` after a publication. Its failure does not undo the publication.
 * @throws StoreWriteError, which says that. The next build deletes what is left.
 */
export async function cleanUpAfter(
  id: string,
  store: string,
  lock: Lock,
  keep: number,
  notes: BuilderNotes,
): Promise<void> {
  try {
    await cleanUp(store, lock, keep, notes);
  } catch (error) {
    throw standing(id, `${store} was not cleaned up`, error);
  }
}

/** The error for a failure after the commit. */
function standing(id: string, but: string, error: unknown): StoreWriteError {
  const { message } = error as Error;
  return new StoreWriteError(`snapshot ${id} is current, but ${but}: ${message}`, { cause: error });
}

/**
 * Writes a snapshot's own files into an unfinished folder.
 * @returns the folder; null if the snapshot's folder has exactly these bytes already
 */
async function writeSnapshotFolder(
  store: string,
  id: string,
  files: readonly PublicDocument[],
): Promise<string | null> {
  if (await holds(layout.snapshot(store, id), files)) return null;
  const unfinished = join(store, unfinishedName(id));
  const folders = new Set([unfinished]);
  for (const { path, bytes } of files) {
    const file = join(unfinished, path);
    await disk.makeFolder(dirname(file));
    await disk.writeFile(file, bytes);
    for (let up = dirname(file); up !== unfinished; up = dirname(up)) folders.add(up);
  }
  for (const written of folders) await disk.syncFolder(written);
  return unfinished;
}

/** Gives an unfinished folder its snapshot's name, in place of a damaged one. */
async function putSnapshotFolder(
  store: string,
  lock: Lock,
  id: string,
  unfinished: string,
): Promise<void> {
  const folder = layout.snapshot(store, id);
  lock.check();
  const isThere = (await readdir(store)).includes(id);
  if (isThere) await putAside(store, id);
  await disk.rename(unfinished, folder).catch(async (error: unknown) => {
    // What readers follow is better damaged than gone.
    if (isThere) await disk.rename(asideOf(store, id), folder).catch(() => {});
    throw error;
  });
  await disk.remove(asideOf(store, id));
}

/** Codes of errors that mean that a file is not there or the disk has lost it: it must be written again. */
const LOST = ["ENOENT", "ENOTDIR", "EISDIR", "EIO"];

/** @throws other errors of reading a file: a folder that may be good must not be put aside. */
async function holds(folder: string, files: readonly PublicDocument[]): Promise<boolean> {
  for (const { path, bytes } of files) {
    const found = await readFile(join(folder, path)).catch((error: unknown) => {
      if (hasCode(error, LOST)) return null;
      throw error;
    });
    if (found === null || !found.equals(bytes)) return false;
  }
  return true;
}

/** A parsed manifest as it is written. */
export function manifestBytes(manifest: AnyManifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}

/** A snapshot's manifest; null where it is lost or damaged, so that nothing of it can be read any more. */
export async function readManifest(store: string, id: string): Promise<AnyManifest | null> {
  const text = await readIfThere(layout.manifest(store, id));
  return AnyManifest.safeParse(parsed(text ?? "")).data ?? null;
}

/** Null where there is no such file. @throws other errors: an unreadable file must not count as a missing one */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return null;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
