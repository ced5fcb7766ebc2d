import type { ListingChange } from "../store/changes.js";
import type { ListingEntry } from "../store/format.js";

/** How many listings and scores change from one snapshot to the next. */
export interface BuildChanges {
  /** Listings that have a report now and had none. */
  readonly added: number;
  /** Listings with another answer, or other data in search. */
  readonly changed: number;
  /** Listings that have no report any more. */
  readonly gone: number;
  /** The scores of the changed listings. A listing out of search has none. */
  readonly scores: {
    readonly up: number;
    readonly down: number;
    /** Listings that had a score and have none now, though they keep a report. */
    readonly lost: number;
    /** Listings that had a report without a score and have a score now. */
    readonly gained: number;
  };
}

type Tallying<T> = { -readonly [K in keyof T]: T[K] extends number ? number : Tallying<T[K]> };

export function noChanges(): Tallying<BuildChanges> {
  return { added: 0, changed: 0, gone: 0, scores: { up: 0, down: 0, lost: 0, gained: 0 } };
}

/** @param counts receives the change */
export function addChange(counts: Tallying<BuildChanges>, { before, after }: ListingChange): void {
  if (before === null) counts.added += 1;
  else if (after === null) counts.gone += 1;
  else {
    counts.changed += 1;
    const was = latestScoreOf(before);
    const is = latestScoreOf(after);
    if (was === null) counts.scores.gained += is === null ? 0 : 1;
    else if (is === null) counts.scores.lost += 1;
    else if (is > was) counts.scores.up += 1;
    else if (is < was) counts.scores.down += 1;
  }
}

/** The score of a listing in search; null if it has none. */
export function latestScoreOf({ search }: ListingEntry): number | null {
  return search?.summary.latestScore ?? null;
}
