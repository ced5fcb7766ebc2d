import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/*
 * The input and the store are read from regular files. Anything else in their place (a pipe, a device, a folder) is
 * refused before it is read: opening or reading it could wait for ever.
 */

/** Opening a pipe for reading does not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Bytes of a file that is held as a whole. A manifest of a million listings has 3 MB, a bucket's files far less. */
const WHOLE_MAX = 256 * 1024 * 1024;

/** A file is not regular or too large. Its `code` says which, in the place of a system error's code. */
export class IrregularFileError extends Error {
  override readonly name = "IrregularFileError";
  readonly code: string;

  constructor(reason: string) {
    super(reason);
    this.code = reason;
  }
}

/** @throws where it is no regular file, and as node:fs does */
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

/** A regular file that is open; the caller closes it. */
export interface OpenedFile {
  readonly descriptor: number;
  /** In bytes. */
  readonly size: number;
  /** When it was opened. */
  readonly stats: BigIntStats;
}

/** @throws as `openRegular`; where `followsLinks` is false, also for a link */
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

/** Reads a file whole. @throws as `openRegular`, and where the file is too large to be held */
export async function readRegular(path: string): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    requireSize((await file.stat()).size);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** As `readRegular`, at once. */
export function readRegularSync(path: string): Buffer {
  const { descriptor, size } = openRegularSync(path);
  try {
    requireSize(size);
    const bytes = Buffer.allocUnsafeSlow(size);
    return bytes.subarray(0, fillSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads until `bytes` is full or the file ends.
 * @param position offset in the file, in bytes; null continues where the last read ended
 * @returns bytes read
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

/** Bytes that are read at once: node ends the process where they are more than a signed 32-bit number can tell. */
const READ_MAX = 2 ** 31 - 1;

/** Whether a file of `size` bytes has `length` bytes from `offset` on, and they can be read at once. */
export function isInside(offset: number, length: number, size: number): boolean {
  const areCounts = [offset, length].every((one) => Number.isSafeInteger(one) && one >= 0);
  return areCounts && length <= READ_MAX && offset + length <= size;
}

function requireRegular(stats: { isFile(): boolean }): void {
  if (!stats.isFile()) throw new IrregularFileError("it is not a regular file");
}

function requireSize(size: number): void {
  if (size > WHOLE_MAX) throw new IrregularFileError(`it has ${size} bytes`);
}
