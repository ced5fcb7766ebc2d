import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { writeError } from "./disk.js";
import { sha256 } from "./layout.js";
import { LockFile } from "./lock-file.js";

/** Another build holds the store, or another export the site. */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
}

/**
 * Takes the lock of a store, as `lockFolder` does.
 * @param platform as `process.platform`
 */
export function lockStore(
  store: string,
  platform: NodeJS.Platform = process.platform,
): Promise<() => Promise<void>> {
  const held = `another build is writing to ${store}; try again when it is done`;
  return lockFolder(store, held, platform);
}

/**
 * Takes the lock of a folder, whether it is there yet or not, and returns what frees it.
 *
 * On Linux an abstract unix socket named after the folder's real path: the kernel frees it when its
 * owner dies, however it dies. It holds among processes of one network namespace. Elsewhere a file
 * beside the folder (`LockFile`): it holds among all machines that share the folder, and is freed by
 * a death after a while.
 * @throws StoreLockedError with the message `held`, at once, where another process holds it;
 * StoreWriteError where it cannot be taken at all.
 */
export async function lockFolder(
  folder: string,
  held: string,
  platform: NodeJS.Platform = process.platform,
): Promise<() => Promise<void>> {
  let free: (() => Promise<void>) | null;
  try {
    const path = await realPathOf(folder);
    free = platform === "linux" ? await takeSocket(path) : await LockFile.take(path);
  } catch (error) {
    throw writeError(folder, error);
  }
  if (free === null) throw new StoreLockedError(held);
  return free;
}

/** @returns what frees the socket; null where another process has it. */
async function takeSocket(path: string): Promise<(() => Promise<void>) | null> {
  const server = createServer((socket) => socket.destroy());
  const isOurs = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(`\0crawldex-${sha256(path)}`, () => resolve(true));
  });
  if (!isOurs) return null;
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
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
