import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BucketColumns, readColumns } from "../columns/columns.js";
import { BadColumnsError } from "../columns/file.js";
import type { Manifest } from "./format.js";
import { sha256 } from "./layout.js";
import { BadSnapshotError, unreadable } from "./reader.js";

/**
 * Reads the columns of all buckets, one after the other; synchronous, for a thread of its own.
 * @throws BadSnapshotError at the first that is gone or not what the manifest says
 */
export function readAllColumns(store: string, buckets: Manifest["buckets"]): BucketColumns[] {
  return buckets.map(({ columns: { file, bytes: length, sha256: hash } }) => {
    const bytes = contentOf(store, file);
    if (bytes.length !== length || sha256(bytes) !== hash) {
      throw new BadSnapshotError(`${file} is not what the manifest says`);
    }
    try {
      return readColumns(bytes);
    } catch (error) {
      if (!(error instanceof BadColumnsError)) throw error;
      throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
    }
  });
}

/** A file's bytes, at the start of a buffer of their own. */
function contentOf(store: string, file: string): Uint8Array {
  try {
    const bytes = readFileSync(join(store, file));
    return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  } catch (error) {
    throw unreadable(file, error);
  }
}
