import { join } from "node:path";
import { checksumsOf } from "../columns/answers.js";
import { otherVersion, readColumns, writeColumns } from "../columns/columns.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { BucketFiles } from "./bucket-files.js";
import { crc32 } from "./checksums.js";
import { type AnswerLocation, type Manifest, Shard, type StoredFile } from "./format.js";
import { sha256 } from "./layout.js";
import { parseShard } from "./reader.js";
import { readRegularSync } from "./regular-files.js";
import { answersOf, columnEntries } from "./shard-entries.js";

/**
 * Makes a bucket's columns from its shard and pack, as a build of this program writes them. Synchronous, for a thread of
 * its own.
 * @throws BadSnapshotError where shard or pack are damaged
 */
export function rebuildColumns(store: string, bucket: Manifest["buckets"][number]): Uint8Array {
  const { shard, pack } = bucket;
  try {
    const files = BucketFiles.open(store, bucket);
    try {
      // Columns are made of what is there without a look at it; of entries of another shape they would be wrong.
      const entries = Shard.shape.entries.parse(files.entries);
      const crcOf = (answer: AnswerLocation) => {
        const [offset, length] = answer;
        if (offset + length > pack.bytes) {
          throw new BadSnapshotError(`${shard.file} has an answer behind the end of its pack`);
        }
        return crc32(files.answer(answer));
      };
      const checksums = entries.map((entry) => answersOf(entry).map(crcOf));
      return writeColumns(columnEntries(entries, checksums));
    } finally {
      files.close();
    }
  } catch (error) {
    if (error instanceof BadSnapshotError) throw error;
    throw new BadSnapshotError(`${shard.file} does not have the shape of a shard`, {
      cause: error,
    });
  }
}

/** Whether a bucket's columns say what its shard says; unknown where one of the files cannot be read as it was built. */
export type Comparison = "same" | "different" | "unknown";

/**
 * Compares a bucket's columns with those that are made of its shard. The pack is not read: every reading of an answer
 * checks its CRC-32. Synchronous, for a thread of its own.
 */
export function compareWithShard(store: string, bucket: Manifest["buckets"][number]): Comparison {
  const { shard, columns } = bucket;
  const shardBytes = bytesOf(store, shard);
  const columnBytes = bytesOf(store, columns);
  if (shardBytes === null || columnBytes === null) return "unknown";
  try {
    const bytes = new Uint8Array(columnBytes);
    // The runtime makes its own of columns of another version.
    if (otherVersion(bytes) !== null) return "same";
    const entries = Shard.shape.entries.parse(parseShard(shardBytes, shard.file));
    const checksums = checksumsOf(readColumns(bytes).answers);
    const expected = writeColumns(columnEntries(entries, checksums));
    return columnBytes.equals(expected) ? "same" : "different";
  } catch {
    // Of another shape, or with fewer answers.
    return "different";
  }
}

function bytesOf(store: string, { file, sha256: hash }: StoredFile): Buffer | null {
  try {
    const bytes = readRegularSync(join(store, file));
    return sha256(bytes) === hash ? bytes : null;
  } catch {
    return null;
  }
}
