import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Slabs } from "./slabs.js";

interface OpenPack {
  readonly file: Promise<FileHandle>;
  /** Once it is open. */
  descriptor: number | null;
  readers: number;
  retired: boolean;
}

export interface PackFilesOptions {
  /** Packs that are open at once; fewer where the system lets a process have fewer. */
  readonly openMax?: number;
  /**
   * Tells milliseconds. With it, a pack that is open is read at once, in the calling thread, which costs half
   * of handing it to another; after a read that took long, as from a disk, others do it for a while.
   */
  readonly clock?: (() => number) | undefined;
}

const OPEN_MAX = 4_096;
/** Milliseconds that a read at once may take. What is in the system's cache takes a hundredth. */
const SLOW_MS = 2;
/** For how long, after one that took longer, reads go to other threads. */
const WARY_MS = 1_000;

/**
 * The packs of a snapshot, opened when first read and kept open, at most so many at a time: a file
 * that is held outlives its name, and the number of files of a process is bounded.
 */
export class PackFiles {
  readonly #paths: readonly string[];
  readonly #clock: (() => number) | undefined;
  readonly #slabs = new Slabs();
  #openMax: number;
  #waryUntil = 0;
  /** The least recently opened first. */
  readonly #open = new Map<number, OpenPack>();

  /** @param paths by the number of the bucket */
  constructor(paths: readonly string[], { openMax = OPEN_MAX, clock }: PackFilesOptions = {}) {
    this.#paths = paths;
    this.#openMax = openMax;
    this.#clock = clock;
  }

  /** At most `length` bytes from `offset`; fewer where the file ends before. @throws where it cannot be read. */
  async read(bucket: number, offset: number, length: number): Promise<Buffer> {
    const known = this.#open.get(bucket);
    if (known?.descriptor != null && this.#mayReadAtOnce()) {
      return this.#readAtOnce(known.descriptor, offset, length);
    }
    try {
      return await this.#readAside(bucket, offset, length);
    } catch (error) {
      if (!isOutOfFiles(error) || this.#open.size === 0) throw error;
      this.#openMax = Math.max(1, Math.floor(this.#open.size / 2));
      this.#retireColdest();
      return await this.#readAside(bucket, offset, length);
    }
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
      this.#open.set(bucket, fresh);
      return body;
    } catch {
      await closePack(fresh);
      return null;
    }
  }

  /** Closes all; reads under way end first. */
  close(): void {
    for (const bucket of [...this.#open.keys()]) this.#retire(bucket);
  }

  #mayReadAtOnce(): boolean {
    return this.#clock !== undefined && this.#clock() >= this.#waryUntil;
  }

  #readAtOnce(descriptor: number, offset: number, length: number): Buffer {
    const clock = this.#clock!;
    const start = clock();
    const body = this.#slabs.take(length);
    const read = readSync(descriptor, body, 0, length, offset);
    const end = clock();
    if (end - start > SLOW_MS) this.#waryUntil = end + WARY_MS;
    return body.subarray(0, read);
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
      if (pack.retired && pack.readers === 0) await closePack(pack);
    }
  }

  #take(bucket: number): OpenPack {
    const known = this.#open.get(bucket);
    if (known !== undefined) return known;
    const pack = openPack(this.#paths[bucket] ?? "");
    this.#open.set(bucket, pack);
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
    if (pack.readers === 0) void closePack(pack);
  }
}

function openPack(path: string): OpenPack {
  const pack: OpenPack = { file: open(path, "r"), descriptor: null, readers: 0, retired: false };
  pack.file.then(
    ({ fd }) => {
      pack.descriptor = fd;
    },
    () => {},
  );
  return pack;
}

async function readFrom({ file }: OpenPack, offset: number, length: number): Promise<Buffer> {
  const body = Buffer.allocUnsafe(length);
  const { bytesRead } = await (await file).read(body, 0, length, offset);
  return body.subarray(0, bytesRead);
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
