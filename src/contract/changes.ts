import type { SiteSummary } from "./listing.js";

/*
 * What changed from an earlier publication of a directory to the current one. It is an extension beside the contract: no
 * answer of the API has it, a page shows it. Only sites that are in search now are named.
 */

/** A site in search. */
export type NamedSite = Pick<
  SiteSummary,
  "host" | "name" | "latestScore" | "latestBand" | "latestScoreVersion"
>;

/** A list that may go on beyond its first items. */
export interface FirstOf<T> {
  readonly first: readonly T[];
  /** The number of all items. */
  readonly count: number;
}

/** Sites that gained or lost a check. */
export interface CheckChange {
  readonly checkId: string;
  readonly gained: FirstOf<NamedSite>;
  readonly lost: FirstOf<NamedSite>;
}

/** The changes since one earlier publication. */
export interface PublicationChanges {
  /** When the last site of the earlier publication was scanned (RFC 3339); null if none was. */
  readonly scannedTo: string | null;
  /** Null if so much has changed that nothing was compared. */
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
