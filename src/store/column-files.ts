import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type BucketColumns, otherVersion, readColumns } from "../columns/columns.js";
import { aligned, BadColumnsError } from "../columns/file.js";
import { BadSnapshotError, unreadable } from "./bad-snapshot.js";
import { rebuildColumns } from "./column-rebuild.js";
import type { Manifest } from "./format.js";
import { sha256 } from "./layout.js";

type Buckets = Manifest["buckets"];

/** Bytes of a buffer that many files are read into: so many are given back to the system when they are freed. */
const BUFFER_BYTES = 64 * 1024 * 1024;

/** The columns' files of some buckets. */
export interface ColumnFiles {
  /** Each file's bytes, in memory that threads can share. */
  readonly files: Uint8Array[];
  /** The version of other columns than this program's, which were rebuilt; null where there were none. */
  readonly rebuilt: number | null;
}

/**
 * Reads the columns' files of buckets, one after the other. Where a file has other columns than this program's, it
 * rebuilds them from the shard. Synchronous, for a thread of its own.
 * @throws BadSnapshotError at the first file that is gone or not what the manifest says
 */
export function readColumnFiles(store: string, buckets: Buckets): ColumnFiles {
  let rebuilt: number | null = null;
  const files = readFiles(store, buckets).map((bytes, place) => {
    const version = otherVersion(bytes);
    if (version === null) return bytes;
    rebuilt ??= version;
    return shared(rebuildColumns(store, buckets[place]!));
  });
  return { files, rebuilt };
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function readFiles(store: string, buckets: Buckets): Uint8Array[] {
  let buffer = new SharedArrayBuffer(0);
  let end = 0;
  const total = buckets.reduce((sum, { columns }) => sum + columns.bytes, 0);
  return buckets.map(({ columns: { file, bytes: length, sha256: hash } }) => {
    if (end + length > buffer.byteLength) {
      buffer = new SharedArrayBuffer(Math.max(length, Math.min(total, BUFFER_BYTES)));
      end = 0;
    }
    // Views of a file's columns begin at multiples of eight, and so does each file.
    const bytes = new Uint8Array(buffer, end, length);
    end += aligned(length);
    if (!fill(bytes, join(store, file), file) || sha256(bytes) !== hash) {
      throw new BadSnapshotError(`${file} is not what the manifest says`);
    }
    return bytes;
  });
}

/** The columns of all buckets, as views of their files' bytes. @throws BadSnapshotError */
export function columnsIn(files: readonly Uint8Array[], buckets: Buckets): BucketColumns[] {
  return files.map((bytes, bucket) => {
    try {
      return readColumns(bytes);
    } catch (error) {
      if (!(error instanceof BadColumnsError)) throw error;
      const { file } = buckets[bucket]!.columns;
      throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
    }
  });
}

/** Reads a file whole. @returns whether it has just as many bytes as there is room for */
function fill(bytes: Uint8Array, path: string, name: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, "r");
    let end = 0;
    while (end < bytes.length) {
      const read = readSync(descriptor, bytes, end, bytes.length - end, end);
      if (read === 0) return false;
      end += read;
    }
    return readSync(descriptor, new Uint8Array(1), 0, 1, end) === 0;
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
