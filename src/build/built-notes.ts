import { join } from "node:path";
import { tableOf } from "../contract/tables.js";
import { StoreWriteError } from "../files/disk.js";
import { type FileState, fileState } from "../files/regular.js";
import { RECORDS } from "../published/checking/rules.js";
import { recordsBetween } from "../published/locating/record-index.js";
import type { Published } from "../published/published.js";
import { type Segment, segmentFiles } from "../store/format.js";
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
    ...(published.part && { part: published.part }),
    tool: toolDigest(),
    documents: documentsDigest(published),
    rereads: notedRereads(published.rereads),
    files: statesOf(store, segments, former?.states),
    marks: marks.words,
    records: tableOf(RECORDS, (kind) => {
      const { columns } = published.shared[kind];
      return recordsBetween(columns, 0, columns.count);
    }),
    listings: inputFiles(published, "listings"),
    scans: inputFiles(published, "scans"),
  };
}

/** The most hosts that a build reads again only to repeat their warnings. Reading this many takes half a second. */
const REREADS_MAX = 1_000;

/** @param rereads hashes of hosts, as in `Published` */
export function notedRereads(rereads: Iterable<number>): number[] {
  return [...new Set(rereads)].sort((a, b) => a - b).slice(0, REREADS_MAX);
}

/**
 * The states of all files of segments.
 * @param known the states of kept files before they were checked, so that files that changed since are checked again
 */
export function statesOf(
  store: string,
  segments: readonly Segment[],
  known?: ReadonlyMap<string, FileState>,
): Built["files"] {
  return segmentFiles(segments).map(({ file }) => {
    const state = known?.get(file) ?? fileState(join(store, file));
    if (state !== null) return { file, state };
    const message = `${join(store, file)} was removed during the build; build again`;
    throw new StoreWriteError(message);
  });
}
