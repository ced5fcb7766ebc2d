import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { disk, StoreWriteError } from "../files/disk.js";
import { hasCode, messageOf } from "../files/errors.js";
import type { Lock } from "../files/lock.js";
import { unfinishedName } from "../files/random-name.js";
import { type History, MANIFEST_BYTES_MAX, Manifest } from "../store/format.js";
import { layout, snapshotId } from "../store/layout.js";
import { SHARED_FOLDERS } from "../store/names.js";
import { parseManifest } from "../store/parse-manifest.js";
import { pointerText } from "../store/pointer.js";
import { publicationsUpTo } from "../store/publications.js";
import { currentId, readSignature, snapshotIds } from "../store/reader.js";
import type { SignManifest } from "../store/signature.js";
import { asideOf, cleanUp, type LingeringSnapshot, putAside } from "./clean-up.js";
import { type BuilderNotes, type Publications, settled, writeNotes } from "./notes.js";
import { writePurgeList } from "./purge.js";

/** A document in a snapshot's `public/`, with its path there. */
export interface PublicDocument {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A public document that is JSON. */
export function documentAt(path: string, body: unknown): PublicDocument {
  return { path, bytes: Buffer.from(JSON.stringify(body)) };
}

/** Everything that `publish` needs to publish a snapshot. */
export interface Publication {
  readonly manifest: Manifest;
  readonly documents: readonly PublicDocument[];
  /** The notes so far, and the parts of them that change once the snapshot is published; null if none does. */
  readonly notes: BuilderNotes;
  readonly noted?: ((id: string) => Partial<BuilderNotes> | null) | undefined;
  /** A file for the addresses that changed or were removed. It is written before the snapshot becomes current. */
  readonly purgeList?: string | undefined;
  /** Whether to stop before anything is published. The caller then calls `discardRun`. */
  readonly dryRun?: boolean | undefined;
  /** Signs the manifest before the snapshot becomes current. Default: it is not signed. */
  readonly sign?: SignManifest | undefined;
}

/** What `publishFiles` needs: the snapshot's own files instead of their contents. */
export interface FilesPublication
  extends Pick<Publication, "notes" | "noted" | "purgeList" | "dryRun"> {
  readonly id: string;
  /** The files in the snapshot's folder, with their paths there: the manifest, the documents, the signature. */
  readonly files: readonly PublicDocument[];
  /** The publication's number, and the history that it belongs to. */
  readonly history: Pick<History, "generation" | "origin">;
  /** Signs the snapshot just before it becomes current. */
  readonly sign?: (() => Promise<void>) | undefined;
}

/** A snapshot that was published. */
export interface PublishedSnapshot {
  readonly id: string;
  /** Whether another snapshot was current before. */
  readonly changed: boolean;
  /** The publication's number. */
  readonly generation: number;
  /** Bytes of the snapshot's own folder, if it had to be written; else 0. */
  readonly bytes: number;
  readonly notes: BuilderNotes;
}

/**
 * Publishes a snapshot whose segments are already in the store. The notes list its id
 * as pending before its folder gets this name. So if the run dies, no unpublished snapshot can be taken
 * for a published one. `current.json` comes last: writing it is the commit.
 * @throws StoreLockedError, with nothing published, if the lock is lost; StoreWriteError. `discardRun`
 * deletes the files that were written.
 */
export async function publish(
  store: string,
  lock: Lock,
  { manifest, documents, sign: signatureOf, ...publication }: Publication,
): Promise<PublishedSnapshot> {
  const bytes = manifestBytes(Manifest.parse(manifest));
  if (bytes.length > MANIFEST_BYTES_MAX) {
    throw new StoreWriteError(
      `the manifest of ${manifest.segments.length} segments would have ${bytes.length} bytes, more ` +
        `than the ${MANIFEST_BYTES_MAX} that readers accept: publish fewer listings or a smaller taxonomy`,
    );
  }
  const files = [
    { path: "manifest.json", bytes },
    ...documents.map(({ path, bytes }) => ({ path: `public/${path}`, bytes })),
  ];
  const id = snapshotId(bytes);
  const history = publicationsUpTo(manifest);
  const { generation } = history;
  const sign =
    signatureOf && (() => signSnapshot(store, lock, id, signatureOf(bytes, id, generation)));
  return publishFiles(store, lock, { ...publication, id, files, history, sign });
}

/**
 * Like `publish`, for a snapshot whose files are known byte for byte. @param publication its id must match its
 * manifest
 */
export async function publishFiles(
  store: string,
  lock: Lock,
  { id, files, history, sign, notes: before, noted, purgeList, dryRun }: FilesPublication,
): Promise<PublishedSnapshot> {
  // If the pointer is damaged, any snapshot may have been current.
  const current = await currentId(store).catch(() => "");
  const found = await snapshotIds(store);
  const unfinished = await writeSnapshotFolder(store, id, files);
  const bytes = unfinished === null ? 0 : files.reduce((sum, one) => sum + one.bytes.length, 0);
  const changed = id !== current;
  const { generation, origin } = history;
  if (dryRun === true) return { id, changed, generation, bytes, notes: before };
  for (const folder of SHARED_FOLDERS) await disk.syncFolder(join(store, folder));
  const isThere = (other: string) => found.includes(other);
  const { publications, pending = [] } = before;
  const there = { publications: publications.filter(isThere), pending: pending.filter(isThere) };
  const news = noted?.(id) ?? null;
  const notes = { ...before, ...news, ...announced(there, id, current) };
  lock.check();
  if (news !== null || publications.at(-1) !== id) {
    await writeNotes(store, notes);
    await disk.syncFolder(store);
  }
  if (unfinished !== null) await putSnapshotFolder(store, lock, id, unfinished);
  await disk.syncFolder(store);
  lock.check();
  if (purgeList !== undefined) await writePurgeList(purgeList, store, current, id);
  const superseded = found.filter((other) => current === "" || other === current);
  for (const other of superseded) {
    // The folder's time now says when the snapshot stopped being current; see `cleanUp`.
    if (other !== id) await disk.touchFolder(layout.snapshot(store, other));
  }
  await sign?.();
  const pointer = Buffer.from(pointerText({ id, generation, origin }));
  // The sync before the rename may take so long that the lock is lost.
  await disk.writeFile(layout.current(store), pointer, { before: () => lock.check() });
  await disk.syncFolder(store).catch((error: unknown) => {
    throw standing(id, "a loss of power may undo this", error);
  });
  return { id, changed, generation, bytes, notes: settled(notes, id) };
}

/**
 * Runs `cleanUp` after a publication, and returns what it does. If that fails, the publication stands.
 * @throws StoreWriteError, whose message says that the snapshot is current. The next build deletes the
 * leftovers.
 */
export async function cleanUpAfter(
  id: string,
  store: string,
  lock: Lock,
  keep: number,
  notes: BuilderNotes,
): Promise<LingeringSnapshot[]> {
  try {
    return await cleanUp(store, lock, keep, notes);
  } catch (error) {
    throw standing(id, `${store} was not cleaned up`, error);
  }
}

/** The error for a failure after the commit. */
function standing(id: string, but: string, error: unknown): StoreWriteError {
  const message = `snapshot ${id} is current, but ${but}: ${messageOf(error)}`;
  return new StoreWriteError(message, { cause: error });
}

/**
 * Writes a snapshot's own files into an unfinished folder.
 * @returns the folder; null if the snapshot's folder already has exactly these bytes
 */
async function writeSnapshotFolder(
  store: string,
  id: string,
  files: readonly PublicDocument[],
): Promise<string | null> {
  if (await hasDocuments(layout.snapshot(store, id), files)) return null;
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

/** Renames an unfinished folder to its snapshot's name, replacing a damaged folder. */
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
    // Readers may follow this path: a damaged folder is better for them than none.
    if (isThere) await disk.rename(asideOf(store, id), folder).catch(() => {});
    throw error;
  });
  await disk.remove(asideOf(store, id));
}

/** Error codes that mean that a file does not exist or the disk has lost it, so it must be rewritten. */
const LOST = ["ENOENT", "ENOTDIR", "EISDIR", "EIO"];

/** @throws any other error of reading a file: a folder that may be good must not be put aside */
async function hasDocuments(folder: string, files: readonly PublicDocument[]): Promise<boolean> {
  for (const { path, bytes } of files) {
    const found = await readFile(join(folder, path)).catch((error: unknown) => {
      if (hasCode(error, LOST)) return null;
      throw error;
    });
    if (found === null || !found.equals(bytes)) return false;
  }
  return true;
}

/** The bytes of a manifest's file. */
export function manifestBytes(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}

/** A snapshot's manifest; null if it is lost or damaged, so that the snapshot cannot be read any more. */
export async function readManifest(store: string, id: string): Promise<Manifest | null> {
  const text = await readIfThere(layout.manifest(store, id));
  return text === null ? null : parseManifest(Buffer.from(text));
}

/** Returns null if the file does not exist. @throws other errors: an unreadable file must not count as missing */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return null;
    throw error;
  }
}

/**
 * Signs a snapshot that is about to become current. The same key gives a snapshot the same signature each time, so one
 * that is signed already is not written again.
 * @param text the signature
 * @throws StoreWriteError; StoreLockedError if the lock is lost
 */
async function signSnapshot(store: string, lock: Lock, id: string, text: string): Promise<void> {
  if ((await readSignature(store, id).catch(() => null)) === text) return;
  await disk.writeFile(layout.signature(store, id), Buffer.from(text), {
    before: () => lock.check(),
  });
  await disk.syncFolder(layout.snapshot(store, id));
}

/** The ids for the notes that are written before `id` becomes current. */
function announced(
  { publications, pending = [] }: Publications,
  id: string,
  current: string | null,
): Required<Publications> {
  // If `id` is current already, its entry stays, so that building twice writes the same notes.
  const published = publications.filter((other) => other !== id || id !== current);
  return { publications: published, pending: [...pending.filter((other) => other !== id), id] };
}
