import { BadSnapshotError } from "./bad-snapshot.js";
import { CURRENT_FORMAT, OWN_NAMES } from "./names.js";

/**
 * The content of `current.json`, the one commit point of a store. Readers follow no other file. The number of the
 * publication is also in the manifest, where a signature covers it; here it tells readers that a cache is out of date.
 */
export interface Pointer {
  /** The id of a snapshot. */
  readonly id: string;
  /** The number of its publication, from 1. */
  readonly generation: number;
  /** The history that the number belongs to (`History.origin`). */
  readonly origin: string;
  /** Counts how often pushes have written the file in a remote store. */
  readonly revision?: number | undefined;
  /** Random, of the push that has written it: no two pushes write equal bytes, so each recognizes its own. */
  readonly push?: string | undefined;
  /** Present while a push deletes old files from a remote store. */
  readonly deleting?: true | undefined;
}

/** The most bytes of a pointer: about five times as many as usual. */
export const POINTER_BYTES_MAX = 1024;

const MEMBERS = ["format", "id", "generation", "origin", "revision", "push", "deleting"];
const ORIGIN = /^[0-9a-f]{8}$/;
const PUSH = /^[0-9a-f]{32}$/;

/** The text of a pointer's file. */
export function pointerText(pointer: Pointer): string {
  const { id, generation, origin, revision, push, deleting } = pointer;
  const members = { format: CURRENT_FORMAT, id, generation, origin, revision, push, deleting };
  return `${JSON.stringify(members)}\n`;
}

/** Reads a pointer from its JSON; null if it is not one in the format that this version reads. */
export function pointerOf(json: unknown): Pointer | null {
  if (typeof json !== "object" || json === null) return null;
  const { format, id, generation, origin, revision, push, deleting }: Members = { ...json };
  if (!Object.keys(json).every((member) => MEMBERS.includes(member))) return null;
  if (format !== CURRENT_FORMAT || !isNumber(generation)) return null;
  if (typeof id !== "string" || !OWN_NAMES.snapshot.test(id)) return null;
  if (typeof origin !== "string" || !ORIGIN.test(origin)) return null;
  const pushed = {
    ...(isNumber(revision) && { revision }),
    ...(typeof push === "string" && PUSH.test(push) && { push }),
    ...(deleting === true && { deleting: true as const }),
  };
  return { id, generation, origin, ...pushed };
}

/** Whether the JSON of `current.json` has the format of a later version. */
export function isLaterFormat(json: unknown): boolean {
  const { format }: Members = typeof json === "object" && json !== null ? { ...json } : {};
  return isNumber(format) && format > CURRENT_FORMAT;
}

type Members = { readonly [member: string]: unknown };

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/**
 * Whether a pointer is older than another one of the same history. A reader that has seen the other one keeps it: a
 * rollback is a new publication with a higher number, so only a cache or a restored backup goes back.
 */
export function isOlder(pointer: Pointer, than: Pointer | null): boolean {
  return than !== null && pointer.origin === than.origin && pointer.generation < than.generation;
}

/** Whether two pointers name the same publication. */
export function isSamePublication(one: Pointer, other: Pointer): boolean {
  const { id, generation, origin } = one;
  return id === other.id && generation === other.generation && origin === other.origin;
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
