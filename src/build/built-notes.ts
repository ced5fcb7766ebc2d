import { join } from "node:path";
import { tableOf } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { fileState } from "../files/regular.js";
import { RECORDS } from "../published/checking/kinds.js";
import { recordsBetween } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { notedNotices } from "./noted-notices.js";
import { type Built, inputFiles } from "./notes.js";
import { type BuildPlan, documentsDigest } from "./plan.js";
import type { DoneSegments } from "./segments.js";
import { toolDigest } from "./tool.js";

/** The notes that the next build needs about this one. */
export function builtNotes(
  store: string,
  id: string,
  published: Published,
  { former }: BuildPlan,
  { segments, marks }: DoneSegments,
): Built {
  return {
    id,
    tool: toolDigest(),
    documents: documentsDigest(published),
    sharedHashes: [...published.sharedHashes].sort((a, b) => a - b),
    notices: notedNotices(published.notices),
    files: segments
      .flatMap(({ table, pack }) => [table.file, pack.file])
      .map((file) => {
        // Of a kept file the state from before it was checked, so that one that has changed since is checked again.
        const state = former?.states.get(file) ?? fileState(join(store, file));
        if (state !== null) return { file, state };
        const message = `${join(store, file)} was removed during the build; build again`;
        throw new StoreWriteError(message);
      }),
    marks: marks.words,
    records: tableOf(RECORDS, (kind) => {
      const { columns } = published.shared[kind];
      return recordsBetween(columns, 0, columns.count);
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
}
