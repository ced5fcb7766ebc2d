import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { hasCode } from "../files/errors.js";
import {
  fillSync,
  openRegular,
  readPartSync,
  readRegular,
  readRegularSync,
} from "../files/regular.js";
import { BadColumnsError } from "./columns/columns.js";
import { sha256 } from "./layout.js";
import type { ByteRange, ByteSource, FilePlatform } from "./source.js";

interface OpenPack {
  readonly file: Promise<FileHandle>;
  /** Null until the file is open, and once it is being closed. */
  descriptor: number | null;
}

export interface FolderOptions {
  /** The most packs that are open at a time. */
  readonly openMax?: number;
  /**
   * Returns milliseconds. If given, an open pack is read synchronously, at half the cost of another
   * thread. After slow reads, as from a disk, other threads read for a while.
   */
  readonly clock?: (() => number) | undefined;
}

const OPEN_PACKS_MAX = 4_096;
/** How often a read is tried while the process may not open another file. */
const ROOM_TRIES = 4;
/**
 * Average milliseconds above which synchronous reads are too slow. A read from the system's cache takes
 * a fiftieth of this.
 */
const SLOW_READ_MS = 0.5;
/**
 * About how many reads the average covers. A single read may be slow only because another process had
 * the processor.
 */
const AVERAGED = 16;
/** Milliseconds for which other threads read after synchronous reads were too slow. */
const WARY_MS = 1_000;

/**
 * The store in a local folder, which keeps no file open.
 * @param folder the store's folder
 */
export function folderStore(folder: string): ByteSource {
  return async (path, range, most) =>
    range === undefined
      ? readRegular(join(folder, path), most)
      : readOnce(join(folder, path), range);
}

/** Like `folderStore`, but each read blocks the thread: for a process that has nothing else to do. */
export function blockingStore(folder: string): ByteSource {
  return async (path, range, most) => {
    return range === undefined
      ? readRegularSync(join(folder, path), most)
      : readPartSync(join(folder, path), range.offset, range.length);
  };
}

/** What reading a store needs of Node. */
export const NODE_FILES: FilePlatform = {
  sha256: async (bytes) => sha256(bytes),
  gunzip: async (bytes, most) => gunzip(bytes, most),
};

/**
 * The store in a local folder. Keeps a limited number of packs open: an open file stays readable after its name is
 * deleted, and costs no second opening.
 */
export class FolderSource {
  readonly #folder: string;
  readonly #clock: (() => number) | undefined;
  readonly #open: LRUCache<string, OpenPack>;
  /** Resolves once the files that no longer stay open are closed. */
  #closing: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #usualMs = 0;
  #waryUntil = 0;
  #isClosed = false;

  /** @param folder the store's folder */
  constructor(folder: string, { openMax = OPEN_PACKS_MAX, clock }: FolderOptions = {}) {
    this.#folder = folder;
    this.#clock = clock;
    this.#open = new LRUCache({
      max: openMax,
      dispose: (pack) => {
        pack.descriptor = null;
        const closed = pack.file.then((file) => file.close()).catch(() => {});
        this.#closing = Promise.all([this.#closing, closed]);
      },
    });
  }

  /** Reads a whole file, or a part of a pack: fewer bytes if the pack ends earlier. */
  readonly read: ByteSource = async (path, range, most, isAgain = false) => {
    if (range === undefined) return readRegular(join(this.#folder, path), most);
    // At a second try, the name may belong to another file: a build replaces a damaged pack.
    if (isAgain || this.#isClosed) return readOnce(join(this.#folder, path), range);
    const descriptor = this.#open.get(path)?.descriptor ?? null;
    const clock = this.#clock;
    try {
      return descriptor !== null && clock !== undefined && clock() >= this.#waryUntil
        ? this.#readAtOnce(clock, descriptor, range)
        : await readFrom(await this.#packAt(path).file, range);
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

  /** Reads by the pack's name. If the process has too many files open, closes all packs and tries again. */
  async #readWithRoom(path: string, range: ByteRange): Promise<Buffer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await readOnce(join(this.#folder, path), range);
      } catch (error) {
        if (!hasCode(error, ["EMFILE", "ENFILE"]) || tries === ROOM_TRIES) throw error;
        this.#open.clear();
        await this.#closing;
      }
    }
  }

  #readAtOnce(clock: () => number, descriptor: number, { offset, length }: ByteRange): Buffer {
    const start = clock();
    const body = Buffer.allocUnsafeSlow(length);
    const filled = fillSync(descriptor, body, offset);
    const end = clock();
    this.#usualMs += (end - start - this.#usualMs) / AVERAGED;
    if (this.#usualMs > SLOW_READ_MS) {
      this.#usualMs = 0;
      this.#waryUntil = end + WARY_MS;
    }
    return body.subarray(0, filled);
  }

  #packAt(path: string): OpenPack {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const pack: OpenPack = { file: openRegular(join(this.#folder, path)), descriptor: null };
    this.#open.set(path, pack);
    pack.file.then(
      ({ fd }) => {
        if (this.#open.peek(path) === pack) pack.descriptor = fd;
      },
      () => {},
    );
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

/** Opens a file for one read. */
async function readOnce(path: string, range: ByteRange): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    return await readFrom(file, range);
  } finally {
    await file.close();
  }
}

/** Inflates a file. @param most the most bytes that it may become @throws BadColumnsError */
export function gunzip(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    throw new BadColumnsError("it is not compressed data, or inflates to too much", {
      cause: error,
    });
  }
}
