import { tableOf } from "../contract/tables.js";
import type { Rule } from "../lib/options.js";

/**
 * How many listings a build may remove, or leave without their score or its band: a number of them, or a whole
 * percentage.
 */
export type MaxRemoved = number | `${number}%`;

/** The limit if the caller gives none. */
const DEFAULT_LIMIT: MaxRemoved = "20%";
/** The default limit always allows this many listings: in a small directory, 20% is very few. */
const DEFAULT_LIMIT_ALWAYS = 9;

const SHARE = /^(100|[1-9]?[0-9])%$/;

/** Parses a limit as `--max-removed` and its like take it: "20%" or "50". Returns null for any other text. */
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
  fromText: parseMaxRemoved,
};

/** The limit for one kind of loss in a build. */
export interface RemovalLimit {
  /** The given limit, or the default. */
  readonly max: MaxRemoved;
  /** How many listings of `total` may be lost. A limit that the caller gave applies exactly. */
  allowed(total: number): number;
}

function removalLimit(given: MaxRemoved | undefined): RemovalLimit {
  const max = given ?? DEFAULT_LIMIT;
  if (typeof max === "number") return { max, allowed: () => max };
  const percent = Number(max.slice(0, -1));
  const always = given === undefined ? DEFAULT_LIMIT_ALWAYS : 0;
  return { max, allowed: (total) => Math.max(always, Math.floor((total * percent) / 100)) };
}

/** The options of `build` that limit what it may remove. */
const LIMITS = ["maxRemoved", "maxUnscored", "maxUnbanded"] as const;

/** The limits for all kinds of losses. */
export type LossLimits = Readonly<Record<(typeof LIMITS)[number], RemovalLimit>>;

/** The limits that a build's options give. */
export function lossLimits(
  given: { readonly [name in keyof LossLimits]?: MaxRemoved | undefined },
): LossLimits {
  return tableOf(LIMITS, (name) => removalLimit(given[name]));
}

/** For a publication that may remove any listing: a rollback, or a withdrawal. */
export const NO_LIMITS = lossLimits({
  maxRemoved: "100%",
  maxUnscored: "100%",
  maxUnbanded: "100%",
});

/** How many hosts a sentence names. */
const HOSTS_NAMED = 10;

/** The first hosts of a list, for a sentence: `a.example, b.example and 3 more`. */
export function firstHosts(hosts: readonly string[]): string {
  const more = hosts.length > HOSTS_NAMED ? ` and ${hosts.length - HOSTS_NAMED} more` : "";
  return `${hosts.slice(0, HOSTS_NAMED).join(", ")}${more}`;
}
