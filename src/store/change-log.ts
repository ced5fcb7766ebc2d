import type { StoredChange } from "../contract/change-feed.js";
import { USUAL_KEPT } from "../contract/changes.js";
import type { ChangesFile, History, Manifest } from "./format.js";

/*
 * The changes between publications, in files that the manifest names. A line is the JSON of one change. It begins with
 * the host, so that sorted lines are sorted by host, and the host of a line can be read without parsing.
 */

/** Characters of the first publication's content that identify a store's history. */
const ORIGIN_LENGTH = 8;

const HOST_START = '{"host":"'.length;

/** The publications up to a snapshot. A snapshot of an older version counts as the first one. */
export function publicationsUpTo({
  content,
  history,
}: Pick<Manifest, "content" | "history">): History {
  return history ?? firstHistory(content, USUAL_KEPT);
}

/** The history of a first publication. */
export function firstHistory(content: string, kept: History["kept"]): History {
  const origin = content.slice(0, ORIGIN_LENGTH);
  return { generation: 1, origin, since: 1, kept, changes: [] };
}

/** Members are in the order of the schema. */
export function loggedLine({ host, ...change }: StoredChange): string {
  return JSON.stringify({ host, ...change });
}

export function hostOfLine(line: string): string {
  return line.slice(HOST_START, line.indexOf('"', HOST_START));
}

/** The lines of an inflated file. */
export function linesIn(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split("\n").slice(0, -1);
}

/** The changes of an inflated file. Its bytes have the digest that the manifest names, so a build made them. */
export function changesIn(bytes: Uint8Array): StoredChange[] {
  return linesIn(bytes).map((line) => JSON.parse(line));
}

/** The files with changes after a generation, oldest first. */
export function filesAfter({ changes }: History, generation: number): readonly ChangesFile[] {
  return changes.filter(({ last }) => last > generation);
}
