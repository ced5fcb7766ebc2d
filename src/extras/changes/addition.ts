import type { SnapshotView } from "../../answer/content.js";
import { CHANGES_KEPT } from "../../contract/limits.js";
import { reading } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { AddedFile, Addition, Facts } from "../../store/format.js";
import type { InflatedFile } from "../../store/snapshot-reader.js";
import { CHANGES_MAX, changesIn, type LoggedChange } from "./stored-changes.js";

/* What the manifest says of the changes: which are known, and the files that have them. */

/** The name of this extra, and the kind of its files. */
export const CHANGES_EXTRA = "changes";

/** `segments/<digest>.changes.gz`: the changes of some publications, one a line, the oldest first, then by host. */
export interface ChangesFile extends InflatedFile {
  /** Its lines. */
  readonly entries: number;
  /** The generations of its first and of its last line. */
  readonly first: number;
  readonly last: number;
  /** When `last` was published. */
  readonly until: string;
  /** When the first of the sites that it names as removed was removed. Absent if it names none. */
  readonly removal?: string;
}

/** How long changes are kept, and how many of them at most. */
export interface Kept {
  readonly days: number;
  readonly entries: number;
}

/** The changes up to a snapshot: what this extra adds. */
export interface ChangeHistory {
  /** All changes after this generation are known. */
  readonly since: number;
  readonly kept: Kept;
  /** Oldest first. */
  readonly changes: readonly ChangesFile[];
}

/**
 * Reads what the manifest says. A snapshot that a program without this extra has published has no changes.
 * @param generation of the snapshot
 * @throws BadColumnsError if a number is too large, or if the files are not in order: a reader would read all of them
 * for a few changes
 */
export function readAddition(addition: Addition | null, generation: number): ChangeHistory {
  if (addition === null) return { since: generation, kept: CHANGES_KEPT, changes: [] };
  const { facts, files } = addition;
  const changes = files.map(changesFile);
  let before = 0;
  for (const { file, first, last } of changes) {
    if (!(before <= first && first <= last))
      throw new BadColumnsError(`${file} is not in the order of publications`);
    before = last;
  }
  const kept = { days: numberIn(facts, "days", 0), entries: numberIn(facts, "entries", 0) };
  return { since: numberIn(facts, "since"), kept, changes };
}

function changesFile({ facts, ...file }: AddedFile): ChangesFile {
  if (Math.max(file.bytes, file.length) > CHANGES_MAX.bytes)
    throw new BadColumnsError(`${file.file} has more than ${CHANGES_MAX.bytes} bytes`);
  const entries = numberIn(facts, "entries");
  if (entries > CHANGES_MAX.entries)
    throw new BadColumnsError(`${file.file} has more than ${CHANGES_MAX.entries} changes`);
  return {
    ...file,
    entries,
    first: numberIn(facts, "first"),
    last: numberIn(facts, "last"),
    until: instantIn(facts, "until"),
    ...(facts.removal !== undefined && { removal: instantIn(facts, "removal") }),
  };
}

function numberIn(facts: Facts, name: string, least = 1): number {
  const value = facts[name];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw new BadColumnsError(`its changes have a bad number, ${name}`);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function instantIn(facts: Facts, name: string): string {
  const value = facts[name];
  if (typeof value === "string" && INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
  throw new BadColumnsError(`its changes have a bad time, ${name}`);
}

/** What the manifest is to say. */
export function writtenAddition({ since, kept, changes }: ChangeHistory): Addition {
  const files = changes.map(({ file, bytes, sha256, length, ...facts }): AddedFile => {
    return { file, bytes, sha256, length, facts };
  });
  return { facts: { since, ...kept }, files };
}

/** The changes up to a snapshot. @throws BadSnapshotError if the manifest has bad ones */
export function changesOf(
  snapshot: Pick<SnapshotView, "id" | "history" | "addition">,
): ChangeHistory {
  const { generation } = snapshot.history;
  const addition = snapshot.addition(CHANGES_EXTRA);
  return reading(`${snapshot.id}/manifest.json`, () => readAddition(addition, generation));
}

/** The changes in a file, oldest first, then by host. @throws BadSnapshotError */
export function readChanges(
  snapshot: Pick<SnapshotView, "readAdded">,
  file: ChangesFile,
): Promise<readonly LoggedChange[]> {
  return snapshot.readAdded(file, (lines) => changesIn(lines, file));
}
