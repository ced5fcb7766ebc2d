import type { Tombstone } from "../build/tombstones.js";
import { contentOf } from "../store/changes.js";
import type { ShardEntry } from "../store/format.js";

/** What is known of a listing that is in the former snapshot, in the one that was built last, or in both. */
export interface KnownListing {
  readonly former: ShardEntry | undefined;
  /** In the snapshot that was built last. */
  readonly today: ShardEntry | undefined;
  /** In the notes of the last build. */
  readonly tombstone: Tombstone["why"] | undefined;
  /** The last visibility that was stated of a listing that has gone missing since, where it was not `listed`. */
  readonly remembered: Tombstone["why"] | undefined;
}

/** Why a listing does not get the former snapshot's answers. */
export type KeptBack =
  /** Its stated visibility. */
  | Exclude<Tombstone["why"], "unscanned">
  /** The input last read does not have it. */
  | "missing"
  /** The former snapshot does not have it. */
  | "new";

/** What a rollback publishes of a listing. */
export interface Choice {
  /** The snapshot whose answers are copied, whole; null where none are. */
  readonly from: "former" | "today" | null;
  /** Null where it has the former answers, or had none. */
  readonly keptBack: KeptBack | null;
}

/**
 * The rule of a rollback for one listing (design of the store, rollback): the former answers, unless its
 * visibility is stated as anything but `listed`, or the input last read does not have it. That its published
 * scan moved, or that it has none any more, is no statement: the former answers come back.
 * @param restoreMissing whether a listing that the input does not have comes back
 */
export function choose(listing: KnownListing, restoreMissing: boolean): Choice {
  const { former, today, tombstone, remembered } = listing;
  if (tombstone !== undefined && tombstone !== "unscanned") {
    const from = today === undefined ? null : "today";
    return { from, keptBack: former === undefined ? null : tombstone };
  }
  if (former === undefined) return { from: null, keptBack: "new" };
  const isMissing = today === undefined && tombstone === undefined;
  const keptBack = isMissing ? whyMissing(former, remembered, restoreMissing) : null;
  return { from: keptBack === null ? "former" : null, keptBack };
}

/** Whether the answers of both snapshots are the same. */
export function isSame({ former, today }: KnownListing): boolean {
  return former !== undefined && today !== undefined && contentOf(former) === contentOf(today);
}

/** Why a listing that is missing from the input stays away; null where it comes back. */
function whyMissing(
  former: ShardEntry,
  remembered: KnownListing["remembered"],
  restoreMissing: boolean,
): KeptBack | null {
  if (remembered === undefined || remembered === "unscanned") {
    return restoreMissing ? null : "missing";
  }
  const hasReport = remembered !== "removed" && remembered !== "deleted";
  // Of a listing that was blocked, opted out or redirected, no more than a withheld report is shown.
  if (!hasReport || former.search !== null) return remembered;
  return restoreMissing ? null : "missing";
}
