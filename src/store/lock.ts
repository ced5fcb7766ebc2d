import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { sha256 } from "./layout.js";

/** Another build holds the store. */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
}

/**
 * Takes the lock of a store, whether it is there yet or not, and returns what frees it.
 *
 * An abstract unix socket named after the store's real path: the kernel frees it when its owner dies,
 * however it dies. It holds on Linux, among processes of one network namespace.
 * @throws StoreLockedError at once where another build holds it.
 */
export async function lockStore(store: string): Promise<() => Promise<void>> {
  const name = `\0crawldex-${sha256(await realPathOf(resolve(store)))}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new StoreLockedError(`another build is writing to ${store}; try again when it is done`)
          : error,
      );
    });
    server.listen(name, resolve);
  });
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** The real path of a file, of which the end may not be there yet. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
