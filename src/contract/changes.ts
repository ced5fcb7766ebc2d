import type { SiteSummary } from "./listing.js";

/*
 * What changed in the latest publications of a directory. It is beyond the contract: no
 * answer of the API has it, a page shows it. Only sites that are in search now are named.
 */

export type NamedSite = Pick<
  SiteSummary,
  "host" | "name" | "latestScore" | "latestBand" | "latestScoreVersion"
>;

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

/** How many changes a store keeps, and for how long, unless directory.json says otherwise. */
export const USUAL_KEPT = { days: 400, entries: 100_000 } as const;

/** For how many days changes and feeds name a site that was removed. */
export const REMOVAL_NAMED_DAYS = 30;

/**
 * A position in the changes: everything up to a publication, or up to a host in it. Written `12-5f0c3a9e`, or
 * `12-5f0c3a9e~example.org`; clients may also write a bare number.
 */
export interface ChangesCursor {
  readonly generation: number;
  /** The beginning of the content of the store's first publication; null if the client gives none. */
  readonly origin: string | null;
  /** Null: all of the publication is known. */
  readonly host: string | null;
}

export function cursorText({ generation, origin, host }: ChangesCursor): string {
  return `${generation}${origin === null ? "" : `-${origin}`}${host === null ? "" : `~${host}`}`;
}

/** Reads a cursor that `CURSOR` has accepted. */
export function readCursor(text: string): ChangesCursor {
  const [, generation, origin = null, host = null] =
    /^(\d+)(?:-(\w+))?(?:~(.+))?$/.exec(text) ?? [];
  return { generation: Number(generation), origin, host };
}
