import type { Explanation } from "./explain.js";

/** Every `why` that a listing which is not in search may have. */
export const LEFT_OUT_WORDS = [
  "blocked",
  "opted-out",
  "redirected",
  "removed",
  "deleted",
  "unscanned",
  "moved",
  "former",
  "restored",
  "unknown",
] as const satisfies readonly Explanation["why"][];
