import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { attemptSync, StoreWriteError } from "../files/disk.js";
import type { Lock } from "../files/lock.js";
import { randomName } from "../files/random-name.js";
import { sha256 } from "../store/layout.js";

/** Names in the root that files have until they are whole. No server shows names with a dot; older versions had no number. */
const UNFINISHED = /^\.crawldex(?:-[0-9a-f]{32})?\.new$/;
/** Folders whose being folders is remembered, at most. */
const CHECKED_MAX = 10_000;

/**
 * The public tree on disk. Paths are below its root, with slashes. A file is at its place whole or not
 * at all. No link in the tree is followed, so that nothing outside it is ever written or deleted.
 * All is synchronous, which is fastest for many small files. Each throws StoreWriteError, and changes
 * nothing but throws StoreLockedError once the lock is lost.
 */
export class SiteTree {
  readonly #root: string;
  readonly #lock: Lock;
  /** Where a file is until it is whole, one at a time. */
  readonly #unfinished: string;
  readonly #sync: boolean;
  /** Folders that are folders, not links. */
  readonly #checked = new Set<string>();
  /** Folders in which names have changed since the last sync. */
  readonly #changed = new Set<string>();
  /** Of the files that were put. */
  bytes = 0;

  /** @param sync each file's bytes are on the disk when it is put, and its name after `syncFolders` */
  constructor(root: string, lock: Lock, sync: boolean) {
    this.#root = root;
    this.#lock = lock;
    this.#unfinished = join(root, `.crawldex-${randomName()}.new`);
    this.#sync = sync;
  }

  /** Makes the root where it is not there, and removes what an export that died has left unfinished. */
  prepare(): void {
    this.#lock.check();
    attemptSync(this.#root, () => {
      mkdirSync(this.#root, { recursive: true });
      for (const name of readdirSync(this.#root)) {
        if (UNFINISHED.test(name)) rmSync(join(this.#root, name), { force: true });
      }
    });
  }

  /** Whether a file has just these bytes. What cannot be read has not. */
  holds(path: string, length: number, hash: string): boolean {
    try {
      if (!this.#isFolder(dirname(path))) return false;
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const file = openSync(join(this.#root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const found = fstatSync(file);
        return found.isFile() && found.size === length && sha256(readFileSync(file)) === hash;
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
  }

  /** Puts a file in its place. */
  put(path: string, bytes: Uint8Array): void {
    this.#makeFolder(dirname(path));
    attemptSync(join(this.#root, path), () => {
      const file = openSync(this.#unfinished, "wx");
      try {
        writeFileSync(file, bytes);
        if (this.#sync) fsyncSync(file);
      } finally {
        closeSync(file);
      }
    });
    this.#place(path);
    this.bytes += bytes.length;
  }

  /** Gives a file a second name. @returns false where the file system has no such thing. */
  link(path: string, to: string): boolean {
    this.#makeFolder(dirname(path));
    try {
      linkSync(join(this.#root, to), this.#unfinished);
    } catch {
      return false;
    }
    this.#place(path);
    return true;
  }

  /** Gives the file that is whole now its name. */
  #place(path: string): void {
    try {
      this.#lock.check();
      attemptSync(join(this.#root, path), () =>
        renameSync(this.#unfinished, join(this.#root, path)),
      );
    } catch (error) {
      rmSync(this.#unfinished, { force: true });
      throw error;
    }
    if (this.#sync) this.#changed.add(dirname(path));
  }

  /** Deletes a file, and the folders below `keep` that it leaves empty. @returns whether it was there. */
  remove(path: string, keep: string): boolean {
    if (!this.#isFolder(dirname(path))) return false;
    const full = join(this.#root, path);
    this.#lock.check();
    const removed = attemptSync(full, () => unlessThere(() => unlinkSync(full), "ENOENT"));
    let changed = removed;
    let folder = dirname(path);
    for (; folder !== keep && folder !== "."; folder = dirname(folder)) {
      const empty = join(this.#root, folder);
      if (!attemptSync(empty, () => unlessThere(() => rmdirSync(empty), "ENOTEMPTY", "EEXIST"))) {
        break;
      }
      this.#checked.delete(folder);
      this.#changed.delete(folder);
      changed = true;
    }
    if (changed) this.#changed.add(folder);
    return removed;
  }

  /** Makes what was deleted, and the names that have changed otherwise where `sync` is asked for, durable. */
  syncFolders(): void {
    for (const folder of this.#changed) {
      const path = join(this.#root, folder);
      attemptSync(path, () => {
        const handle = openSync(path, "r");
        try {
          fsyncSync(handle);
        } finally {
          closeSync(handle);
        }
      });
    }
    this.#changed.clear();
  }

  #makeFolder(folder: string): void {
    if (folder === "." || this.#checked.has(folder)) return;
    this.#makeFolder(dirname(folder));
    const path = join(this.#root, folder);
    if (attemptSync(path, () => unlessThere(() => mkdirSync(path), "EEXIST"))) {
      if (this.#sync) this.#changed.add(dirname(folder));
      this.#remember(folder);
    } else this.#isFolder(folder);
  }

  /** Whether a folder is there, and all above it, none of them a link. */
  #isFolder(folder: string): boolean {
    if (folder === "." || this.#checked.has(folder)) return true;
    if (!this.#isFolder(dirname(folder))) return false;
    const path = join(this.#root, folder);
    const found = attemptSync(path, () => statsOf(path));
    if (found === null) return false;
    if (!found.isDirectory()) {
      throw new StoreWriteError(
        `${path} cannot be written: it is no folder but something that was not put there by an export; remove it`,
      );
    }
    this.#remember(folder);
    return true;
  }

  #remember(folder: string): void {
    if (this.#checked.size >= CHECKED_MAX) this.#checked.clear();
    this.#checked.add(folder);
  }
}

/** Tells a tree's folder from another one at its place; null where there is none. */
export function treeIdentity(root: string): string | null {
  const found = attemptSync(root, () => statsOf(root));
  return found === null ? null : `${found.ino}:${found.birthtimeMs}`;
}

/** What is at a path, no link followed; null where nothing is. */
function statsOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** @returns false where the action failed by one of the codes. */
function unlessThere(action: () => void, ...codes: readonly string[]): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** The real path of a file, of which the end may not be there yet. */
export async function realPathOf(given: string): Promise<string> {
  const path = resolve(given);
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
