import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
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
import { attemptSync, makeFolders, StoreWriteError } from "../files/disk.js";
import { hasCode } from "../files/errors.js";
import { type LockToken, requireHeld, TREE_LOCK } from "../files/lock.js";
import { randomName } from "../files/random-name.js";

/** Names of unfinished files, in the root. Servers hide names that begin with a dot. */
const UNFINISHED_FILE = /^\.crawldex-[0-9a-f]{32}\.new$/;
/** The most folders that are remembered as checked. */
const CHECKED_MAX = 10_000;

/**
 * The public tree on disk. Paths are relative to its root, with slashes. A file is in its place either complete or
 * not at all. No link in the tree is followed, so nothing outside the tree is ever written or deleted. All methods
 * are synchronous, which is fastest for many small files. They may throw StoreWriteError. Once the lock is lost, a
 * method that would place or delete a file throws StoreLockedError instead.
 */
export class SiteTree {
  readonly #root: string;
  readonly #lock: LockToken;
  /** The path of the one file that is being written. */
  readonly #unfinished: string;
  readonly #sync: boolean;
  /** Folders that were checked to be real folders, not links. */
  readonly #checked = new Set<string>();
  /** Folders in which names have changed since the last sync. */
  readonly #changed = new Set<string>();
  #isNew: boolean;

  /**
   * @param sync if true, a file's bytes are durable after `put`, and its name after `syncFolders`
   * @param isNew whether the tree has no files of an earlier export
   */
  constructor(root: string, lock: LockToken, sync: boolean, isNew = false) {
    this.#root = root;
    this.#isNew = isNew;
    this.#lock = lock;
    this.#unfinished = join(root, `.crawldex-${randomName()}.new`);
    this.#sync = sync;
  }

  /**
   * Creates the root if it does not exist, and removes unfinished files of exports that were killed.
   * @returns whether the tree is new
   */
  prepare(): boolean {
    requireHeld(this.#lock);
    attemptSync(this.#root, () => {
      makeFolders(this.#root);
      const names = readdirSync(this.#root);
      for (const name of names) {
        if (UNFINISHED_FILE.test(name)) rmSync(join(this.#root, name), { force: true });
      }
      this.#isNew = names.every((name) => name.startsWith(TREE_LOCK));
    });
    return this.#isNew;
  }

  /** Whether a file has this length and the right bytes; false if it cannot be read. */
  holds(path: string, length: number, areRight: (bytes: Buffer) => boolean): boolean {
    try {
      if (!this.#isFolder(dirname(path))) return false;
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const file = openSync(join(this.#root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const found = fstatSync(file);
        return found.isFile() && found.size === length && areRight(readFileSync(file));
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
  }

  /** Writes a file to its path, unless it is there with the same bytes. @returns whether it was written */
  put(path: string, bytes: Uint8Array): boolean {
    if (!this.#isNew && this.holds(path, bytes.length, (read) => read.equals(bytes))) return false;
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
    return true;
  }

  /** Renames the complete file to its path. */
  #place(path: string): void {
    try {
      requireHeld(this.#lock);
      attemptSync(join(this.#root, path), () =>
        renameSync(this.#unfinished, join(this.#root, path)),
      );
    } catch (error) {
      rmSync(this.#unfinished, { force: true });
      throw error;
    }
    if (this.#sync) this.#changed.add(dirname(path));
  }

  /** Deletes a file, and the folders below `keep` that become empty. @returns whether the file existed. */
  remove(path: string, keep: string): boolean {
    if (!this.#isFolder(dirname(path))) return false;
    const full = join(this.#root, path);
    requireHeld(this.#lock);
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

  /** Makes deletions durable, and with `sync` also all other changes of names. */
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

  /** Whether a folder and all folders above it exist. @throws StoreWriteError if one is a link or not a folder */
  #isFolder(folder: string): boolean {
    if (folder === "." || this.#checked.has(folder)) return true;
    if (!this.#isFolder(dirname(folder))) return false;
    const path = join(this.#root, folder);
    const found = attemptSync(path, () => statsOf(path));
    if (found === null) return false;
    if (!found.isDirectory()) {
      throw new StoreWriteError(
        `${path} cannot be written: it is not a folder, and no export put it there; remove it`,
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

/** Finds out what is already at the paths of new files. Follows no link. */
export class Occupation {
  /** Paths, relative to the root, of what is in the way: a file, a link, or a folder with the name of a new file. */
  readonly found = new Set<string>();
  readonly #root: string;
  /** Folders of new files: the folder is there, nothing is there, or something else is in its place. */
  readonly #folders = new Map<string, "folder" | "nothing" | "other">([[".", "folder"]]);

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws StoreWriteError if a folder cannot be searched */
  lookFor(paths: readonly string[]): void {
    for (const path of paths) {
      const isTaken = this.#folderAt(dirname(path)) === "folder" && this.#statsAt(path) !== null;
      if (isTaken) this.found.add(path);
    }
  }

  #folderAt(folder: string): "folder" | "nothing" | "other" {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let state = this.#folderAt(dirname(folder));
    const stats = state === "folder" ? this.#statsAt(folder) : null;
    if (state === "folder" && stats === null) state = "nothing";
    if (stats !== null && !stats.isDirectory()) {
      this.found.add(folder);
      state = "other";
    }
    this.#folders.set(folder, state);
    return state;
  }

  #statsAt(path: string): Stats | null {
    return attemptSync(join(this.#root, path), () => statsOf(join(this.#root, path)));
  }
}

/** Distinguishes a tree's folder from another one at the same path; null if it does not exist. */
export function treeIdentity(root: string): string | null {
  const found = attemptSync(root, () => statsOf(root));
  return found === null ? null : `${found.ino}:${found.birthtimeMs}`;
}

/** The stats of a path, without following a link; null if nothing is there. */
function statsOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Runs an action. @returns false if it fails with one of the codes. */
function unlessThere(action: () => void, ...codes: readonly string[]): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (hasCode(error, codes)) return false;
    throw error;
  }
}

/** The real path of a file. The last parts of the path need not exist yet. */
export async function realPathOf(given: string): Promise<string> {
  const path = resolve(given);
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!hasCode(error, ["ENOENT"]) || parent === path) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
