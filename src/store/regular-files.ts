import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/*
 * A store's files are regular files. Whatever else stands in their place (a pipe, a device, a folder) is refused
 * before it is read: to open or read it could wait for ever.
 */

/** Opening a pipe for reading does not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Bytes of a file that is held as a whole. A manifest of a million listings has 3 MB, a bucket's files far less. */
const WHOLE_MAX = 256 * 1024 * 1024;

/** Its `code` says what is wrong, where a system's error has a name for that. */
class IrregularFileError extends Error {
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

/** The descriptor of a file and its size in bytes. @throws as `openRegular` */
export function openRegularSync(path: string): { descriptor: number; size: number } {
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = fstatSync(descriptor);
    requireRegular(stats);
    return { descriptor, size: stats.size };
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

/** Reads from a file's start. @returns bytes read: fewer than there is room for where the file is shorter */
export function fillSync(descriptor: number, bytes: Uint8Array): number {
  let end = 0;
  for (let read = 1; read > 0 && end < bytes.length; end += read) {
    read = readSync(descriptor, bytes, end, bytes.length - end, end);
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
