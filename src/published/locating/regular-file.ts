import {
  type FileState,
  fileStateOf,
  fillSync,
  IrregularFileError,
  openRegularSync,
} from "../../files/regular.js";

/** The published folder does not exist, is not a folder, or cannot be listed. */
export class PublishedFolderError extends Error {
  override readonly name = "PublishedFolderError";
}

/** A file cannot be read. The message continues a sentence that begins with the file's name. */
export class FileError extends Error {
  override readonly name = "FileError";
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  ELOOP: "is a link, or a loop of links",
  EACCES: "cannot be read, permission denied",
  EPERM: "cannot be read, permission denied",
  EMFILE: "cannot be opened, too many files are open",
  ENFILE: "cannot be opened, too many files are open",
  ENXIO: "is not a regular file",
};

/** Puts a file system's error into words. @throws any other error unchanged */
export function fileError(error: unknown): FileError {
  if (error instanceof FileError) return error;
  if (error instanceof IrregularFileError) return new FileError("is not a regular file");
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const code = String(error.code);
  return new FileError(`${FILE_ERRORS[code] ?? "cannot be read"} (${code})`, { cause: error });
}

/** An open regular file. */
export interface OpenFile {
  readonly fd: number;
  /** In bytes. */
  readonly size: number;
  /** The file's state when it was opened. */
  readonly state: FileState;
}

/**
 * Opens a regular file by its real path. The caller closes it.
 * @throws FileError if it is not a regular file, or cannot be opened
 */
export function openInputFile(path: string): OpenFile {
  try {
    const { descriptor, size, stats } = openRegularSync(path, { followsLinks: false });
    return { fd: descriptor, size, state: fileStateOf(stats) };
  } catch (error) {
    throw fileError(error);
  }
}

/** Reads as `fillSync` does. @throws FileError */
export function readBytes(fd: number, into: Uint8Array, position: number | null): number {
  try {
    return fillSync(fd, into, position);
  } catch (error) {
    throw fileError(error);
  }
}

/** Names of files that hold records (docs/publishing.md#rules-for-all-files), in any case. */
const RECORD_FILE = /\.(?:json|ndjson|jsonl)$/i;

export function isRecordFile(name: string): boolean {
  return RECORD_FILE.test(name);
}

/** Whether a record file holds a single record. Other record files hold one record per line. */
export function isOneRecord(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Kinds of records in a published directory. */
export const PUBLISHED_RECORDS = ["directory", "standards", "taxonomy", "listing", "scan"] as const;
/** A kind of record in a published directory. */
export type PublishedRecord = (typeof PUBLISHED_RECORDS)[number];
