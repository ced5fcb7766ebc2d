import {
  closeSync,
  fsync as fsyncWithCallback,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

/**
 * The system calls that change a store, one function each: every byte and every name of a store is
 * written through them, by `disk`. The product never replaces a function. The crash tests do, to count
 * the calls, make them fail, and drop data that was not synced. Calls that only touch memory are
 * synchronous, because that is fastest; calls that wait for the disk are asynchronous.
 */
export const calls = {
  mkdir(path: string): void {
    mkdirSync(path);
  },

  /** Creates a new file and opens it for writing. */
  create(path: string, mode = 0o666): number {
    return openSync(path, "wx", mode);
  },

  openFolder(path: string): number {
    return openSync(path, "r");
  },

  /** Writes at the end of the file. @returns how many of the bytes were written */
  write(descriptor: number, bytes: Uint8Array, from: number): number {
    return writeSync(descriptor, bytes, from);
  },

  fsync: promisify(fsyncWithCallback),

  close(descriptor: number): void {
    closeSync(descriptor);
  },

  rename(from: string, to: string): void {
    renameSync(from, to);
  },

  /** Gives a file a second name. */
  link(path: string, name: string): void {
    linkSync(path, name);
  },

  unlink(path: string): void {
    unlinkSync(path);
  },

  rmdir(path: string): void {
    rmdirSync(path);
  },
};
