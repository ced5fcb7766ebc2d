import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../files/errors.js";
import { openRegular, readRegular } from "../../files/regular.js";
import type { ByteRange, ByteSource } from "../source.js";

/**
 * Bytes of a slab: room for four reports and more. A client that does not read its response holds a
 * whole slab, so larger slabs would let it hold more. They are no faster either.
 */
const SLAB_BYTES = 64 * 1024;

/**
 * Cuts small buffers off larger ones, to give the garbage collector fewer allocations. A slab is freed
 * only once all of its buffers are unused, so copy a buffer before you keep it for long.
 */
class Slabs {
  #slab = Buffer.alloc(0);
  #end = 0;

  /** A buffer with uninitialised bytes. */
  take(length: number): Buffer {
    if (this.#end + length > this.#slab.length) {
      if (length > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(length);
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#end = 0;
    }
    const taken = this.#slab.subarray(this.#end, this.#end + length);
    this.#end += length;
    return taken;
  }
}

interface OpenPack {
  readonly file: Promise<FileHandle>;
  /** Null until the file is open. */
  descriptor: number | null;
  readers: number;
  retired: boolean;
  /** Called after the last reader has closed the file. */
  onClosed: () => void;
}

export interface FolderOptions {
  /** The most packs that are open at a time; fewer if the system allows the process fewer files. */
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
 * After the process ran out of files, the limit of open packs grows back by this much for each pack that
 * is opened.
 */
const ROOM_BACK = 1 / 16;
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
 * The store in a local folder, which keeps no file open for long.
 * @param folder the store's folder
 */
export function folderStore(folder: string): ByteSource {
  return new FolderSource(folder, { openMax: 1 }).read;
}

/**
 * The store in a local folder. Opens each pack on its first read and keeps a limited number open: an open
 * file stays readable after its name is deleted, but a process may only open so many files.
 */
export class FolderSource {
  readonly #folder: string;
  readonly #clock: (() => number) | undefined;
  readonly #slabs = new Slabs();
  /** The pending closes of retired packs. */
  readonly #closings = new Set<Promise<void>>();
  readonly #openLimit: number;
  #openMax: number;
  #turn: Promise<unknown> = Promise.resolve();
  #usualMs = 0;
  #waryUntil = 0;
  #isClosed = false;
  /** In the order of opening, oldest first. */
  readonly #open = new Map<string, OpenPack>();

  /** @param folder the store's folder */
  constructor(folder: string, { openMax = OPEN_PACKS_MAX, clock }: FolderOptions = {}) {
    this.#folder = folder;
    this.#openLimit = openMax;
    this.#openMax = openMax;
    this.#clock = clock;
  }

  /** Reads a part of a file, which is a pack; fewer bytes if the file ends before. */
  readonly read: ByteSource = async (path, range, most, isAgain = false) => {
    if (range === undefined) return readRegular(join(this.#folder, path), most);
    const known = this.#open.get(path);
    const clock = this.#clock;
    if (known !== undefined && isAgain) {
      // It may have another file now: a build replaces a damaged pack.
      return this.#readAlone(path, range);
    }
    if (known?.descriptor != null && clock !== undefined && clock() >= this.#waryUntil) {
      try {
        return this.#readAtOnce(clock, known.descriptor, range);
      } catch {
        // The open file may be stale, as on a network disk, while opening it again by name may work.
        this.#retire(path);
      }
    }
    try {
      return await this.#readAside(path, range);
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
    }
    // One at a time, so that no read takes the file descriptor that another has freed.
    const done = this.#turn.then(() => this.#readWithRoom(path, range));
    this.#turn = done.catch(() => {});
    return await done;
  };

  /** Closes all packs once the reads in progress end. A later read opens its pack only for itself. */
  close(): void {
    this.#isClosed = true;
    for (const path of [...this.#open.keys()]) this.#retire(path);
  }

  /** Opens a pack for one read. */
  async #readAlone(path: string, range: ByteRange): Promise<Buffer> {
    const pack = openPack(join(this.#folder, path));
    try {
      return await readFrom(pack, range);
    } finally {
      await closePack(pack);
    }
  }

  /** Reads in another thread. If the process has too many files open, closes some packs and tries again. */
  async #readWithRoom(path: string, range: ByteRange): Promise<Buffer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readAside(path, range);
      } catch (error) {
        if (!isOutOfFiles(error) || tries === ROOM_TRIES) throw error;
        const open = [...this.#open.values()].filter(({ descriptor }) => descriptor !== null);
        this.#openMax = Math.max(1, open.length / 2);
        this.#retireColdest();
        await Promise.all(this.#closings);
      }
    }
  }

  #readAtOnce(clock: () => number, descriptor: number, { offset, length }: ByteRange): Buffer {
    const start = clock();
    const body = this.#slabs.take(length);
    let filled = 0;
    for (let read = 1; read > 0 && filled < length; filled += read) {
      read = readSync(descriptor, body, filled, length - filled, offset + filled);
    }
    const end = clock();
    this.#usualMs += (end - start - this.#usualMs) / AVERAGED;
    if (this.#usualMs > SLOW_READ_MS) {
      this.#usualMs = 0;
      this.#waryUntil = end + WARY_MS;
    }
    return body.subarray(0, filled);
  }

  /** Reads in another thread. */
  async #readAside(path: string, range: ByteRange): Promise<Buffer> {
    const pack = this.#take(path);
    pack.readers += 1;
    try {
      return await readFrom(pack, range);
    } catch (error) {
      // Drops the pack, so that the next read tries to open it again.
      if (this.#open.get(path) === pack) this.#retire(path);
      throw error;
    } finally {
      pack.readers -= 1;
      if (pack.retired && pack.readers === 0) {
        await closePack(pack);
        pack.onClosed();
      }
    }
  }

  #take(path: string): OpenPack {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const pack = openPack(join(this.#folder, path));
    pack.retired = this.#isClosed;
    if (pack.retired) return pack;
    this.#open.set(path, pack);
    this.#openMax = Math.min(this.#openLimit, this.#openMax + ROOM_BACK);
    this.#retireColdest();
    return pack;
  }

  #retireColdest(): void {
    for (const path of this.#open.keys()) {
      if (this.#open.size <= this.#openMax) return;
      this.#retire(path);
    }
  }

  /** Hides the pack from new readers. Its last reader closes it. */
  #retire(path: string): void {
    const pack = this.#open.get(path);
    this.#open.delete(path);
    if (pack === undefined) return;
    pack.retired = true;
    const closing =
      pack.readers === 0
        ? closePack(pack)
        : new Promise<void>((resolve) => {
            pack.onClosed = resolve;
          });
    this.#closings.add(closing);
    void closing.then(() => this.#closings.delete(closing));
  }
}

function openPack(path: string): OpenPack {
  const pack: OpenPack = {
    file: openRegular(path),
    descriptor: null,
    readers: 0,
    retired: false,
    onClosed: () => {},
  };
  pack.file.then(
    ({ fd }) => {
      pack.descriptor = fd;
    },
    () => {},
  );
  return pack;
}

async function readFrom({ file }: OpenPack, { offset, length }: ByteRange): Promise<Buffer> {
  const handle = await file;
  const body = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for (let read = 1; read > 0 && filled < length; filled += read) {
    const { bytesRead } = await handle.read(body, filled, length - filled, offset + filled);
    read = bytesRead;
  }
  return body.subarray(0, filled);
}

/** Ignores errors: a file that failed to open or to close has no data to lose. */
async function closePack(pack: OpenPack): Promise<void> {
  pack.descriptor = null;
  await pack.file.then((file) => file.close()).catch(() => {});
}

function isOutOfFiles(error: unknown): boolean {
  return hasCode(error, ["EMFILE", "ENFILE"]);
}
