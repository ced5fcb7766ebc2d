import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { disk, StoreWriteError } from "./disk.js";
import { AnyManifest, CURRENT_FORMAT, Manifest } from "./format.js";
import { layout, OWN_NAMES, snapshotId, unfinishedName } from "./layout.js";
import { type BuilderNotes, writeNotes } from "./notes.js";
import { writePurgeList } from "./purge.js";
import { currentId } from "./reader.js";
import { oldestFirst } from "./snapshots.js";

/** A document of a snapshot's `public/`, by its path there. */
export interface PublicDocument {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Readies a store's folders and removes what builds that died have left. Needs the lock. */
export async function prepareStore(store: string): Promise<void> {
  for (const folder of [store, join(store, "index"), join(store, "reports")]) {
    await disk.makeFolder(folder);
    for (const name of await readdir(folder)) {
      if (OWN_NAMES.unfinished.test(name)) await disk.remove(join(folder, name));
    }
  }
}

/**
 * Takes away what has failed to be published. What it cannot, the next build's clean-up does.
 * @param files below the store
 * @param isNew whether the store was made for it: its folders go too, where nothing else is in them
 */
export async function takeAway(
  store: string,
  files: readonly string[],
  isNew = false,
): Promise<void> {
  try {
    for (const file of files) await disk.remove(join(store, file));
    for (const folder of isNew ? ["index", "reports", ""] : []) {
      const path = join(store, folder);
      const names = await readdir(path).catch(() => null);
      if (names?.length === 0) await disk.remove(path);
    }
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error;
  }
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
 * Publishes a snapshot whose shards and packs are in the store already: its folder first, the
 * builder's notes, and `current.json` last of all, which is the commit. Needs the lock.
 */
export async function publish(
  store: string,
  { manifest, documents, notes: before, noted, purgeList }: Publication,
): Promise<Published> {
  const bytes = manifestBytes(Manifest.parse(manifest));
  const id = snapshotId(bytes);
  // A pointer that is damaged may have been any snapshot's.
  const current = await currentId(store).catch(() => "");
  await putSnapshotFolder(store, id, [
    { path: "manifest.json", bytes },
    ...documents.map(({ path, bytes }) => ({ path: `public/${path}`, bytes })),
  ]);
  for (const folder of [join(store, "index"), join(store, "reports"), store]) {
    await disk.syncFolder(folder);
  }
  const found = await oldestFirst(store, []);
  const others = before.publications.filter((other) => other !== id && found.includes(other));
  const notes = { ...before, ...noted?.(id), publications: [...others, id] };
  if (purgeList !== undefined) await writePurgeList(purgeList, store, current, id);
  if (noted !== undefined || before.publications.at(-1) !== id) await writeNotes(store, notes);
  await disk.writeFile(
    layout.current(store),
    `${JSON.stringify({ format: CURRENT_FORMAT, id })}\n`,
  );
  await disk.syncFolder(store).catch((error: unknown) => {
    throw standing(id, "a loss of power may undo that", error);
  });
  return { id, changed: id !== current, notes };
}

/**
 * `cleanUp` after a publication, which stands whatever happens to it.
 * @throws StoreWriteError that says so. What is left the next build's clean-up takes.
 */
export async function cleanUpAfter(
  id: string,
  store: string,
  keep: number,
  notes: BuilderNotes,
): Promise<void> {
  try {
    await cleanUp(store, keep, notes);
  } catch (error) {
    throw standing(id, `${store} was not cleaned up`, error);
  }
}

/** What is said of a failure after the commit. */
function standing(id: string, but: string, error: unknown): StoreWriteError {
  const { message } = error as Error;
  return new StoreWriteError(`snapshot ${id} is current, but ${but}: ${message}`, { cause: error });
}

/**
 * Deletes the snapshots before the newest `keep`, and the shards and packs that none of those names.
 * The current one stays always, as does the one that was built last, of which the next build keeps what
 * has not changed. Snapshots that the notes do not know count as the oldest. Only names of our own
 * patterns are looked at. Needs the lock.
 */
export async function cleanUp(
  store: string,
  keep: number,
  { publications, built }: BuilderNotes,
): Promise<void> {
  const found = await oldestFirst(store, publications);
  const kept = new Set(found.slice(-keep));
  for (const id of [await currentId(store), built?.id]) if (id != null) kept.add(id);
  const named = new Set<string>();
  for (const id of kept) {
    for (const bucket of (await readManifest(store, id))?.buckets ?? []) {
      for (const { file } of Object.values(bucket)) named.add(file);
    }
  }
  for (const id of found) {
    if (kept.has(id)) continue;
    await putAside(store, id);
    await disk.remove(asideOf(store, id));
  }
  for (const [folder, pattern] of [
    ["index", OWN_NAMES.shard],
    ["index", OWN_NAMES.columns],
    ["reports", OWN_NAMES.pack],
  ] as const) {
    for (const name of await readdir(join(store, folder))) {
      const file = `${folder}/${name}`;
      if (pattern.test(name) && !named.has(file)) await disk.remove(join(store, file));
    }
  }
}

/** Puts a snapshot's own files in their place; a folder that has just these bytes is left alone. */
async function putSnapshotFolder(
  store: string,
  id: string,
  files: readonly PublicDocument[],
): Promise<void> {
  const folder = layout.snapshot(store, id);
  if (await holds(folder, files)) return;
  const unfinished = join(store, unfinishedName(id));
  try {
    await writeSnapshotFolder(unfinished, files);
    const isThere = (await readdir(store)).includes(id);
    if (isThere) await putAside(store, id);
    await disk.rename(unfinished, folder).catch(async (error: unknown) => {
      // What readers follow is better damaged than gone.
      if (isThere) await disk.rename(asideOf(store, id), folder).catch(() => {});
      throw error;
    });
  } catch (error) {
    // What cannot be deleted now, the next build's start deletes.
    await disk.remove(unfinished).catch(() => {});
    throw error;
  }
  await disk.remove(asideOf(store, id));
}

async function writeSnapshotFolder(
  unfinished: string,
  files: readonly PublicDocument[],
): Promise<void> {
  const folders = new Set([unfinished]);
  for (const { path, bytes } of files) {
    const file = join(unfinished, path);
    await disk.makeFolder(dirname(file));
    await disk.writeFile(file, bytes);
    for (let up = dirname(file); up !== unfinished; up = dirname(up)) folders.add(up);
  }
  for (const written of folders) await disk.syncFolder(written);
}

/** A snapshot's folder is put aside before it is emptied: at no time is there half a one. */
async function putAside(store: string, id: string): Promise<void> {
  await disk.remove(asideOf(store, id));
  try {
    await disk.rename(layout.snapshot(store, id), asideOf(store, id));
  } catch (error) {
    // A container's own layers do not let a folder be renamed.
    if (!hasCode((error as Error).cause, ["EXDEV"])) throw error;
    await disk.remove(layout.snapshot(store, id));
  }
}

/** Where a snapshot's folder is on its way out; an unfinished name, so that the next build deletes it. */
function asideOf(store: string, id: string): string {
  return join(store, `.new-0-${id}`);
}

/** What says that a file is not there, or that the disk has lost it, so that it must be written anew. */
const LOST = ["ENOENT", "ENOTDIR", "EISDIR", "EIO"];

/** @throws what hinders reading a file that may be good: a good folder is not to be put aside. */
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

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
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

/** @throws what hinders reading a file that is there: what it would say must not be taken for nothing. */
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
