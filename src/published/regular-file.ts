import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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

/** Never waits for the writer of a pipe, never takes another place than the one that was checked. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Opens a regular file by its real path. The caller closes it.
 * @throws FileError where it is none, or cannot be opened
 */
export function openRegular(path: string): { readonly fd: number; readonly size: number } {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch (error) {
    throw fileError(error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new FileError("is not a regular file");
    return { fd, size: stats.size };
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
