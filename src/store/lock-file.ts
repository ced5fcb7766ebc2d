import { link, mkdir, open, readFile, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { disk, writeError } from "./disk.js";

/** How often the owner of a lock file writes it again, milliseconds. */
const HEARTBEAT_MS = 5_000;
/** A lock file that was not written for so long has no owner any more. */
const DEAD_MS = 12 * HEARTBEAT_MS;

/** So that no two attempts of this process share a name. */
let attempts = 0;

/** Who holds a lock file. */
const Owner = z.object({ pid: z.int().positive(), host: z.string() });
type Owner = z.infer<typeof Owner>;

/**
 * The lock of a store where the kernel has none that ends with its owner: a file beside the store,
 * with the owner's process id, its host's name, and a heartbeat. It appears with all its content at
 * once, by `link`, so that one of many wins. A file whose owner is dead, or whose heart has not
 * beaten for a minute, is taken over; one at a time may do that, who made a folder beside it.
 * Time is the file system's: what is new is compared with what is old there, no clock is asked.
 */
export const LockFile = {
  /**
   * @param store its real path
   * @returns what frees the lock; null where another process has it
   * @throws StoreWriteError
   */
  async take(store: string): Promise<(() => Promise<void>) | null> {
    const path = join(dirname(store), `.${basename(store)}.crawldex-lock`);
    await disk.makeFolder(dirname(path));
    const owner = { pid: process.pid, host: hostname() };
    attempts += 1;
    const mine = `${path}-${owner.host}-${owner.pid}-${attempts}`;
    try {
      await writeFile(mine, JSON.stringify(owner));
      const isOurs = (await linked(mine, path)) || (await takeOver(mine, path, owner));
      return isOurs ? beating(path) : null;
    } catch (error) {
      throw writeError(path, error);
    } finally {
      await rm(mine, { force: true }).catch(() => {});
    }
  },
};

/** Whether the lock got its file: where there is one, it stays. */
async function linked(mine: string, path: string): Promise<boolean> {
  return unless("EEXIST", link(mine, path));
}

/** Takes a dead owner's lock. */
async function takeOver(mine: string, path: string, owner: Owner): Promise<boolean> {
  if (!(await isDead(mine, path, owner))) return false;
  const turn = `${path}-turn`;
  if (!(await unless("EEXIST", mkdir(turn)))) {
    // Its maker needs a moment; one that died in it left it behind for the next but one.
    if (await isOld(mine, turn)) await unless("ENOENT", rmdir(turn));
    return false;
  }
  try {
    // Another may have had its turn since the first look.
    if (!(await isDead(mine, path, owner))) return false;
    await unless("ENOENT", unlink(path));
    return await linked(mine, path);
  } finally {
    await rmdir(turn);
  }
}

async function isDead(mine: string, path: string, owner: Owner): Promise<boolean> {
  const text = await readIfThere(path);
  if (text === null) return true;
  const found = ownerIn(text);
  return (found?.host === owner.host && !isAlive(found.pid)) || (await isOld(mine, path));
}

/** Null where there is no file. @throws what hinders reading one that is there: its owner may be alive */
async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Null where a loss of power has left no owner in the file: only its age tells then. */
function ownerIn(text: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether a file or folder was last changed long before one that is new. */
async function isOld(fresh: string, path: string): Promise<boolean> {
  const [now, then] = await Promise.all([stat(fresh), stat(path).catch(() => null)]);
  return then === null || now.mtimeMs - then.mtimeMs > DEAD_MS;
}

/** Keeps a lock file alive. @returns what frees it. */
async function beating(path: string): Promise<() => Promise<void>> {
  const file = await open(path, "r+");
  const text = await file.readFile();
  const heart = setInterval(() => {
    // The same bytes: what counts is the file's time. A beat that fails is followed by the next.
    file.write(text, 0, text.length, 0).catch(() => {});
  }, HEARTBEAT_MS);
  heart.unref();
  return async () => {
    clearInterval(heart);
    const { ino } = await file.stat();
    await file.close();
    // After a sleep of this machine another may have taken it over: then it is not ours to delete.
    const there = await stat(path).catch(() => null);
    if (there?.ino === ino) await rm(path, { force: true });
  };
}

/** Whether an action went well; false where it failed in one expected way. */
async function unless(code: string, action: Promise<unknown>): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}
