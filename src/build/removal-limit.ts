import type { Rule } from "../options/options.js";

/** How many listings a build may remove: a number of them, or a whole percentage of the published ones. */
export type MaxRemoved = number | `${number}%`;

/** The limit if the caller gives none. */
const DEFAULT_LIMIT: MaxRemoved = "20%";
/** With the default limit, a build may always remove this many listings: in a small directory, 20 % are very few. */
const DEFAULT_LIMIT_ALWAYS = 9;

const SHARE = /^(100|[1-9]?[0-9])%$/;

/** Parses a limit as `--max-removed` takes it: "20%" or "50". Returns null for any other text. */
export function parseMaxRemoved(text: string): MaxRemoved | null {
  const share = SHARE.exec(text)?.[1];
  if (share !== undefined) return `${Number(share)}%`;
  const count = Number(text);
  return /^[0-9]+$/.test(text) && Number.isSafeInteger(count) ? count : null;
}

/** The values that `build` accepts. */
export const MAX_REMOVED: Rule<MaxRemoved> = {
  expected: "a whole number, or a whole percentage up to 100%",
  accepts: (value): value is MaxRemoved =>
    typeof value === "number"
      ? parseMaxRemoved(String(value)) === value
      : typeof value === "string" && SHARE.test(value),
};

/** The limit for the removals of a build. */
export interface RemovalLimit {
  /** The given limit, or the default. */
  readonly maxRemoved: MaxRemoved;
  /** How many listings may go if `published` are published. A limit that the caller gave applies exactly. */
  allowed(published: number): number;
}

export function removalLimit(given: MaxRemoved | undefined): RemovalLimit {
  const maxRemoved = given ?? DEFAULT_LIMIT;
  if (typeof maxRemoved === "number") return { maxRemoved, allowed: () => maxRemoved };
  const percent = Number(maxRemoved.slice(0, -1));
  const always = given === undefined ? DEFAULT_LIMIT_ALWAYS : 0;
  return {
    maxRemoved,
    allowed: (published) => Math.max(always, Math.floor((published * percent) / 100)),
  };
}
