import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { calls } from "./calls.js";
import { codeOf, messageOf } from "./errors.js";
import { unfinishedName } from "./random-name.js";
import { fillSync, openRegularSync } from "./regular.js";

/** A store or a site cannot be written. The message names the path, the system's error and the remedy. */
export class StoreWriteError extends Error {
  override readonly name = "StoreWriteError";
}

/**
 * The only way to write to a store. Each file is written under an unfinished name beside its place,
 * synced, and renamed. So a reader finds a whole file or none, even after a loss of power. Each method
 * throws StoreWriteError.
 */
export const disk = {
  /**
   * Creates a folder and its parents, and makes their names durable. Does nothing if the folder exists.
   * @returns the created folders, the outermost first. If a step fails, they are deleted again
   */
  async makeFolder(folder: string): Promise<string[]> {
    const made: string[] = [];
    try {
      await attemptAsync(folder, async () => {
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
   * Writes a whole file. Then the file is at `path` with all its bytes on the disk; its name is durable
   * after `syncFolder`.
   * @param options.unfinished the file's path until it is complete, on the same file system
   * @param options.before as in `UnfinishedFile.finish`
   * @param options.mode the permissions of the file, before the process's mask
   */
  async writeFile(
    path: string,
    bytes: Uint8Array | Iterable<Uint8Array>,
    {
      unfinished = join(dirname(path), unfinishedName(basename(path))),
      before,
      mode,
    }: { readonly unfinished?: string; readonly before?: () => void; readonly mode?: number } = {},
  ): Promise<void> {
    const file = new UnfinishedFile(unfinished, mode);
    if (bytes instanceof Uint8Array) file.append(bytes);
    else for (const piece of bytes) file.append(piece);
    await file.finish(path, before);
  },

  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void> {
    return attemptAsync(folder, () => syncFolder(folder));
  },

  /**
   * Gives a complete file a second name, replacing any file of this name. Copies the file where the file system cannot
   * do that. The name is durable after `syncFolder`.
   */
  async link(from: string, to: string): Promise<void> {
    const unfinished = join(dirname(to), unfinishedName(basename(to)));
    try {
      remove(unfinished);
      calls.link(from, unfinished);
    } catch {
      // If more than the link is at fault, the copy fails too, and reports it.
      return disk.writeFile(to, copiedPieces(from), { unfinished });
    }
    try {
      await disk.rename(unfinished, to);
    } catch (error) {
      ignoreErrors(() => remove(unfinished));
      throw error;
    }
  },

  rename(from: string, to: string): Promise<void> {
    return attemptAsync(to, async () => calls.rename(from, to));
  },

  /**
   * Sets a folder's modification time to now, by the clock of the file system: several machines may
   * share the folder, and their clocks may differ. Does so by creating and deleting a file in the
   * folder.
   * @returns the new time in milliseconds
   */
  async touchFolder(folder: string): Promise<number> {
    const path = join(folder, unfinishedName("touch"));
    await attemptAsync(folder, async () => {
      remove(path);
      calls.close(calls.create(path));
      calls.unlink(path);
    });
    return statSync(folder).mtimeMs;
  },

  /** Deletes a file, or a folder with all its contents. Does nothing if the path does not exist. */
  remove(path: string): Promise<void> {
    return attemptAsync(path, async () => remove(path));
  },
};

/**
 * A file that is written piece by piece under an unfinished name, before its final name is known.
 * Appending is synchronous, because that is fastest; syncing is asynchronous. Each method throws
 * StoreWriteError.
 */
export class UnfinishedFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** @param path the file's path until it is complete; no other unfinished file may use the path */
  constructor(path: string, mode?: number) {
    this.#path = path;
    this.#descriptor = attemptSync(this.#path, () => {
      remove(this.#path);
      return calls.create(this.#path, mode);
    });
  }

  /** Appends bytes. If that fails, discards the file. */
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
   * Completes the file: it is at `path` with all its bytes on the disk, and its name is durable after
   * `syncFolder`. If a step fails, the file is discarded.
   * @param before called once the bytes are on the disk. If it throws, the file is discarded
   */
  async finish(path: string, before?: () => void): Promise<void> {
    try {
      await attemptAsync(path, async () => {
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

  /** Deletes the file. If that fails, the next build deletes the file when it starts. */
  discard(): void {
    ignoreErrors(() => this.#close());
    ignoreErrors(() => remove(this.#path));
  }

  #close(): void {
    if (!this.#isOpen) return;
    // Even if closing fails, the descriptor is released.
    this.#isOpen = false;
    calls.close(this.#descriptor);
  }
}

/** Bytes that are copied at a time. */
const COPY_BYTES = 1024 * 1024;

function* copiedPieces(path: string): Generator<Uint8Array> {
  const { descriptor } = openRegularSync(path);
  const piece = Buffer.allocUnsafeSlow(COPY_BYTES);
  try {
    for (let read = 1; read > 0; ) {
      read = fillSync(descriptor, piece, null);
      yield piece.subarray(0, read);
    }
  } finally {
    calls.close(descriptor);
  }
}

/**
 * Creates a folder and its parents. Node's own recursive `mkdir` never ends below `/proc`.
 * @param made receives the created folders, the outermost first
 */
export function makeFolders(folder: string, made: string[] = []): void {
  if (isFolder(folder)) return;
  makeFolders(dirname(folder), made);
  try {
    calls.mkdir(folder);
    made.push(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * For cleaning up after a failure. The first failure is the one to report, and the next build deletes
 * the leftovers.
 */
export function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {}
}

/** Whether a folder, or a link to one, is there. If anything else is there, creating the folder reports that. */
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
  EROFS: "the file system is read-only; mount it for writing or choose another store",
  EACCES: "this user may not write there; give this user write access to the folder",
  EPERM: "this user may not write there; give this user write access to the folder",
  EMFILE: "too many files are open in this process; raise the limit (ulimit -n)",
  ENFILE: "too many files are open on this machine; raise the limit (sysctl fs.file-max)",
  EIO: "the disk failed; see the system's log and check the disk",
  EXDEV: "the store's folders lie on different file systems; put the whole store on one",
  ENOTDIR: "a part of the path is not a folder; choose another store",
  EEXIST: "something other than a folder is in its place; choose another store",
  ENOENT:
    "its folder does not exist, or nothing can be created in it; create it or choose another one",
};

async function attemptAsync(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Runs an action that writes to `path`. @throws StoreWriteError if the action fails */
export function attemptSync<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** The error for a path that cannot be written. Names the path, the system's error code and the remedy. */
export function writeError(path: string, error: unknown): StoreWriteError {
  if (error instanceof StoreWriteError) return error;
  const code = codeOf(error) ?? "unknown error";
  const said = REMEDIES[code] ?? messageOf(error);
  return new StoreWriteError(`${path} cannot be written: ${code}, ${said}`, { cause: error });
}
