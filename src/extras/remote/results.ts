import { z } from "zod";
import { Count, Generation, ok, SnapshotId } from "../../../cli/json-parts.js";

export const Push = z.strictObject({
  ok,
  id: SnapshotId,
  generation: Generation,
  changed: z
    .boolean()
    .describe("Whether the snapshot became the newest one. If not, it was that already."),
  files: Count.describe("Files of the snapshot, its manifest included."),
  uploaded: Count.describe("How many of them were uploaded."),
  bytes: Count.describe("Bytes of the uploaded files."),
  deleted: Count.describe("Old objects that were deleted from the bucket."),
  warnings: z.array(z.string()).describe("Steps after the commit that failed."),
});
export const Pull = z.strictObject({
  ok,
  id: SnapshotId,
  generation: Generation,
  changed: z.boolean().describe("Whether another snapshot was current before."),
  files: Count.describe("Files that were downloaded."),
  bytes: Count.describe("Bytes of the downloaded files."),
});
