import { USUAL_KEPT } from "../contract/changes.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import type { History, Manifest } from "./format.js";

/** Characters of the first publication's content that identify a store's history. */
const ORIGIN_LENGTH = 8;

/**
 * The publications up to a snapshot. A snapshot of an older version counts as the first one.
 * @throws BadSnapshotError if the files of changes are not in order: a reader would read all for a few changes
 */
export function publicationsUpTo({
  content,
  history,
}: Pick<Manifest, "content" | "history">): History {
  if (history === undefined) return firstHistory(content, USUAL_KEPT);
  let before = 0;
  for (const { file, first, last } of history.changes) {
    if (!(before <= first && first <= last))
      throw new BadSnapshotError(`${file} is not in the order of publications`);
    before = last;
  }
  return history;
}

/** The history of a first publication. */
export function firstHistory(content: string, kept: History["kept"]): History {
  const origin = content.slice(0, ORIGIN_LENGTH);
  return { generation: 1, origin, since: 1, kept, changes: [] };
}
