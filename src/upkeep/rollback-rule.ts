import type { TombstoneReason } from "../build/tombstones.js";
import type { DirectoryEntry } from "../store/segments/directory.js";

/** What we know about a listing that is in the former snapshot, in the one that was built last, or in both. */
export interface KnownListing {
  readonly former: DirectoryEntry | undefined;
  /** The listing's entry in the snapshot that was built last. */
  readonly today: DirectoryEntry | undefined;
  /** From the notes of the last build. */
  readonly tombstone: TombstoneReason | undefined;
  /** The last visibility that was stated for a listing that is now missing from the input, unless it was `listed`. */
  readonly remembered: TombstoneReason | undefined;
  /** Whether the former answers show more than the listing's last stated plan opens. */
  readonly showsMore: boolean;
  /** Whether the former snapshot has the category and the tags of today's entry. */
  readonly canKeepToday: boolean;
}

/** Why a listing does not get the former snapshot's answers. */
export type KeptBack =
  /** The visibility that is stated for the listing. */
  | Exclude<TombstoneReason, "unscanned">
  /** The listing is not in the input of the last build. */
  | "missing"
  /** The former answers show what the last stated plan does not open. */
  | "plan"
  /** The listing is not in the former snapshot. */
  | "new";

/** How a rollback publishes a listing. */
export interface RollbackChoice {
  /** The snapshot whose answers are all copied; null if the listing gets none. */
  readonly from: "former" | "today" | null;
  /** Null if the listing gets its former answers, or if its stated visibility applies and it had none. */
  readonly keptBack: KeptBack | null;
}

/**
 * The rule of a rollback for one listing. The listing gets its former answers in all cases but three: its visibility is
 * stated as anything but `listed`, the input of the last build does not have the listing, or the former answers show
 * more than its last stated plan opens. It then gets today's answers, if it has some that the former documents allow.
 * A changed published scan, or the loss of all scans, does not matter.
 * @param restoreMissing whether a listing that is not in the input comes back
 */
export function choose(listing: KnownListing, restoreMissing: boolean): RollbackChoice {
  const { former, today, tombstone, remembered } = listing;
  if (tombstone !== undefined && tombstone !== "unscanned") {
    const from = today === undefined ? null : "today";
    return { from, keptBack: former === undefined ? null : tombstone };
  }
  if (former === undefined) return { from: null, keptBack: "new" };
  const isMissing = today === undefined && tombstone === undefined;
  const keptBack = isMissing ? whyMissing(former, remembered, restoreMissing) : null;
  if (keptBack !== null) return { from: null, keptBack };
  if (!listing.showsMore) return { from: "former", keptBack };
  return { from: today !== undefined && listing.canKeepToday ? "today" : null, keptBack: "plan" };
}

/** Why a listing that is missing from the input stays away; null if it comes back. */
function whyMissing(
  former: DirectoryEntry,
  remembered: KnownListing["remembered"],
  restoreMissing: boolean,
): KeptBack | null {
  if (remembered === undefined || remembered === "unscanned") {
    return restoreMissing ? null : "missing";
  }
  const hasReport = remembered !== "removed" && remembered !== "deleted";
  // If a listing was blocked, opted out or redirected, a rollback may bring back only a withheld report.
  if (!hasReport || former.search !== null) return remembered;
  return restoreMissing ? null : "missing";
}
