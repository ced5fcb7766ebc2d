import { z } from "zod";
import { Count } from "../contract/field.js";
import { byCodeUnit } from "../contract/order.js";
import { SnapshotId } from "../store/format.js";

/** A listing's visibility, or `unscanned` if it is listed but has no scan. */
export type TombstoneReason =
  | "blocked"
  | "opted-out"
  | "redirected"
  | "removed"
  | "deleted"
  | "unscanned";

/** A listing of the input that has no report, or whose report is withheld. */
export const Tombstone = z.strictObject({
  host: z.string(),
  why: z.enum([
    "blocked",
    "opted-out",
    "redirected",
    "removed",
    "deleted",
    "unscanned",
  ]) satisfies z.ZodType<TombstoneReason>,
});
export type Tombstone = z.infer<typeof Tombstone>;

/**
 * Stated visibilities and plans that a rollback must respect, although the listings are gone: an earlier build had them
 * in its input, and the last one did not.
 */
export const Remembered = z.strictObject({
  /** The snapshots that were in the store when the listings went missing and are still there. */
  snapshots: z.array(SnapshotId),
  tombstones: z.array(Tombstone),
  /** By the hash of the host: the plan's flags and number of fixes (`Plan`). */
  plans: z.array(z.tuple([Count, Count, Count])).default([]),
});
export type Remembered = z.infer<typeof Remembered>;

/** Tombstones in the form of the notes: one for each host, sorted by host. */
export function inOrder(tombstones: Iterable<Tombstone>): Tombstone[] {
  const byHost = new Map(Array.from(tombstones, (tombstone) => [tombstone.host, tombstone]));
  return [...byHost.values()].sort((a, b) => byCodeUnit(a.host, b.host));
}
