import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "../files/checksums.js";
import { isInside, openRegularSync, readRegularSync } from "../files/regular.js";
import { BadSnapshotError, unreadable } from "./bad-snapshot.js";
import { checksumsOf } from "./columns/answers.js";
import { otherVersion, readColumns, writeColumns } from "./columns/columns.js";
import {
  type AnswerLocation,
  type Manifest,
  Shard,
  type ShardEntry,
  type StoredFile,
} from "./format.js";
import { sha256 } from "./layout.js";
import { answersOf, columnEntries } from "./shard-entries.js";

/**
 * Makes a bucket's columns from its shard and pack, with the same bytes as in a build by this program.
 * Synchronous, so call it in a worker.
 * @throws BadSnapshotError if the shard or pack is missing, damaged or malformed
 */
export function rebuildColumns(
  store: string,
  { shard, pack }: Manifest["buckets"][number],
): Uint8Array {
  const entries = readEntries(store, shard);
  const { descriptor, size } = attempt(pack.file, () => openRegularSync(join(store, pack.file)));
  try {
    const crcOf = ([offset, length, hash]: AnswerLocation): number => {
      const isThere = isInside(offset, length, size);
      const body = Buffer.allocUnsafe(isThere ? length : 0);
      attempt(pack.file, () => readSync(descriptor, body, 0, body.length, offset));
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
function readEntries(
  store: string,
  { file, sha256: hash }: Manifest["buckets"][number]["shard"],
): readonly ShardEntry[] {
  const bytes = attempt(file, () => readRegularSync(join(store, file)));
  if (sha256(bytes) !== hash) throw new BadSnapshotError(`${file} is not what the manifest says`);
  try {
    return Shard.parse(JSON.parse(bytes.toString("utf8"))).entries;
  } catch (error) {
    throw new BadSnapshotError(`${file} does not have the shape of a shard`, { cause: error });
  }
}

function attempt<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** Whether a bucket's columns match its shard; `unknown` if one of the two files is missing or damaged. */
export type Comparison = "same" | "different" | "unknown";

/**
 * Compares a bucket's columns with the columns that its shard would give. Does not read the pack,
 * because every read of an answer checks its CRC-32 anyway. Synchronous, so call it in a worker.
 */
export function compareWithShard(store: string, bucket: Manifest["buckets"][number]): Comparison {
  const { shard, columns } = bucket;
  const shardBytes = bytesOf(store, shard);
  const columnBytes = bytesOf(store, columns);
  if (shardBytes === null || columnBytes === null) return "unknown";
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

function bytesOf(store: string, { file, sha256: hash }: StoredFile): Buffer | null {
  try {
    const bytes = readRegularSync(join(store, file));
    return sha256(bytes) === hash ? bytes : null;
  } catch {
    return null;
  }
}
