import { BadSnapshotError } from "./bad-snapshot.js";
import { CURRENT_FORMAT, OWN_NAMES } from "./names.js";

/**
 * A commit point: the content of `current.json`, or of `generations/<n>.json`. In a local store `current.json` is the
 * only one, and the only file that readers follow. In a remote store it is a hint at the newest generation.
 */
export interface Pointer {
  /** The id of a snapshot. */
  readonly id: string;
  /** The number of a push to a remote store, from 1. A pull notes it, a build has none. */
  readonly generation?: number | undefined;
}

/** The most bytes of a pointer: about ten times as many as usual. */
export const POINTER_BYTES_MAX = 1024;

const MEMBERS = ["format", "id", "generation"];

/** Reads a pointer from its JSON; null if it is not one in the format that this version reads. */
export function pointerOf(json: unknown): Pointer | null {
  if (typeof json !== "object" || json === null) return null;
  const { format, id, generation }: { [member: string]: unknown } = { ...json };
  const isNumber = Number.isSafeInteger(generation) && Number(generation) >= 1;
  const isOurs = Object.keys(json).every((member) => MEMBERS.includes(member));
  if (!isOurs || format !== CURRENT_FORMAT || typeof id !== "string") return null;
  if (!OWN_NAMES.snapshot.test(id)) return null;
  if (generation === undefined) return { id };
  return isNumber ? { id, generation: Number(generation) } : null;
}

/** Reads a pointer's file. @param name the file's path @throws BadSnapshotError */
export function readPointer(name: string, bytes: Uint8Array): Pointer {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // It names nothing.
  }
  const pointer = pointerOf(json);
  if (pointer === null) throw unlikeFormat(name, bytes, CURRENT_FORMAT);
  return pointer;
}

/** The error for a file that cannot be parsed. @param read the format that this version reads */
export function unlikeFormat(name: string, bytes: Uint8Array, read: number): BadSnapshotError {
  const start = new TextDecoder().decode(bytes.subarray(0, 24));
  const found = /^\{"format":(\d{1,9})\b/.exec(start)?.[1];
  const isLater = Number(found) > read;
  const remedy = isLater ? "use the version that built it" : "run crawldex build again";
  return new BadSnapshotError(
    found === undefined || Number(found) === read
      ? `${name} does not match format ${read}, which this version of crawldex reads: ${remedy}`
      : `${name} has format ${found}, but this version of crawldex reads format ${read}: ${remedy}`,
  );
}
