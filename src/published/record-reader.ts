import { closeSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { itemAt } from "../contract/tables.js";
import type { Problem } from "./checking/problem.js";
import { type RecordSource, recordDigest } from "./checking/record.js";
import { type SourceFile, wholeFile } from "./locating/files.js";
import type { RecordPointer } from "./locating/record-index.js";
import { FileError, openInputFile, readBytes } from "./locating/regular-file.js";

/** How many files stay open between records; far below any system's limit. */
const OPEN_FILES = 32;

/** Reads located records again, and detects files that have changed since they were located. */
export class RecordReader {
  readonly #files: readonly SourceFile[];
  readonly #onProblem: (problem: Problem) => void;
  /** Descriptors by file number. */
  readonly #open = new LRUCache<number, number>({
    max: OPEN_FILES,
    dispose: (fd) => closeSync(fd),
  });
  /** 1 for each file that some thread has already reported. Each file is reported once. */
  readonly #failed: Uint8Array;
  #closed = false;

  /** @param failed one byte per file, in shared memory */
  constructor(
    files: readonly SourceFile[],
    failed: Uint8Array,
    onProblem: (problem: Problem) => void,
  ) {
    this.#files = files;
    this.#failed = failed;
    this.#onProblem = onProblem;
  }

  /** Returns a record's bytes, or null if its file is unreadable or has changed since the record was located. */
  read({ file, offset, length, line, digest }: RecordPointer): RecordSource | null {
    if (this.#closed) throw new TypeError("the published directory is closed");
    const { name } = itemAt(this.#files, file);
    try {
      const bytes = Buffer.allocUnsafe(length);
      const filled = readBytes(this.#descriptor(file), bytes, offset);
      if (filled === length && isSameDigest(recordDigest(name, bytes), digest)) {
        return { file: name, line, bytes };
      }
      throw new FileError(
        "changed while it was being read; run again once it is completely written",
      );
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (Atomics.exchange(this.#failed, file, 1) === 0) {
        this.#onProblem(wholeFile(name, error.message));
      }
      return null;
    }
  }

  close(): void {
    this.#closed = true;
    this.#open.clear();
  }

  #descriptor(file: number): number {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    const { fd } = openInputFile(itemAt(this.#files, file).path);
    this.#open.set(file, fd);
    return fd;
  }
}

function isSameDigest(a: Uint32Array, b: Uint32Array): boolean {
  return a.every((word, at) => word === b[at]);
}
