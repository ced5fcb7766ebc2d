import type { Band } from "./standards.js";

/**
 * The id of the band that holds a score; undefined if none does. It is apart from the schemas because workers use it,
 * and scripts with the schemas have 100 kB more.
 */
export function bandHolding(
  score: number,
  { bands }: { readonly bands: readonly Band[] },
): string | undefined {
  return bands.find(({ min, max }) => min <= score && score <= max)?.band;
}
