import { z } from "zod";
import { byCodeUnit } from "../contract/order.js";
import { SnapshotId } from "../store/format.js";

/** A listing of the input that has no report, or one that is withheld. */
export const Tombstone = z.strictObject({
  host: z.string(),
  /** The listing's visibility, or that it has no scan. */
  why: z.enum(["blocked", "opted-out", "redirected", "removed", "deleted", "unscanned"]),
});
export type Tombstone = z.infer<typeof Tombstone>;

/**
 * Stated visibilities that a rollback must not forget: of listings that were in the input of an earlier build
 * and are not in the last one's.
 */
export const Remembered = z.strictObject({
  /** The snapshots that were in the store when the listings went missing, less those that are gone by now. */
  snapshots: z.array(SnapshotId),
  tombstones: z.array(Tombstone),
});
export type Remembered = z.infer<typeof Remembered>;

/** Tombstones as they are noted: one a host, in the order of hosts. */
export function inOrder(tombstones: Iterable<Tombstone>): Tombstone[] {
  const byHost = new Map(Array.from(tombstones, (tombstone) => [tombstone.host, tombstone]));
  return [...byHost.values()].sort((a, b) => byCodeUnit(a.host, b.host));
}
