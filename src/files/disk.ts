import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { calls } from "./calls.js";
import { unfinishedName } from "./random-name.js";

/** A store or a site cannot be written. The message names the place, what the system said, and what to do. */
export class StoreWriteError extends Error {
  override readonly name = "StoreWriteError";
}

/**
 * The one way in which bytes reach a store. Everything is written beside its place under an unfinished
 * name, synced, and renamed, so that a reader finds a whole file or none, after a loss of power too.
 * Each of these throws StoreWriteError.
 */
export const disk = {
  /**
   * Makes a folder with its parents, their names durable; one that exists is left as it is.
   * @returns the folders that were not there before, the outermost first; if it fails, they are gone again
   */
  async makeFolder(folder: string): Promise<string[]> {
    const made: string[] = [];
    try {
      await attempt(folder, async () => {
        makeFolders(folder, made);
        for (const one of made) await syncFolder(dirname(one));
      });
    } catch (error) {
      for (const one of made.toReversed()) ignoreErrors(() => calls.rmdir(one));
      throw error;
    }
    return made;
  },

  /**
   * Writes a file whole: afterwards it is at `path` with all its bytes on the disk; its name is durable after `syncFolder`.
   * @param options.unfinished where it is until then, on the same file system
   * @param options.before as in `UnfinishedFile.finish`
   */
  async writeFile(
    path: string,
    bytes: Uint8Array | Iterable<string>,
    {
      unfinished = join(dirname(path), unfinishedName(basename(path))),
      before,
    }: { readonly unfinished?: string; readonly before?: () => void } = {},
  ): Promise<void> {
    const file = new UnfinishedFile(unfinished);
    if (bytes instanceof Uint8Array) file.append(bytes);
    else for (const text of inLargePieces(bytes)) file.append(Buffer.from(text));
    await file.finish(path, before);
  },

  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void> {
    return attempt(folder, () => syncFolder(folder));
  },

  rename(from: string, to: string): Promise<void> {
    return attempt(to, async () => calls.rename(from, to));
  },

  /**
   * Sets a folder's modification time to now, by the clock of the file system: processes of several
   * machines may share it, and their clocks may differ. A file is made in it and deleted.
   * @returns that time in milliseconds
   */
  async touchFolder(folder: string): Promise<number> {
    const path = join(folder, unfinishedName("store.json"));
    await attempt(folder, async () => {
      remove(path);
      calls.close(calls.create(path));
      calls.unlink(path);
    });
    return statSync(folder).mtimeMs;
  },

  /** Deletes a file or a folder with all in it; nothing there is fine. */
  remove(path: string): Promise<void> {
    return attempt(path, async () => remove(path));
  },
};

/**
 * A file that is written piece by piece, under an unfinished name, before its own name is known.
 * Appending is synchronous, as it is fastest; syncing is not. Each throws StoreWriteError.
 */
export class UnfinishedFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** @param path where it is while its own name is not known; no other file in work may be there */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = attemptSync(this.#path, () => {
      remove(this.#path);
      return calls.create(this.#path);
    });
  }

  /** Adds bytes at the end; where that fails, the file is discarded. */
  append(bytes: Uint8Array): void {
    try {
      attemptSync(this.#path, () => {
        for (let done = 0; done < bytes.length; ) {
          done += calls.write(this.#descriptor, bytes, done);
        }
      });
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /**
   * Ends writing: the file is at `path` with all its bytes on the disk, durably after `syncFolder`; or it is discarded.
   * @param before called once the bytes are on the disk; if it throws, the file does not get its name
   */
  async finish(path: string, before?: () => void): Promise<void> {
    try {
      await attempt(path, async () => {
        await calls.fsync(this.#descriptor);
        this.#close();
      });
      before?.();
      attemptSync(path, () => calls.rename(this.#path, path));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Lets go of it, as if it had never been. What cannot be deleted now, the next build's start deletes. */
  discard(): void {
    ignoreErrors(() => this.#close());
    ignoreErrors(() => remove(this.#path));
  }

  #close(): void {
    if (!this.#isOpen) return;
    // A descriptor whose closing failed is gone all the same.
    this.#isOpen = false;
    calls.close(this.#descriptor);
  }
}

/** UTF-16 units of a text that are written at once, about. */
const PIECE_LENGTH = 64 * 1024;

function* inLargePieces(texts: Iterable<string>): Generator<string> {
  if (typeof texts === "string") {
    yield texts;
    return;
  }
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** @param made gets the folders that were not there before, the outermost first */
function makeFolders(folder: string, made: string[]): void {
  if (isFolder(folder)) return;
  makeFolders(dirname(folder), made);
  try {
    calls.mkdir(folder);
    made.push(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

/** Undoes a part of what failed. The first failure is the one to report; leftovers go with the next build. */
export function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}

/** Whether a folder, or a link to one, is there; where something else is, making one says so. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = calls.openFolder(folder);
  try {
    await calls.fsync(descriptor);
  } finally {
    calls.close(descriptor);
  }
}

function remove(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) {
    calls.unlink(path);
    return;
  }
  for (const name of readdirSync(path)) remove(join(path, name));
  calls.rmdir(path);
}

const REMEDIES: Record<string, string> = {
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "the disk quota is used up; free some space and try again",
  EROFS: "the file system is read-only; mount it for writing or give another store",
  EACCES: "this user may not write there; give the folder to the user that builds",
  EPERM: "this user may not write there; give the folder to the user that builds",
  EMFILE: "too many files are open in this process; raise the limit (ulimit -n)",
  ENFILE: "too many files are open on this machine; raise the limit (sysctl fs.file-max)",
  EIO: "the disk does not do its work; look at the system's log and check the disk",
  EXDEV: "the store's folders lie on different file systems; put the whole store on one",
  ENOTDIR: "a part of the path is not a folder; give another store",
  EEXIST: "something that is not a folder is in its place; give another store",
  ENOENT: "the folder was removed meanwhile; try again",
};

async function attempt(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Does what writes to `path`. @throws StoreWriteError where that fails */
export function attemptSync<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** The error for a place that cannot be written: it names the path, the system's code and the remedy. */
export function writeError(path: string, error: unknown): StoreWriteError {
  if (error instanceof StoreWriteError) return error;
  const { code = "unknown error", message } = error as NodeJS.ErrnoException;
  const said = REMEDIES[code] ?? message;
  return new StoreWriteError(`${path} cannot be written: ${code}, ${said}`, { cause: error });
}
