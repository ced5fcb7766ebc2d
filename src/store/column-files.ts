import { closeSync } from "node:fs";
import { join } from "node:path";
import { itemAt } from "../contract/item-at.js";
import { fillSync, openRegularSync } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "./bad-snapshot.js";
import { type BucketColumns, otherVersion, readColumns } from "./columns/columns.js";
import { aligned, BadColumnsError } from "./columns/file.js";
import { checkColumns } from "./columns/rules.js";
import type { BucketNames } from "./format.js";
import { sha256 } from "./layout.js";

type ManifestBuckets = readonly BucketNames[];

/** Bytes of a buffer that many files are read into. Memory of this size goes back to the system when it is freed. */
const READ_BUFFER_BYTES = 64 * 1024 * 1024;
/** The largest size of a bucket's columns in bytes: 256 times the size of an ordinary bucket's. */
const FILE_MAX = 256 * 1024 * 1024;

/** The column files of some buckets. */
export interface ColumnFiles {
  /** Each file's bytes, in memory that threads can share. */
  readonly files: Uint8Array[];
  /**
   * The version of the column files that were rebuilt because their columns differ from this program's;
   * null if none were.
   */
  readonly rebuilt: number | null;
}

/**
 * Reads the column files of buckets, one after the other. If a file's columns differ from this
 * program's, rebuilds them from the shard and pack. Blocks its thread, so call it in a worker.
 * @throws BadSnapshotError at the first file that is missing or does not match the manifest
 */
export async function readColumnFiles(
  store: string,
  buckets: ManifestBuckets,
): Promise<ColumnFiles> {
  const files = readFiles(store, buckets);
  const versions = files.map(otherVersion);
  const rebuilt = versions.find((version) => version !== null) ?? null;
  if (rebuilt === null) return { files, rebuilt };
  // Imported only here, so that a start without a rebuild does not wait for the schemas to load.
  const { rebuildColumns } = await import("./column-rebuild.js");
  for (const [place, version] of versions.entries()) {
    if (version === null) continue;
    files[place] = inSharedMemory(rebuildColumns(store, itemAt(buckets, place)));
  }
  return { files, rebuilt };
}

/** A copy that threads can share. */
export function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function readFiles(store: string, buckets: ManifestBuckets): Uint8Array[] {
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
