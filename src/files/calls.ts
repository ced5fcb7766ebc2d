import {
  closeSync,
  fsync as fsyncWithCallback,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

/**
 * The system's calls that change a store, one call each: every byte and every name of a store passes
 * here, through `disk`. The product never replaces one of them; the tests of crashes do, to count
 * them, to let them fail, and to lose what was not synced. Those that only touch memory are
 * synchronous, as that is fastest; what waits for the disk is not.
 */
export const calls = {
  mkdir(path: string): void {
    mkdirSync(path);
  },

  /** Opens a new file to be written. */
  create(path: string): number {
    return openSync(path, "wx");
  },

  openFolder(path: string): number {
    return openSync(path, "r");
  },

  /** Writes at the file's end. @returns how many of the bytes were taken */
  write(descriptor: number, bytes: Uint8Array, from: number): number {
    return writeSync(descriptor, bytes, from);
  },

  fsync: promisify(fsyncWithCallback) as (descriptor: number) => Promise<void>,

  close(descriptor: number): void {
    closeSync(descriptor);
  },

  rename(from: string, to: string): void {
    renameSync(from, to);
  },

  unlink(path: string): void {
    unlinkSync(path);
  },

  rmdir(path: string): void {
    rmdirSync(path);
  },
};
