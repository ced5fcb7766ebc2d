import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { disk, ignoreErrors, writeError } from "./disk.js";
import { hasCode } from "./errors.js";
import { jsonIn } from "./lines.js";
import type { Heartbeat } from "./lock-worker.js";
import { randomName } from "./random-name.js";
import { fillSync, openRegularSync } from "./regular.js";

/** How often the owner of a lock rewrites the lock's file, in milliseconds. */
const HEARTBEAT_MS = 5_000;
/**
 * If a lock's file has not been written for this long, others may take the lock; in milliseconds of the file system's
 * time.
 */
const SILENCE_MS = 60_000;
/** The most attempts to take a lock. Each one after the first follows a lock that was just freed or abandoned. */
const ATTEMPTS_MAX = 100;

/** Another build holds the store, or another export holds the tree. */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
}

/** The codes of a disk without space. */
const IS_FULL = ["ENOSPC", "EDQUOT"];

/** Lets other threads of the lock's owner check it. Can be posted to them. */
export interface LockToken {
  readonly file: string;
  readonly purpose: Purpose;
}

/** @throws StoreLockedError if another process has taken the lock over */
export function requireHeld({ file, purpose: { task, target } }: LockToken): void {
  if (existsSync(file)) return;
  throw new StoreLockedError(
    `another ${task} took over ${target}, because this one was unresponsive for over a minute; this ` +
      "one stops, try again",
  );
}

/** What a lock protects, for messages: `another build is writing to snapshots`. */
interface Purpose {
  readonly task: "build" | "export";
  readonly target: string;
}

/** Takes the lock of a store, and creates the store's folder if it does not exist. @throws as `Lock.take` does */
export function lockStore(store: string): Promise<Lock> {
  return Lock.take(join(store, ".lock"), { task: "build", target: store });
}

/** The name of a tree's lock. While an export takes the lock, a folder has this name and a random end. */
export const TREE_LOCK = ".crawldex.lock";

/**
 * Takes the lock of an exported tree. The lock is in the tree, so only users who may write the tree can hold it: the
 * folder above may be open to all. `Lock.keepFolder` then leaves an empty folder in the tree.
 * @param root the tree's real path
 * @param target the tree's path as the user gave it, for messages
 * @throws as `Lock.take` does
 */
export function lockTree(root: string, target: string): Promise<Lock> {
  return Lock.take(join(root, TREE_LOCK), { task: "export", target });
}

/**
 * A lock for all processes, containers and machines that share a folder.
 *
 * The lock is a folder with one file, which has a random name and identifies the owner. To take the lock, a process
 * renames a folder of its own, with its file inside, to the lock's path. The system refuses the rename while another
 * owner's file is there, so only one of many processes succeeds, and its file is complete. The owner frees the lock
 * by deleting its file. A process that finds an abandoned lock deletes the file that it has read, and tries again.
 * Since names are random, it cannot delete the file of a later owner.
 *
 * A full disk has no room for a folder, or for a file's bytes. Then the process creates an empty file in the folder
 * that an earlier owner kept, and holds the lock if no other file is there: of two files, the later owner sees the
 * earlier.
 *
 * A lock counts as abandoned if its owner is known to have died, or if its file has not been written for a minute. Ages
 * are differences between times of one file system; no machine's clock is used. An owner may have been suspended for
 * a minute, so it must call `check` before it commits or deletes anything.
 */
export class Lock {
  readonly token: LockToken;
  readonly #path: string;
  /** The folders that were created for the lock, the outermost first. */
  readonly #made: readonly string[];
  readonly #starting: NodeJS.Timeout;
  #heart: Worker | null = null;
  #keepsFolder = false;

  private constructor(path: string, token: string, text: string, purpose: Purpose, made: string[]) {
    this.#path = path;
    this.token = { file: join(path, token), purpose };
    this.#made = made;
    // A separate thread beats even while this one computes for minutes. A short build needs no thread.
    this.#starting = setTimeout(() => this.#startHeart(text), HEARTBEAT_MS).unref();
  }

  /**
   * @throws StoreLockedError, without waiting, if another process holds the lock; StoreWriteError if the lock's
   * folder cannot be written
   */
  static async take(path: string, purpose: Purpose): Promise<Lock> {
    const token = randomName();
    const text = `${JSON.stringify(thisProcess())}\n`;
    const made: string[] = [];
    try {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
        made.push(...(await disk.makeFolder(dirname(path))));
        const { isTaken, now } = tryToTake(path, token, text);
        if (isTaken) {
          removeUnfinished(path);
          return new Lock(path, token, text, purpose, made);
        }
        if (now !== null) freeIfLeft(path, now, purpose);
      }
    } catch (error) {
      removeFolders(made);
      throw error instanceof StoreLockedError ? error : writeError(dirname(path), error);
    }
    throw new StoreLockedError(
      `${path} blocks this ${purpose.task}: it is not a lock, or other processes keep taking it; try ` +
        "again, or remove it",
    );
  }

  /** Whether this process still holds the lock. */
  isHeld(): boolean {
    return existsSync(this.token.file);
  }

  /** @throws StoreLockedError if another process has taken the lock over */
  check(): void {
    requireHeld(this.token);
  }

  /**
   * Runs an action under the lock, then frees the lock.
   * @throws StoreLockedError if the action fails and another process has taken the lock over; else the action's error
   */
  async during<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      this.check();
      throw error;
    } finally {
      await this.free();
    }
  }

  /** Leaves the lock's empty folder in place, so that the lock can be taken on a full disk. */
  keepFolder(): void {
    this.#keepsFolder = true;
  }

  /** Frees the lock if it is still held. The next owner deletes any file that cannot be deleted now. */
  async free(): Promise<void> {
    clearTimeout(this.#starting);
    await this.#heart?.terminate();
    ignoreErrors(() => unlinkSync(this.token.file));
    // Deletes the folders created for a build that published nothing. Folders that are not empty stay.
    if (!this.#keepsFolder) removeFolders([...this.#made, this.#path]);
  }

  #startHeart(text: string): void {
    const workerData: Heartbeat = { file: this.token.file, text, everyMs: HEARTBEAT_MS };
    this.#heart = new Worker(new URL("./lock-worker.js", import.meta.url), { workerData });
    this.#heart.unref();
    // Without the thread's heartbeats the lock may be lost. If so, `check` throws.
    this.#heart.on("error", () => {});
  }
}

/** The result of one attempt to take a lock. */
interface Try {
  readonly isTaken: boolean;
  /** The file system's time, in milliseconds; null if another process removed the files of this attempt. */
  readonly now: number | null;
}

function tryToTake(path: string, token: string, text: string): Try {
  const unfinished = `${path}-${token}`;
  let now: number | null = null;
  try {
    mkdirSync(unfinished);
    now = writeToken(join(unfinished, token), text);
    renameSync(unfinished, path);
    return { isTaken: true, now };
  } catch (error) {
    if (hasCode(error, IS_FULL) && existsSync(path)) return takeKeptFolder(join(path, token), text);
    // ENOTDIR: a file or a link is in the lock's place.
    if (!hasCode(error, ["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"])) throw error;
    return { isTaken: false, now };
  } finally {
    ignoreErrors(() => rmSync(unfinished, { recursive: true, force: true }));
  }
}

/** Takes a lock on a full disk, in the empty folder of an earlier owner. */
function takeKeptFolder(file: string, text: string): Try {
  const now = writeToken(file, text);
  const isTaken = readdirSync(dirname(file)).length === 1;
  if (!isTaken) unlinkSync(file);
  return { isTaken, now };
}

/** On a full disk the file stays empty until a heartbeat fills it. @returns its time, in milliseconds */
function writeToken(file: string, text: string): number {
  // A tree's files are public, so only the owner and the group may read who holds the lock.
  const descriptor = openSync(file, "wx", 0o640);
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    if (!hasCode(error, IS_FULL)) throw error;
  } finally {
    closeSync(descriptor);
  }
  return statSync(file).mtimeMs;
}

/** Removes an abandoned lock. @throws StoreLockedError if its owner may be alive */
function freeIfLeft(path: string, now: number, { task, target }: Purpose): void {
  for (const name of unlessGone(() => readdirSync(path)) ?? []) {
    if (!TOKEN.test(name)) continue;
    const file = join(path, name);
    const found = unlessGone(() => readLock(file));
    if (found === null) continue;
    const { owner, mtimeMs } = found;
    // A time far in the future counts as silence too: the clock was set back since.
    const isSilent = Math.abs(now - mtimeMs) > SILENCE_MS;
    if (!isSilent && (owner === null || !hasDied(owner))) {
      throw new StoreLockedError(`another ${task} is writing to ${target}${holderIn(owner)}`);
    }
    unlessGone(() => unlinkSync(file));
  }
  ignoreErrors(() => rmdirSync(path));
}

/** Names the holder of a lock, and tells the user what to do. */
function holderIn(owner: LockOwner | null): string {
  const holder = owner === null ? "" : ` (process ${owner.pid} on ${owner.host})`;
  const wait = "; try again when it is done";
  if (owner !== null && isNear(owner)) return `${holder}${wait}`;
  return `${holder}${wait}, or a minute after its machine or container stopped`;
}

const TOKEN = /^[0-9a-f]{32}$/;
const LOCK_BYTES_MAX = 4096;

/** @returns the owner, or null if the file does not name one, as after a loss of power */
function readLock(file: string): { owner: LockOwner | null; mtimeMs: number } {
  const { descriptor, stats } = openRegularSync(file, { followsLinks: false });
  try {
    const bytes = Buffer.alloc(LOCK_BYTES_MAX);
    const text = bytes.toString("utf8", 0, fillSync(descriptor, bytes));
    const { data = null } = LockOwner.safeParse(jsonIn(text));
    return { owner: data, mtimeMs: Number(stats.mtimeMs) };
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the unfinished folders of processes that tried to take the lock. Processes that still run try again. */
function removeUnfinished(path: string): void {
  const prefix = `${basename(path)}-`;
  for (const name of unlessGone(() => readdirSync(dirname(path))) ?? []) {
    if (!name.startsWith(prefix) || !TOKEN.test(name.slice(prefix.length))) continue;
    ignoreErrors(() => rmSync(join(dirname(path), name), { recursive: true, force: true }));
  }
}

/** Removes the folders that are empty, in reverse order. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) ignoreErrors(() => rmdirSync(folder));
}

/** @returns null if the file or folder does not exist, or no longer exists */
function unlessGone<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (hasCode(error, ["ENOENT", "ENOTDIR"])) return null;
    throw error;
  }
}

/** The process that holds a lock. */
const LockOwner = z.object({
  /** For people, and for systems without /proc. */
  host: z.string().regex(/^[\w.-]{1,255}$/),
  pid: z.int32().positive(),
  /**
   * Names the boot of the machine and the namespaces in which `pid` and `started` are valid. Null if a
   * Linux system hides them: then no other process can tell whether this one is alive.
   */
  machine: z.string().nullable(),
  /** When the process started, in clock ticks since the boot; null if the system does not report it. */
  started: z.string().nullable(),
});
type LockOwner = z.infer<typeof LockOwner>;

function thisProcess(): LockOwner {
  const { pid } = process;
  const host =
    hostname()
      .replace(/[^\w.-]/g, "_")
      .slice(0, 255) || "localhost";
  return { host, pid, machine: machineName(), started: found(pid).started };
}

/** Whether this process can tell if a lock's owner is alive: both run on one machine, in the same namespaces. */
function isNear({ host, machine }: LockOwner): boolean {
  const here = thisProcess();
  return machine !== null && machine === here.machine && host === here.host;
}

/** Whether a lock's owner has certainly died; false if this process cannot tell. */
function hasDied(owner: LockOwner): boolean {
  if (!isNear(owner)) return false;
  if (!isRunning(owner.pid)) return true;
  const { state, started } = found(owner.pid);
  // A killed process stays a zombie until its parent reaps it, and in some containers the first process
  // never does.
  if (state === "Z") return true;
  return started !== null && owner.started !== null && started !== owner.started;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, ["EPERM"]);
  }
}

function machineName(): string | null {
  // Other systems have no namespaces, so the host's name is enough there.
  if (process.platform !== "linux") return "";
  const boot = bootId();
  const pids = namespace("pid");
  // Before Linux 5.6 there are no time namespaces, so that part is "null".
  return boot === null || pids === null ? null : `${boot} ${pids} ${namespace("time")}`;
}

/** Identifies the machine's current boot; null if the system does not report it. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

function namespace(kind: string): string | null {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
}

/** Reads the state of a process from /proc; nulls if /proc does not have it. */
function found(pid: number): { readonly state: string | null; readonly started: string | null } {
  try {
    // A new namespace may still see the /proc of its parent, where the same number belongs to another
    // process.
    if (readlinkSync("/proc/self") === String(process.pid)) {
      const [, fields = ""] = /\) ([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const [state = null, ...rest] = fields.split(" ");
      return { state, started: rest[18] ?? null };
    }
  } catch {
    // This is not a Linux system, or the process is hidden or has just ended.
  }
  return { state: null, started: null };
}
