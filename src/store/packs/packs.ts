import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { hasCode } from "../../files/errors.js";
import { openRegular } from "../../files/regular.js";
import { Slabs } from "./slabs.js";

interface OpenPack {
  readonly file: Promise<FileHandle>;
  /** Null until the file is open. */
  descriptor: number | null;
  readers: number;
  retired: boolean;
  /** Called after the last reader has closed the file. */
  onClosed: () => void;
}

export interface PackFilesOptions {
  /** The most packs that are open at a time; fewer if the system allows the process fewer files. */
  readonly openMax?: number;
  /**
   * Returns milliseconds. If given, an open pack is read synchronously in the calling thread, at half
   * the cost of another thread. After slow reads, as from a disk, other threads read for a while.
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
 * The packs of a snapshot. Opens each one on its first read and keeps a limited number open: an open
 * file stays readable after its name is deleted, but a process may only open so many files.
 */
export class PackFiles {
  readonly #paths: readonly string[];
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
  readonly #open = new Map<number, OpenPack>();

  /** @param paths by the number of the segment */
  constructor(
    paths: readonly string[],
    { openMax = OPEN_PACKS_MAX, clock }: PackFilesOptions = {},
  ) {
    this.#paths = paths;
    this.#openLimit = openMax;
    this.#openMax = openMax;
    this.#clock = clock;
  }

  /** Reads up to `length` bytes from `offset`; fewer if the file ends before. Rejects if the pack cannot be read. */
  async read(segment: number, offset: number, length: number): Promise<Buffer> {
    const known = this.#open.get(segment);
    const clock = this.#clock;
    if (known?.descriptor != null && clock !== undefined && clock() >= this.#waryUntil) {
      try {
        return this.#readAtOnce(clock, known.descriptor, offset, length);
      } catch {
        // The open file may be stale, as on a network disk, while opening it again by name may work.
        this.#retire(segment);
      }
    }
    try {
      return await this.#readAside(segment, offset, length);
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
    }
    // One at a time, so that no read takes the file descriptor that another has freed.
    const done = this.#turn.then(() => this.#readWithRoom(segment, offset, length));
    this.#turn = done.catch(() => {});
    return await done;
  }

  /**
   * Opens a pack again by its name and reads from that file. It may be a new file, because a build
   * replaces a damaged pack. If `isGood` accepts the body, the new file replaces the open one.
   * @returns null if the body is not good, or cannot be read
   */
  async readAfresh(
    segment: number,
    offset: number,
    length: number,
    isGood: (body: Buffer) => boolean,
  ): Promise<Buffer | null> {
    const fresh = openPack(this.#paths[segment] ?? "");
    try {
      const body = await readFrom(fresh, offset, length);
      if (!isGood(body)) throw new RangeError("the reopened pack is damaged too");
      this.#retire(segment);
      if (this.#isClosed) await closePack(fresh);
      else this.#open.set(segment, fresh);
      return body;
    } catch {
      await closePack(fresh);
      return null;
    }
  }

  /** Closes all packs once the reads in progress end. A later read opens its pack only for itself. */
  close(): void {
    this.#isClosed = true;
    for (const segment of [...this.#open.keys()]) this.#retire(segment);
  }

  /** Reads in another thread. If the process has too many files open, closes some packs and tries again. */
  async #readWithRoom(segment: number, offset: number, length: number): Promise<Buffer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readAside(segment, offset, length);
      } catch (error) {
        if (!isOutOfFiles(error) || tries === ROOM_TRIES) throw error;
        const open = [...this.#open.values()].filter(({ descriptor }) => descriptor !== null);
        this.#openMax = Math.max(1, open.length / 2);
        this.#retireColdest();
        await Promise.all(this.#closings);
      }
    }
  }

  #readAtOnce(clock: () => number, descriptor: number, offset: number, length: number): Buffer {
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
  async #readAside(segment: number, offset: number, length: number): Promise<Buffer> {
    const pack = this.#take(segment);
    pack.readers += 1;
    try {
      return await readFrom(pack, offset, length);
    } catch (error) {
      // Drops the pack, so that the next read tries to open it again.
      if (this.#open.get(segment) === pack) this.#retire(segment);
      throw error;
    } finally {
      pack.readers -= 1;
      if (pack.retired && pack.readers === 0) {
        await closePack(pack);
        pack.onClosed();
      }
    }
  }

  #take(segment: number): OpenPack {
    const known = this.#open.get(segment);
    if (known !== undefined) return known;
    const pack = openPack(this.#paths[segment] ?? "");
    pack.retired = this.#isClosed;
    if (pack.retired) return pack;
    this.#open.set(segment, pack);
    this.#openMax = Math.min(this.#openLimit, this.#openMax + ROOM_BACK);
    this.#retireColdest();
    return pack;
  }

  #retireColdest(): void {
    for (const segment of this.#open.keys()) {
      if (this.#open.size <= this.#openMax) return;
      this.#retire(segment);
    }
  }

  /** Hides the pack from new readers. Its last reader closes it. */
  #retire(segment: number): void {
    const pack = this.#open.get(segment);
    this.#open.delete(segment);
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

async function readFrom({ file }: OpenPack, offset: number, length: number): Promise<Buffer> {
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
