import { tableOf } from "../contract/tables.js";
import { Tombstone, type TombstoneReason } from "./tombstones.js";

export const REASONS = [
  ...Tombstone.shape.why.options,
  "moved",
] as const satisfies readonly LeftOutReason[];
/** A reason that keeps a listing of the input out of search, in the words of `explain`. */
export type LeftOutReason = TombstoneReason | "moved";

/** How many listings of the input are not in search, by reason. Reasons with a count of 0 are included. */
export type LeftOutCounts = Readonly<Record<LeftOutReason, number>>;

/**
 * Counts the listings that a build left out of search. Each listing counts once.
 * @param tombstones with one entry for each host
 * @param listings how many listings the input has
 * @param searchable how many of them are in search
 */
export function leftOutCounts(
  tombstones: readonly Tombstone[],
  listings: number,
  searchable: number,
): LeftOutCounts {
  const counts = tableOf(REASONS, () => 0);
  for (const { why } of tombstones) counts[why] += 1;
  // A listing without a tombstone is listed and scanned, so only a move can keep it out of search.
  counts.moved = listings - tombstones.length - searchable;
  return counts;
}

/**
 * Selects the hosts that lose their report only because their listing has no scan any more.
 * @param tombstones of the build that removes the reports
 */
export function withoutScans(
  hosts: readonly string[],
  tombstones: readonly Tombstone[],
): readonly string[] {
  const reasons = new Map(tombstones.map(({ host, why }) => [host, why]));
  // A removed or deleted listing has no report in any case, and one without a tombstone has left the input.
  const other: readonly unknown[] = ["removed", "deleted", undefined];
  return hosts.filter((host) => !other.includes(reasons.get(host)));
}
