import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { writeColumns } from "../columns/columns.js";
import { BadSnapshotError, unreadable } from "./bad-snapshot.js";
import { crc32 } from "./checksums.js";
import { type AnswerLocation, type Manifest, Shard, type ShardEntry } from "./format.js";
import { sha256 } from "./layout.js";
import { answersOf, columnEntries } from "./shard-entries.js";

/**
 * Makes a bucket's columns from its shard and pack, as a build of this program writes them. Synchronous, for a thread
 * of its own.
 * @throws BadSnapshotError where shard or pack is gone, damaged or not what it should be
 */
export function rebuildColumns(
  store: string,
  { shard, pack }: Manifest["buckets"][number],
): Uint8Array {
  const entries = readEntries(store, shard);
  const descriptor = attempt(pack.file, () => openSync(join(store, pack.file), "r"));
  try {
    const crcOf = ([offset, length, hash]: AnswerLocation): number => {
      const isInside = offset + length <= pack.bytes;
      const body = Buffer.allocUnsafe(isInside ? length : 0);
      attempt(pack.file, () => readSync(descriptor, body, 0, body.length, offset));
      if (isInside && sha256(body) === hash) return crc32(body);
      throw new BadSnapshotError(`${pack.file} is damaged at byte ${offset}`);
    };
    const checksums = entries.map((entry) => answersOf(entry).map(crcOf));
    return writeColumns(columnEntries(entries, checksums));
  } finally {
    closeSync(descriptor);
  }
}

/** Entries of another shape would make wrong columns: theirs is checked, though the manifest vouches for the bytes. */
function readEntries(
  store: string,
  { file, sha256: hash }: Manifest["buckets"][number]["shard"],
): readonly ShardEntry[] {
  const bytes = attempt(file, () => readFileSync(join(store, file)));
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
