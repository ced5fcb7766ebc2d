import type { NamedSite } from "../../contract/listing.js";

/*
 * What changed in the latest publications of a directory, as a page shows it. Only sites that are in search now are
 * named.
 */

/** The first items of a list, and the number of all its items. */
export interface FirstOf<T> {
  readonly first: readonly T[];
  readonly count: number;
}

/** Sites that gained or lost a check. */
export interface CheckChange {
  readonly checkId: string;
  readonly gained: FirstOf<NamedSite>;
  readonly lost: FirstOf<NamedSite>;
}

/** The changes of all publications on a day and later. */
export interface PublicationChanges {
  /** The day, in UTC: `2026-01-01`. */
  readonly since: string;
  /** Null if there are too many to list. */
  readonly changes: {
    readonly added: FirstOf<NamedSite>;
    /** Scores of the same scoring version, by falling difference, then by host. `from` is the earlier score. */
    readonly risen: FirstOf<NamedSite & { readonly from: number }>;
    readonly fallen: FirstOf<NamedSite & { readonly from: number }>;
    /** By the check's id. */
    readonly checks: readonly CheckChange[];
  } | null;
}

/** The most items that a list names. */
export const CHANGES_NAMED = 25;
