import type { StoredFile } from "../store/format.js";
import type { Inventory } from "./inventory.js";

/**
 * Which files a push must send, so that no other push deletes a file that this one relies on.
 *
 * A push deletes a file once no kept generation has named it for the grace time, and the file itself is older than
 * that (`sweep`). Meanwhile another push may have listed the same file and rely on it. The rules that make this safe:
 *
 * 1. A push relies on a listed file only if the newest generation names it, or if it is younger than half of the grace
 *    time. The first kind cannot stop being named before a newer generation exists, and then stays for the grace time;
 *    the second stays for half of it. For any other file the push resets the time (`touch`) or sends it again.
 * 2. It commits within half of the grace time after it has listed the bucket, by the store's own clock. If it took
 *    longer, it lists again and starts over with what is missing.
 * 3. A sweep may have decided to delete a file before the file's time was reset. So a sweep first leaves a mark in the
 *    bucket, then lists, deletes, and removes the mark. A push that finds a mark in its list, or that has reset a time,
 *    lists again: it commits only after a list without marks, in which all files were as in rule 1 or were absent.
 *    If the list shows no mark, each earlier sweep has ended, and the list shows what it left; each later sweep lists
 *    after this one, and sees the new times.
 * 4. The request that commits may arrive late, and a sweep may have deleted files before. So after a commit that has
 *    taken longer than half of the shortest grace time, a push lists again and sends what is missing, as in rule 3. Each
 *    sweep that lists later finds the generation, and keeps its files.
 */
export interface Uploads {
  /** Files that are not in the bucket, or have another size. */
  readonly absent: readonly StoredFile[];
  /** Files that are in the bucket, but that a sweep may be deleting. */
  readonly stale: readonly StoredFile[];
  /** Bytes of the absent files. */
  readonly bytes: number;
}

/** The shortest grace time. In half of it, less the margin, a push can list the bucket, renew files and commit. */
const GRACE_MIN_MS = 60_000;
/** For the store's clock, whose Date header has whole seconds, and for the time that a list takes. */
const MARGIN_MS = 5_000;
/** A mark that was not renewed for this long belongs to a push that was killed (`mark.ts`). */
export const MARK_LIFE_MS = 60_000;

/** @param named the files that the newest generation names */
export function uploadsFor(
  files: readonly StoredFile[],
  { content, now }: Inventory,
  named: ReadonlySet<string>,
  graceMs: number,
): Uploads {
  const absent: StoredFile[] = [];
  const stale: StoredFile[] = [];
  for (const file of files) {
    const listed = content.get(file.file);
    if (listed?.bytes !== file.bytes) absent.push(file);
    else if (!named.has(file.file) && !(now - listed.modified < graceMs / 2)) {
      stale.push(file);
    }
  }
  return { absent, stale, bytes: absent.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Whether a commit may follow what was listed and uploaded. @param storeTime the store's time now */
export function isSettled(
  { now, marks }: Inventory,
  { stale }: Uploads,
  storeTime: number,
  graceMs: number,
): boolean {
  const isSwept = marks.some(({ modified }) => now - modified < MARK_LIFE_MS);
  return !isSwept && stale.length === 0 && isTimely(now, storeTime, graceMs);
}

/** Whether little enough time has passed since the bucket was listed. @param storeTime the store's time now */
export function isTimely(listed: number, storeTime: number, graceMs = GRACE_MIN_MS): boolean {
  return storeTime - listed < graceMs / 2 - MARGIN_MS;
}
