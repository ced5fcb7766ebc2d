import { writeColumns } from "../columns/columns.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { answersOf, BucketFiles } from "./bucket-files.js";
import { crc32 } from "./checksums.js";
import { type AnswerLocation, type Manifest, Shard } from "./format.js";
import { columnEntries } from "./writer.js";

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
