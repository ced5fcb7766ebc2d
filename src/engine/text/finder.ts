import { filterSet, intersect, type ListingSet, type NumberRange } from "../sets/sets.js";
import type { Workspace } from "../sets/workspace.js";

/** The listings that contain a piece of text: the members of all `sets` that pass `check`, if there is one. */
export interface Candidates {
  /** The folded UTF-16 code units of the text. */
  readonly piece: Uint16Array;
  readonly sets: readonly ListingSet[];
  readonly check: ((member: number) => boolean) | undefined;
}

/**
 * Finds texts in the fields of one read. Its members are listing numbers for search, and ranks in the host order for
 * suggestions.
 */
export interface Finder {
  /** Returns the candidates for a non-empty text. Upper and lower case match (docs/contract.md#41-folding). */
  candidates(text: string): Candidates;
  /** Whether any listing contains a non-empty text. */
  hasAny(text: string): boolean;
}

/** Returns the listings of a range that are in every set and, if a text is given, contain it. */
export function select(
  space: Workspace,
  sets: readonly ListingSet[],
  range: NumberRange,
  text?: Candidates,
): ListingSet {
  if (text === undefined) return intersect(space, sets, range);
  const shared = intersect(space, [...sets, ...text.sets], range);
  return text.check === undefined ? shared : filterSet(space, shared, text.check);
}
