import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { openRegular } from "../../files/regular.js";
import { Slabs } from "./slabs.js";

interface OpenPack {
  readonly file: Promise<FileHandle>;
  /** Once it is open. */
  descriptor: number | null;
  readers: number;
  retired: boolean;
  /** Called when it was closed by its last reader. */
  onClosed: () => void;
}

export interface PackFilesOptions {
  /** Packs that are open at once; fewer where the system lets a process have fewer. */
  readonly openMax?: number;
  /**
   * Tells milliseconds. With it, a pack that is open is read at once, in the calling thread, which costs half
   * of handing it to another; after reads that took long, as from a disk, others do it for a while.
   */
  readonly clock?: (() => number) | undefined;
}

const OPEN_MAX = 4_096;
/** Times that a read is tried where the process may not open another file. */
const ROOM_TRIES = 4;
/** How many more packs may be open with each that is opened, after there was no room for so many. */
const ROOM_BACK = 1 / 16;
/** Milliseconds that reads at once may take on average. What is in the system's cache takes a fiftieth. */
const SLOW_MS = 0.5;
/** Reads that the average is of, about: one by itself may be slow because the processor was another's. */
const AVERAGED = 16;
/** For how long, after they took longer, reads go to other threads. */
const WARY_MS = 1_000;

/**
 * The packs of a snapshot, opened when first read and kept open, at most so many at a time: a file
 * that is held outlives its name, and the number of files of a process is bounded.
 */
export class PackFiles {
  readonly #paths: readonly string[];
  readonly #clock: (() => number) | undefined;
  readonly #slabs = new Slabs();
  /** Of packs that are retired. */
  readonly #closings = new Set<Promise<void>>();
  readonly #openLimit: number;
  #openMax: number;
  #turn: Promise<unknown> = Promise.resolve();
  #usualMs = 0;
  #waryUntil = 0;
  #isClosed = false;
  /** The least recently opened first. */
  readonly #open = new Map<number, OpenPack>();

  /** @param paths by the number of the bucket */
  constructor(paths: readonly string[], { openMax = OPEN_MAX, clock }: PackFilesOptions = {}) {
    this.#paths = paths;
    this.#openLimit = openMax;
    this.#openMax = openMax;
    this.#clock = clock;
  }

  /** At most `length` bytes from `offset`; fewer where the file ends before. Rejects where it cannot be read. */
  read(bucket: number, offset: number, length: number): Buffer | Promise<Buffer> {
    const known = this.#open.get(bucket);
    if (known?.descriptor != null && this.#mayReadAtOnce()) {
      try {
        return this.#readAtOnce(known.descriptor, offset, length);
      } catch {
        // A file that was held may be readable by its name, as on a network's disk.
        this.#retire(bucket);
      }
    }
    return this.#readSoon(bucket, offset, length);
  }

  async #readSoon(bucket: number, offset: number, length: number): Promise<Buffer> {
    try {
      return await this.#readAside(bucket, offset, length);
    } catch (error) {
      if (!isOutOfFiles(error)) throw error;
    }
    // One after the other, so that none takes the room that another has made.
    const done = this.#turn.then(() => this.#readWithRoom(bucket, offset, length));
    this.#turn = done.catch(() => {});
    return await done;
  }

  /**
   * Reads from the file that has a pack's name now, which may be another than the one that is held: a build
   * replaces a damaged pack. It is held instead where what was read of it is good.
   * @returns null where it is not, or cannot be read
   */
  async readAfresh(
    bucket: number,
    offset: number,
    length: number,
    isGood: (body: Buffer) => boolean,
  ): Promise<Buffer | null> {
    const fresh = openPack(this.#paths[bucket] ?? "");
    try {
      const body = await readFrom(fresh, offset, length);
      if (!isGood(body)) throw new RangeError("the pack is damaged by this name too");
      this.#retire(bucket);
      if (this.#isClosed) await closePack(fresh);
      else this.#open.set(bucket, fresh);
      return body;
    } catch {
      await closePack(fresh);
      return null;
    }
  }

  /** Closes all; reads under way end first. What is read later is opened for that alone. */
  close(): void {
    this.#isClosed = true;
    for (const bucket of [...this.#open.keys()]) this.#retire(bucket);
  }

  /** Reads aside, with fewer packs open where the process may not have so many files. */
  async #readWithRoom(bucket: number, offset: number, length: number): Promise<Buffer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readAside(bucket, offset, length);
      } catch (error) {
        if (!isOutOfFiles(error) || tries === ROOM_TRIES) throw error;
        const open = [...this.#open.values()].filter(({ descriptor }) => descriptor !== null);
        this.#openMax = Math.max(1, open.length / 2);
        this.#retireColdest();
        await Promise.all(this.#closings);
      }
    }
  }

  #mayReadAtOnce(): boolean {
    return this.#clock !== undefined && this.#clock() >= this.#waryUntil;
  }

  #readAtOnce(descriptor: number, offset: number, length: number): Buffer {
    const clock = this.#clock!;
    const start = clock();
    const body = this.#slabs.take(length);
    let filled = 0;
    for (let read = 1; read > 0 && filled < length; filled += read) {
      read = readSync(descriptor, body, filled, length - filled, offset + filled);
    }
    const end = clock();
    this.#usualMs += (end - start - this.#usualMs) / AVERAGED;
    if (this.#usualMs > SLOW_MS) {
      this.#usualMs = 0;
      this.#waryUntil = end + WARY_MS;
    }
    return body.subarray(0, filled);
  }

  /** Reads in another thread. */
  async #readAside(bucket: number, offset: number, length: number): Promise<Buffer> {
    const pack = this.#take(bucket);
    pack.readers += 1;
    try {
      return await readFrom(pack, offset, length);
    } catch (error) {
      // Not remembered: the next read tries again.
      if (this.#open.get(bucket) === pack) this.#retire(bucket);
      throw error;
    } finally {
      pack.readers -= 1;
      if (pack.retired && pack.readers === 0) {
        await closePack(pack);
        pack.onClosed();
      }
    }
  }

  #take(bucket: number): OpenPack {
    const known = this.#open.get(bucket);
    if (known !== undefined) return known;
    const pack = openPack(this.#paths[bucket] ?? "");
    pack.retired = this.#isClosed;
    if (pack.retired) return pack;
    this.#open.set(bucket, pack);
    this.#openMax = Math.min(this.#openLimit, this.#openMax + ROOM_BACK);
    this.#retireColdest();
    return pack;
  }

  #retireColdest(): void {
    for (const bucket of this.#open.keys()) {
      if (this.#open.size <= this.#openMax) return;
      this.#retire(bucket);
    }
  }

  /** No new reader gets the pack; the last one that has it closes it. */
  #retire(bucket: number): void {
    const pack = this.#open.get(bucket);
    this.#open.delete(bucket);
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

/** A file that could not be opened, or does not close, holds nothing that is worth an error. */
async function closePack(pack: OpenPack): Promise<void> {
  pack.descriptor = null;
  await pack.file.then((file) => file.close()).catch(() => {});
}

function isOutOfFiles(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EMFILE", "ENFILE"].includes(code);
}
