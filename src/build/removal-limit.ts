/** How many listings a build may take away: a number of them, or a share of those that are published, in whole percent. */
export type MaxRemoved = number | `${number}%`;

/** The limit of a build to which none is given. */
const USUAL: MaxRemoved = "20%";
/** So many listings, or fewer, may always go where no limit is given: in a small directory 20 % are very few. */
const USUAL_ALWAYS = 9;

const SHARE = /^(100|[1-9]?[0-9])%$/;

/** A limit as `--max-removed` takes it: "20%" or "50". Null where the text is neither. */
export function parseMaxRemoved(text: string): MaxRemoved | null {
  if (SHARE.test(text)) return text as MaxRemoved;
  const count = Number(text);
  return /^[0-9]+$/.test(text) && Number.isSafeInteger(count) ? count : null;
}

/** What a build holds its removals against. */
export interface RemovalLimit {
  /** As it was given, or the default. */
  readonly maxRemoved: MaxRemoved;
  /** How many of so many published listings may go. A given limit means just what it says. */
  allowed(published: number): number;
}

/** @throws TypeError where it is neither a whole number nor a whole percentage from 0 to 100 */
export function removalLimit(given: MaxRemoved | undefined): RemovalLimit {
  const maxRemoved = parseMaxRemoved(String(given ?? USUAL));
  if (maxRemoved === null) {
    throw new TypeError(`maxRemoved must be a whole number or "0%" to "100%", not ${given}`);
  }
  if (typeof maxRemoved === "number") return { maxRemoved, allowed: () => maxRemoved };
  const percent = Number(maxRemoved.slice(0, -1));
  const always = given === undefined ? USUAL_ALWAYS : 0;
  return {
    maxRemoved,
    allowed: (published) => Math.max(always, Math.floor((published * percent) / 100)),
  };
}
