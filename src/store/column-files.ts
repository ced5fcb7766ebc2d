import { closeSync } from "node:fs";
import { join } from "node:path";
import { itemAt } from "../contract/tables.js";
import { fillSync, openRegularSync } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "./bad-snapshot.js";
import { type BucketColumns, readColumns } from "./columns/columns.js";
import { aligned, BadColumnsError } from "./columns/file.js";
import { checkColumns } from "./columns/rules.js";
import type { BucketNames } from "./format.js";
import { sha256 } from "./layout.js";

type ManifestBuckets = readonly BucketNames[];

/** Bytes of a buffer that many files are read into. Memory of this size goes back to the system when it is freed. */
const READ_BUFFER_BYTES = 64 * 1024 * 1024;
/** The largest size of a bucket's columns in bytes: 256 times the size of an ordinary bucket's. */
const FILE_MAX = 256 * 1024 * 1024;

/**
 * Reads the column files of buckets, one after the other, into memory that threads can share. Blocks its thread.
 * @returns each file's bytes
 * @throws BadSnapshotError at the first file that is missing or does not match the manifest
 */
export function readColumnFiles(store: string, buckets: ManifestBuckets): Uint8Array[] {
  let buffer = new SharedArrayBuffer(0);
  let end = 0;
  const total = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  return buckets.map(({ columns }) =>
    checkingColumns(columns.file, () => {
      const { descriptor, size } = openRegularSync(join(store, columns.file));
      try {
        const { bytes: length, file } = columns;
        // Checked first, so that no memory is reserved for a length that the file does not have.
        if (size !== length || size > FILE_MAX) throw unlikeManifest(file);
        if (end + length > buffer.byteLength) {
          buffer = new SharedArrayBuffer(Math.max(length, Math.min(total, READ_BUFFER_BYTES)));
          end = 0;
        }
        // Each file starts at a multiple of eight, because the views of its columns must.
        const bytes = new Uint8Array(buffer, end, length);
        end += aligned(length);
        const isWhole = fillSync(descriptor, bytes) === length;
        if (!isWhole || sha256(bytes) !== columns.sha256) throw unlikeManifest(file);
        return bytes;
      } finally {
        closeSync(descriptor);
      }
    }),
  );
}

/** Which buckets of the snapshot the files belong to. */
export interface BucketRange {
  /** The number of the first bucket. */
  readonly first: number;
  /** The number of all buckets of the snapshot. */
  readonly total: number;
}

/**
 * The columns of buckets, as views of their files' bytes.
 * @param range if given, all rules of the columns are checked
 * @throws BadSnapshotError
 */
export function columnsIn(
  files: readonly Uint8Array[],
  buckets: ManifestBuckets,
  range: BucketRange | null = null,
): BucketColumns[] {
  return files.map((bytes, place) => {
    const { columns, pack } = itemAt(buckets, place);
    return checkingColumns(columns.file, () => {
      const read = readColumns(bytes);
      if (range === null) return read;
      const { first, total } = range;
      checkColumns(read, { bucket: first + place, buckets: total, packBytes: pack.bytes });
      return read;
    });
  });
}

function checkingColumns<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof BadSnapshotError) throw error;
    if (!(error instanceof BadColumnsError)) throw unreadable(file, error);
    throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
  }
}
