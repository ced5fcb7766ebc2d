import { namesOf } from "./tables.js";

/*
 * The orders of a search. Each is one entry here, and has its ranks in engine/ranking.ts and in engines of extras. It
 * needs no package, because browsers run it too.
 */

interface SortEntry {
  /** The explorer's text for the order. */
  readonly label: string;
  /** The rank among the explorer's choices, counted from 1. */
  readonly rank: number;
}

/** By the value of `sort`. The order is that of the OpenAPI document. Listings are numbered by `score`. */
export const SORTS = {
  score: { label: "Highest score", rank: 1 },
  "score-asc": { label: "Lowest score", rank: 2 },
  host: { label: "Host, A to Z", rank: 4 },
  recent: { label: "Most recently scanned", rank: 3 },
} as const satisfies Readonly<Record<string, SortEntry>>;

export type Sort = keyof typeof SORTS;
/** The orders that are not the numbers of the listings. */
export type RankedSort = Exclude<Sort, "score">;

export const SORT_NAMES: readonly Sort[] = namesOf(SORTS);
