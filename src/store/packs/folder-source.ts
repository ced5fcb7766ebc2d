import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { hasCode } from "../../files/errors.js";
import { openRegular, readRegular } from "../../files/regular.js";
import type { ByteRange, ByteSource } from "../source.js";

const OPEN_PACKS_MAX = 4_096;
/** How often a read is tried while the process may not open another file. */
const ROOM_TRIES = 4;

/**
 * The store in a local folder, which keeps no file open for long.
 * @param folder the store's folder
 */
export function folderStore(folder: string): ByteSource {
  return new FolderSource(folder, 1).read;
}

/**
 * The store in a local folder. Keeps a limited number of packs open: an open file stays readable after its name is
 * deleted, and costs no second opening.
 */
export class FolderSource {
  readonly #folder: string;
  readonly #open: LRUCache<string, Promise<FileHandle>>;
  /** Resolves once the files that no longer stay open are closed. */
  #closing: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param openMax the most packs that are open at a time */
  constructor(folder: string, openMax = OPEN_PACKS_MAX) {
    this.#folder = folder;
    this.#open = new LRUCache({
      max: openMax,
      dispose: (pack) => {
        const closed = pack.then((file) => file.close()).catch(() => {});
        this.#closing = Promise.all([this.#closing, closed]);
      },
    });
  }

  /** Reads a whole file, or a part of a pack: fewer bytes if the pack ends earlier. */
  readonly read: ByteSource = async (path, range, most, isAgain = false) => {
    if (range === undefined) return readRegular(join(this.#folder, path), most);
    // At a second try, the name may belong to another file: a build replaces a damaged pack.
    if (isAgain || this.#isClosed) return this.#readAlone(path, range);
    try {
      return await readFrom(await this.#packAt(path), range);
    } catch {
      // The open file may be stale, as on a network disk, or may have been closed to make room.
      this.#open.delete(path);
    }
    // One at a time, so that no read takes the file descriptor that another has freed.
    const done = this.#turn.then(() => this.#readWithRoom(path, range));
    this.#turn = done.catch(() => {});
    return await done;
  };

  /** Closes all packs once the reads in progress end. A later read opens its pack only for itself. */
  close(): void {
    this.#isClosed = true;
    this.#open.clear();
  }

  /** Opens a pack for one read. */
  async #readAlone(path: string, range: ByteRange): Promise<Buffer> {
    const file = await openRegular(join(this.#folder, path));
    try {
      return await readFrom(file, range);
    } finally {
      await file.close();
    }
  }

  /** Reads by the pack's name. If the process has too many files open, closes all packs and tries again. */
  async #readWithRoom(path: string, range: ByteRange): Promise<Buffer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readAlone(path, range);
      } catch (error) {
        if (!hasCode(error, ["EMFILE", "ENFILE"]) || tries === ROOM_TRIES) throw error;
        this.#open.clear();
        await this.#closing;
      }
    }
  }

  #packAt(path: string): Promise<FileHandle> {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const pack = openRegular(join(this.#folder, path));
    this.#open.set(path, pack);
    return pack;
  }
}

async function readFrom(handle: FileHandle, { offset, length }: ByteRange): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for (let read = 1; read > 0 && filled < length; filled += read) {
    const { bytesRead } = await handle.read(body, filled, length - filled, offset + filled);
    read = bytesRead;
  }
  return body.subarray(0, filled);
}
