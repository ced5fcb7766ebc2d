import { type FileHandle, open } from "node:fs/promises";

interface OpenPack {
  readonly file: Promise<FileHandle>;
  readers: number;
  retired: boolean;
}

/**
 * The packs of a snapshot, opened when first read and kept open, at most so many at a time: a file
 * that is held outlives its name, and the number of files of a process is bounded.
 */
export class PackFiles {
  readonly #paths: readonly string[];
  readonly #openMax: number;
  /** The least recently used first. */
  readonly #open = new Map<number, OpenPack>();

  /** @param paths by the number of the bucket */
  constructor(paths: readonly string[], openMax = 256) {
    this.#paths = paths;
    this.#openMax = openMax;
  }

  /** At most `length` bytes from `offset`; fewer where the file ends before. @throws where it cannot be read. */
  async read(bucket: number, offset: number, length: number): Promise<Buffer> {
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
    const fresh: OpenPack = {
      file: open(this.#paths[bucket] ?? "", "r"),
      readers: 0,
      retired: false,
    };
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

  #take(bucket: number): OpenPack {
    const path = this.#paths[bucket] ?? "";
    const pack = this.#open.get(bucket) ?? { file: open(path, "r"), readers: 0, retired: false };
    this.#open.delete(bucket);
    this.#open.set(bucket, pack);
    const [coldest] = this.#open.keys();
    if (this.#open.size > this.#openMax && coldest !== undefined) this.#retire(coldest);
    return pack;
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

async function readFrom({ file }: OpenPack, offset: number, length: number): Promise<Buffer> {
  const body = Buffer.allocUnsafe(length);
  const { bytesRead } = await (await file).read(body, 0, length, offset);
  return body.subarray(0, bytesRead);
}

/** A file that could not be opened, or does not close, holds nothing that is worth an error. */
async function closePack(pack: OpenPack): Promise<void> {
  await pack.file.then((file) => file.close()).catch(() => {});
}
