import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from "node:fs";
import { z } from "zod";

/** The published folder is not there, is no folder, or cannot be listed. */
export class PublishedFolderError extends Error {
  override readonly name = "PublishedFolderError";
}

/** A file cannot be read; the message goes on after the file's name. */
export class FileError extends Error {
  override readonly name = "FileError";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there",
  ELOOP: "is a link, or a loop of links",
  EACCES: "may not be read",
  EPERM: "may not be read",
  EMFILE: "cannot be opened, too many files are open",
  ENFILE: "cannot be opened, too many files are open",
  ENXIO: "is not a regular file",
};

/** Puts a file system's error into words. @throws what is no such error */
export function fileError(error: unknown): FileError {
  if (error instanceof FileError) return error;
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const code = String(error.code);
  return new FileError(`${REASONS[code] ?? "cannot be read"} (${code})`, { cause: error });
}

const Digits = z.string().regex(/^[0-9]+$/);

/**
 * What a file system says of a regular file without reading it. A file in the state in which it was read
 * is taken to have the content that it had: times are in nanoseconds, and no tool sets a `ctime` back.
 */
export const FileState = z.strictObject({
  bytes: Digits,
  mtime: Digits,
  ctime: Digits,
  inode: Digits,
  device: Digits,
});
export type FileState = z.infer<typeof FileState>;

/** The state of the file at a path; null where no regular file is found, a link included. */
export function fileState(path: string): FileState | null {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() ? stateOf(stats) : null;
  } catch {
    // Whoever opens it is told what hinders.
    return null;
  }
}

export function isSameState(a: FileState, b: FileState | null): boolean {
  return (
    b !== null &&
    a.bytes === b.bytes &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.inode === b.inode &&
    a.device === b.device
  );
}

function stateOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileState {
  return {
    bytes: `${size}`,
    mtime: `${mtimeNs}`,
    ctime: `${ctimeNs}`,
    inode: `${ino}`,
    device: `${dev}`,
  };
}

/** A regular file that is open. */
export interface OpenFile {
  readonly fd: number;
  /** In bytes. */
  readonly size: number;
  /** When it was opened. */
  readonly state: FileState;
}

/** Never waits for the writer of a pipe, never takes another place than the one that was checked. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Opens a regular file by its real path. The caller closes it.
 * @throws FileError where it is none, or cannot be opened
 */
export function openRegular(path: string): OpenFile {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch (error) {
    throw fileError(error);
  }
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw new FileError("is not a regular file");
    return { fd, size: Number(stats.size), state: stateOf(stats) };
  } catch (error) {
    closeSync(fd);
    throw fileError(error);
  }
}

/**
 * Reads as many bytes as there are, up to what `into` holds.
 * @param position offset in the file, in bytes; null goes on where the last read ended
 * @throws FileError
 */
export function readBytes(fd: number, into: Uint8Array, position: number | null): number {
  try {
    let done = 0;
    while (done < into.length) {
      const at = position === null ? null : position + done;
      const count = readSync(fd, into, done, into.length - done, at);
      if (count === 0) break;
      done += count;
    }
    return done;
  } catch (error) {
    throw fileError(error);
  }
}
