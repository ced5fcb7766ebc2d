import type { History, Manifest } from "./format.js";

/** Characters of the first publication's content that identify a store's history. */
const ORIGIN_LENGTH = 8;

/** Which publication a snapshot is. A snapshot of an older version counts as the first one. */
export function publicationsUpTo({
  content,
  history,
}: Pick<Manifest, "content" | "history">): History {
  return history ?? firstHistory(content);
}

/** The history of a first publication. */
export function firstHistory(content: string): History {
  return { generation: 1, origin: content.slice(0, ORIGIN_LENGTH) };
}
