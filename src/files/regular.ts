import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from "node:fs";
import { access, type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { codeOf, hasCode } from "./errors.js";

/*
 * The input and the store are read from regular files only. Anything else in their place (a pipe, a
 * device, a folder) is refused before reading, because opening or reading it could block forever.
 */

/** O_NONBLOCK, so that opening a pipe does not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** The largest file, in bytes, that is read as a whole. The files of a store that are read so are far smaller. */
const WHOLE_MAX = 256 * 1024 * 1024;

/** A file is too large or not regular. Its `code` says which, in place of a system error's code. */
export class IrregularFileError extends Error {
  override readonly name = "IrregularFileError";
  readonly code: string;
  readonly isTooLarge: boolean;

  constructor(reason: string, isTooLarge: boolean) {
    super(reason);
    this.code = reason;
    this.isTooLarge = isTooLarge;
  }
}

/** @throws IrregularFileError if the file is not regular; the errors of node:fs */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS);
  try {
    requireRegular(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A regular file that is open. The caller closes it. */
export interface OpenedFile {
  readonly descriptor: number;
  /** In bytes. */
  readonly size: number;
  /** The file's metadata when it was opened. */
  readonly stats: BigIntStats;
}

/** @throws as `openRegular`; if `followsLinks` is false, also for a link */
export function openRegularSync(path: string, { followsLinks = true } = {}): OpenedFile {
  const descriptor = openSync(path, followsLinks ? FLAGS : FLAGS | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    requireRegular(stats);
    return { descriptor, size: Number(stats.size), stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Reads a whole file. @throws as `openRegular`, and IrregularFileError if it has more than `max` bytes */
export async function readRegular(path: string, max = WHOLE_MAX): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    requireSize((await file.stat()).size, max);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Like `readRegular`, but synchronous. */
export function readRegularSync(path: string, max = WHOLE_MAX): Buffer {
  const { descriptor, size } = openRegularSync(path);
  try {
    requireSize(size, max);
    const bytes = Buffer.allocUnsafeSlow(size);
    return bytes.subarray(0, fillSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a part of a file: fewer bytes if the file ends earlier. @throws as `openRegular` */
export function readPartSync(path: string, offset: number, length: number): Buffer {
  const { descriptor } = openRegularSync(path);
  try {
    const bytes = Buffer.allocUnsafeSlow(length);
    return bytes.subarray(0, fillSync(descriptor, bytes, offset));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads until `bytes` is full or the file ends.
 * @param position offset in the file, in bytes; null continues where the last read ended
 * @returns the number of bytes read
 */
export function fillSync(
  descriptor: number,
  bytes: Uint8Array,
  position: number | null = 0,
): number {
  let end = 0;
  for (let read = 1; read > 0 && end < bytes.length; end += read) {
    const at = position === null ? null : position + end;
    read = readSync(descriptor, bytes, end, bytes.length - end, at);
  }
  return end;
}

/** The most bytes in one read: Node aborts the process if the number exceeds a signed 32-bit integer. */
const READ_MAX = 2 ** 31 - 1;

/** Whether a file of `size` bytes has `length` bytes from `offset` on, and one read can return them. */
export function isInside(offset: number, length: number, size: number): boolean {
  const areCounts = [offset, length].every((one) => Number.isSafeInteger(one) && one >= 0);
  return areCounts && length <= READ_MAX && offset + length <= size;
}

function requireRegular(stats: { isFile(): boolean }): void {
  if (!stats.isFile()) throw new IrregularFileError("it is not a regular file", false);
}

function requireSize(size: number, max: number): void {
  if (size <= max) return;
  throw new IrregularFileError(`it has ${size} bytes, more than ${max}`, true);
}

const Digits = z.string().regex(/^[0-9]+$/);

/**
 * A regular file's metadata, which the file system returns without reading the file. If a file's state
 * has not changed since it was read, we assume that its content has not either: times are in
 * nanoseconds, and no tool can set a `ctime` back.
 */
export const FileState = z.strictObject({
  bytes: Digits,
  mtime: Digits,
  ctime: Digits,
  inode: Digits,
  device: Digits,
});
export type FileState = z.infer<typeof FileState>;

/** The state of the file at a path; null if there is no regular file, for example only a link. */
export function fileState(path: string): FileState | null {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() ? fileStateOf(stats) : null;
  } catch {
    // Opening the file fails for the same reason, and reports it.
    return null;
  }
}

export function fileStateOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileState {
  return {
    bytes: `${size}`,
    mtime: `${mtimeNs}`,
    ctime: `${ctimeNs}`,
    inode: `${ino}`,
    device: `${dev}`,
  };
}

/** Whether both are the same state; false if one is missing. */
export function isSameState(
  a: FileState | null | undefined,
  b: FileState | null | undefined,
): boolean {
  return (
    a != null &&
    b != null &&
    a.bytes === b.bytes &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.inode === b.inode &&
    a.device === b.device
  );
}

/**
 * The code of the error with which a write into a folder would fail now, such as EROFS; null if it would succeed. If
 * the folder is missing, looks at the folder above, in which it would be created.
 * @param folder an absolute path
 */
export async function writeRefusal(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const above = dirname(folder);
    if (hasCode(error, ["ENOENT"]) && above !== folder) return writeRefusal(above);
    return codeOf(error) ?? "unknown";
  }
}
