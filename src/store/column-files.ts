import { closeSync } from "node:fs";
import { join } from "node:path";
import { fillSync, openRegularSync } from "../files/regular.js";
import { BadSnapshotError, unreadable } from "./bad-snapshot.js";
import { type BucketColumns, otherVersion, readColumns } from "./columns/columns.js";
import { aligned, BadColumnsError } from "./columns/file.js";
import { checkColumns } from "./columns/rules.js";
import type { Manifest } from "./format.js";
import { sha256 } from "./layout.js";

type Buckets = Manifest["buckets"];

/** Bytes of a buffer that many files are read into: so many are given back to the system when they are freed. */
const BUFFER_BYTES = 64 * 1024 * 1024;
/** Bytes of a bucket's columns: 256 times as many as those of a bucket of ordinary listings. */
const FILE_MAX = 256 * 1024 * 1024;

/** The columns' files of some buckets. */
export interface ColumnFiles {
  /** Each file's bytes, in memory that threads can share. */
  readonly files: Uint8Array[];
  /** The version of other columns than this program's, which were rebuilt; null where there were none. */
  readonly rebuilt: number | null;
}

/**
 * Reads the columns' files of buckets, one after the other. Where a file has other columns than this program's, it
 * rebuilds them from the shard. For a thread of its own, which it blocks.
 * @throws BadSnapshotError at the first file that is gone or not what the manifest says
 */
export async function readColumnFiles(store: string, buckets: Buckets): Promise<ColumnFiles> {
  const files = readFiles(store, buckets);
  const versions = files.map(otherVersion);
  const rebuilt = versions.find((version) => version !== null) ?? null;
  if (rebuilt === null) return { files, rebuilt };
  // Imported here alone: a start of which no column is rebuilt does not wait for the schemas.
  const { rebuildColumns } = await import("./column-rebuild.js");
  for (const [place, version] of versions.entries()) {
    if (version !== null) files[place] = inSharedMemory(rebuildColumns(store, buckets[place]!));
  }
  return { files, rebuilt };
}

/** A copy that threads can share. */
export function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function readFiles(store: string, buckets: Buckets): Uint8Array[] {
  let buffer = new SharedArrayBuffer(0);
  let end = 0;
  const total = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  return buckets.map(({ columns }) =>
    attempt(columns.file, () => {
      const { descriptor, size } = openRegularSync(join(store, columns.file));
      try {
        const { bytes: length, file } = columns;
        // Nothing is reserved for a length that the file does not have.
        if (size !== length || size > FILE_MAX) throw unlike(file);
        if (end + length > buffer.byteLength) {
          buffer = new SharedArrayBuffer(Math.max(length, Math.min(total, BUFFER_BYTES)));
          end = 0;
        }
        // Views of a file's columns begin at multiples of eight, and so does each file.
        const bytes = new Uint8Array(buffer, end, length);
        end += aligned(length);
        const isWhole = fillSync(descriptor, bytes) === length;
        if (!isWhole || sha256(bytes) !== columns.sha256) throw unlike(file);
        return bytes;
      } finally {
        closeSync(descriptor);
      }
    }),
  );
}

/** Which of a snapshot's buckets some files are of. */
export interface BucketRange {
  /** The number of the first one. */
  readonly first: number;
  /** How many the snapshot has. */
  readonly total: number;
}

/**
 * The columns of buckets, as views of their files' bytes.
 * @param range where it is given, all rules of the columns are checked
 * @throws BadSnapshotError
 */
export function columnsIn(
  files: readonly Uint8Array[],
  buckets: Buckets,
  range: BucketRange | null = null,
): BucketColumns[] {
  return files.map((bytes, place) => {
    const { columns, pack } = buckets[place]!;
    return attempt(columns.file, () => {
      const read = readColumns(bytes);
      if (range === null) return read;
      const { first, total } = range;
      checkColumns(read, { bucket: first + place, buckets: total, packBytes: pack.bytes });
      return read;
    });
  });
}

function unlike(file: string): BadSnapshotError {
  return new BadSnapshotError(`${file} is not what the manifest says`);
}

function attempt<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof BadSnapshotError) throw error;
    if (!(error instanceof BadColumnsError)) throw unreadable(file, error);
    throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
  }
}
