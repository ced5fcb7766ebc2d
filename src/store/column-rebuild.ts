import { BadSnapshotError } from "./bad-snapshot.js";
import { otherVersion, writeColumns } from "./columns/columns.js";
import { type BucketNames, Shard } from "./format.js";
import { readCheckedSync } from "./reader.js";
import { columnEntries } from "./shard-entries.js";

/**
 * Makes a bucket's columns from its shard, with the same bytes as in a build by this program. Synchronous, so call it
 * in a worker.
 * @throws BadSnapshotError if the shard is missing, damaged or malformed
 */
export function rebuildColumns(store: string, { shard }: BucketNames): Uint8Array {
  const bytes = readCheckedSync(store, shard);
  try {
    return columnsOfShard(bytes);
  } catch (error) {
    throw new BadSnapshotError(`${shard.file} is not a valid shard`, { cause: error });
  }
}

/**
 * Checks the entries' shape, though the manifest vouches for the bytes: malformed entries would make
 * wrong columns.
 */
function columnsOfShard(bytes: Buffer): Uint8Array {
  const { entries } = Shard.parse(JSON.parse(bytes.toString("utf8")));
  return writeColumns(columnEntries(entries));
}

/** Whether a bucket's columns match its shard; `unknown` if one of the two files is missing or damaged. */
export type Comparison = "same" | "different" | "unknown";

/**
 * Compares a bucket's columns with the columns that its shard would give. Synchronous, so call it in a worker.
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
    return columnBytes.equals(columnsOfShard(shardBytes)) ? "same" : "different";
  } catch {
    // The shard is malformed.
    return "different";
  }
}
