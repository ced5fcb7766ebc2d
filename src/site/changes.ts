import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { requirePlaceOf } from "../build/purge.js";
import { attemptSync, disk, ignoreErrors } from "../files/disk.js";
import { fileHeaders } from "./headers.js";
import { SiteRefusedError } from "./record.js";

/** How every line begins. */
const START = '{"action":"';
/** More bytes than a line has. */
const LINE_MAX = 64 * 1024;
/** How many lines are written at a time. */
const LINES_AT_ONCE = 1_000;
const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * The file that `--changes` names. It gets a line for each file before that file is written or deleted, so that no change
 * is missed if the export is killed. Lines are only added: whoever uploads the files deletes the list afterwards. A
 * line that a kill or a loss of power has cut off is removed: the export had not made its change yet.
 */
export class ChangesFile {
  readonly #path: string;
  #handle: number | null = null;
  #bytes = 0;

  /** @throws StoreWriteError if the path is a link or cannot hold a file. The file is created with its first line. */
  constructor(path: string) {
    requirePlaceOf(path);
    this.#path = path;
  }

  /** @throws StoreWriteError; SiteRefusedError if the file holds anything else */
  written(path: string): void {
    const headers = fileHeaders(path);
    const [contentType, cacheControl] = [headers["Content-Type"], headers["Cache-Control"]];
    this.#add([JSON.stringify({ action: "write", path, contentType, cacheControl })]);
  }

  /** The lines are durable on return. @throws as `written` does */
  async deleted(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    this.#add(paths.map((path) => JSON.stringify({ action: "delete", path })));
    await this.sync();
  }

  /** Makes all lines durable. @throws StoreWriteError */
  async sync(): Promise<void> {
    const handle = this.#handle;
    if (handle === null) return;
    attemptSync(this.#path, () => fsyncSync(handle));
    await disk.syncFolder(dirname(this.#path));
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }

  /** Adds all lines, or none if the disk is full. */
  #add(lines: readonly string[]): void {
    attemptSync(this.#path, () => {
      this.#handle ??= this.#open();
      const handle = this.#handle;
      let end = this.#bytes;
      try {
        for (let i = 0; i < lines.length; i += LINES_AT_ONCE) {
          const bytes = Buffer.from(`${lines.slice(i, i + LINES_AT_ONCE).join("\n")}\n`);
          for (let done = 0; done < bytes.length; ) {
            done += writeSync(handle, bytes, done, bytes.length - done, end + done);
          }
          end += bytes.length;
        }
      } catch (error) {
        ignoreErrors(() => ftruncateSync(handle, this.#bytes));
        throw error;
      }
      this.#bytes = end;
    });
  }

  #open(): number {
    const handle = openSync(this.#path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = fstatSync(handle);
      const tail = Buffer.alloc(Math.min(size, LINE_MAX));
      readSync(handle, tail, 0, tail.length, size - tail.length);
      const end = tail.lastIndexOf("\n") + 1;
      const cut = tail.subarray(end);
      const last = tail.subarray(tail.lastIndexOf("\n", end - 2) + 1, end);
      const cutStart = cut.toString("latin1", 0, START.length).replace(/\0.*/s, "");
      const isOurs = START.startsWith(cutStart) && (end === 0 || last.indexOf(START) === 0);
      if (!isOurs || cut.length === LINE_MAX) {
        throw new SiteRefusedError(`${this.#path} is no list of changes; choose another file`);
      }
      this.#bytes = size - cut.length;
      ftruncateSync(handle, this.#bytes);
      return handle;
    } catch (error) {
      closeSync(handle);
      throw error;
    }
  }
}
