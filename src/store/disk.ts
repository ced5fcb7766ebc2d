import { closeSync, fsync, openSync, rmSync, writeSync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { unfinishedName } from "./layout.js";

/** A store cannot be written. The message names the place and what the system said. */
export class StoreWriteError extends Error {
  override readonly name = "StoreWriteError";
}

/**
 * The one way in which bytes reach a store. Everything is written beside its place under an unfinished
 * name, synced, and renamed, so that a reader finds a whole file or none, after a loss of power too.
 * Each of these throws StoreWriteError.
 */
export const disk = {
  /** Makes a folder with its parents; one that exists is left as it is. */
  makeFolder(folder: string): Promise<void> {
    return attempt(folder, () => mkdir(folder, { recursive: true }));
  },

  /** Writes a file whole: afterwards it is at `path` with all its bytes on the disk; its name is durable after `syncFolder`. */
  writeFile(path: string, bytes: Uint8Array | string | Iterable<string>): Promise<void> {
    return attempt(path, async () => {
      const unfinished = join(dirname(path), unfinishedName(basename(path)));
      await rm(unfinished, { force: true });
      const file = await open(unfinished, "wx");
      try {
        await writeFile(file, bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    });
  },

  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void> {
    return attempt(folder, async () => {
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  },

  rename(from: string, to: string): Promise<void> {
    return attempt(to, () => rename(from, to));
  },

  /** Deletes a file or a folder with all in it; nothing there is fine. */
  remove(path: string): Promise<void> {
    return attempt(path, () => rm(path, { recursive: true, force: true }));
  },
};

/**
 * A file that is written piece by piece, under an unfinished name, before its own name is known.
 * Appending is synchronous, as it is fastest; syncing is not. Each throws StoreWriteError.
 */
export class UnfinishedFile {
  readonly #path: string;
  readonly #descriptor: number;

  /** @param name what the unfinished name is made of; no other file in work may have it */
  constructor(folder: string, name: string) {
    this.#path = join(folder, unfinishedName(name));
    this.#descriptor = attemptSync(this.#path, () => {
      rmSync(this.#path, { force: true });
      return openSync(this.#path, "wx");
    });
  }

  append(bytes: Uint8Array): void {
    attemptSync(this.#path, () => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#descriptor, bytes, done);
      }
    });
  }

  /** Ends writing: the file is at `path` with all its bytes on the disk, durably after `syncFolder`. */
  finish(path: string): Promise<void> {
    return attempt(path, async () => {
      try {
        await promisify(fsync)(this.#descriptor);
      } finally {
        closeSync(this.#descriptor);
      }
      await rename(this.#path, path);
    });
  }

  /** Lets go of it, as if it had never been. */
  discard(): void {
    attemptSync(this.#path, () => {
      closeSync(this.#descriptor);
      rmSync(this.#path, { force: true });
    });
  }
}

const REMEDIES: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EMFILE: "too many files are open; raise the limit (ulimit -n)",
  ENOTDIR: "a part of the path is not a folder",
};

async function attempt(path: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw writeError(path, error);
  }
}

function attemptSync<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw writeError(path, error);
  }
}

function writeError(path: string, error: unknown): StoreWriteError {
  const { code = "unknown error", message } = error as NodeJS.ErrnoException;
  const said = REMEDIES[code] ?? message;
  return new StoreWriteError(`${path} cannot be written: ${code}, ${said}`, { cause: error });
}
