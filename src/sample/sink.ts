import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file that is being written, from its beginning to its end. */
export interface SinkFile {
  /** Resolves when more may be written, so that what waits in memory stays small. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Through which every byte of a sample leaves: into a folder, or elsewhere in tests. */
export interface Sink {
  /** @param path below the published folder, with slashes */
  open(path: string): Promise<SinkFile>;
}

/** A sample is not written into the folder that was given. */
export class SampleRefusedError extends Error {
  override readonly name = "SampleRefusedError";
}

/** Characters that are gathered before they are written. */
const CHUNK = 1024 * 1024;

/**
 * A sink into a new or empty folder.
 * @throws SampleRefusedError where the folder has something in it, or is no folder
 */
export async function folderSink(folder: string): Promise<Sink> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new SampleRefusedError(`${folder} is a file, not a folder`);
    throw error;
  });
  if ((await readdir(folder)).length > 0) {
    throw new SampleRefusedError(
      `${folder} is not empty; the sample is written into a new or empty folder only`,
    );
  }
  return {
    async open(path) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      return new ChunkedFile(await open(place, "wx"));
    },
  };
}

class ChunkedFile implements SinkFile {
  readonly #handle: FileHandle;
  #waiting: string[] = [];
  #length = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(text: string): Promise<void> {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= CHUNK) await this.#flush();
  }

  async close(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#length = 0;
    await this.#handle.writeFile(text);
  }
}
