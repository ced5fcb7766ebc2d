import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "../files/checksums.js";
import { isInside, openRegularSync } from "../files/regular.js";
import { BadSnapshotError, reading } from "./bad-snapshot.js";
import { checksumsOf } from "./columns/answers.js";
import { otherVersion, readColumns, writeColumns } from "./columns/columns.js";
import {
  type AnswerLocation,
  type BucketNames,
  Shard,
  type ShardEntry,
  type StoredFile,
} from "./format.js";
import { sha256 } from "./layout.js";
import { readCheckedSync } from "./reader.js";
import { answersOf, columnEntries } from "./shard-entries.js";

/**
 * Makes a bucket's columns from its shard and pack, with the same bytes as in a build by this program.
 * Synchronous, so call it in a worker.
 * @throws BadSnapshotError if the shard or pack is missing, damaged or malformed
 */
export function rebuildColumns(store: string, { shard, pack }: BucketNames): Uint8Array {
  const entries = readEntries(store, shard);
  const { descriptor, size } = reading(pack.file, () => openRegularSync(join(store, pack.file)));
  try {
    const crcOf = ([offset, length, hash]: AnswerLocation): number => {
      const isThere = isInside(offset, length, size);
      const body = Buffer.allocUnsafe(isThere ? length : 0);
      reading(pack.file, () => readSync(descriptor, body, 0, body.length, offset));
      if (isThere && sha256(body) === hash) return crc32(body);
      throw new BadSnapshotError(`${pack.file} is damaged at byte ${offset}`);
    };
    const checksums = entries.map((entry) => answersOf(entry).map(crcOf));
    return writeColumns(columnEntries(entries, checksums));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Checks the entries' shape, though the manifest vouches for the bytes: malformed entries would make
 * wrong columns.
 */
function readEntries(store: string, shard: StoredFile): readonly ShardEntry[] {
  const bytes = readCheckedSync(store, shard);
  try {
    return Shard.parse(JSON.parse(bytes.toString("utf8"))).entries;
  } catch (error) {
    throw new BadSnapshotError(`${shard.file} is not a valid shard`, {
      cause: error,
    });
  }
}

/** Whether a bucket's columns match its shard; `unknown` if one of the two files is missing or damaged. */
export type Comparison = "same" | "different" | "unknown";

/**
 * Compares a bucket's columns with the columns that its shard would give. Does not read the pack,
 * because every read of an answer checks its CRC-32 anyway. Synchronous, so call it in a worker.
 */
export function compareWithShard(store: string, bucket: BucketNames): Comparison {
  const { shard, columns } = bucket;
  let shardBytes: Buffer;
  let columnBytes: Buffer;
  try {
    shardBytes = readCheckedSync(store, shard);
    columnBytes = readCheckedSync(store, columns);
  } catch {
    return "unknown";
  }
  try {
    const bytes = new Uint8Array(columnBytes);
    // If the columns have another version, the runtime rebuilds them from the shard.
    if (otherVersion(bytes) !== null) return "same";
    const { entries } = Shard.parse(JSON.parse(shardBytes.toString("utf8")));
    const checksums = checksumsOf(readColumns(bytes).answers);
    const expected = writeColumns(columnEntries(entries, checksums));
    return columnBytes.equals(expected) ? "same" : "different";
  } catch {
    // The shard is malformed, or the columns have fewer answers than the shard.
    return "different";
  }
}
