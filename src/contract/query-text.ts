import type { Issue } from "./error.js";
import { percentDecoded } from "./percent.js";

/* Splits a query string into decoded pairs. This file gives no meaning to their names and values. */

/** The most parameters that a query may have; a search with every filter has 51. */
export const PAIRS_MAX = 100;
/** How many characters of an unknown parameter's name an issue shows. */
const NAME_SHOWN = 50;

/** The first PAIRS_MAX parameters of a raw query, for reads that ignore further parameters and reject nothing. */
export function firstPairs(raw: string): string {
  let end = -1;
  for (let count = 0; count < PAIRS_MAX; count += 1) {
    end = raw.indexOf("&", end + 1);
    if (end < 0) return raw;
  }
  return raw.slice(0, end);
}

/** Stands for a text that cannot be decoded. */
export const UNDECODABLE = Symbol("undecodable");
export const UNDECODABLE_MESSAGE = "is not valid percent-encoded UTF-8";
export type RawValue = string | typeof UNDECODABLE;

/** The non-empty pairs of a raw query; null if there are more than PAIRS_MAX. */
export function pairsOf(raw: string): string[] | null {
  const pairs: string[] = [];
  for (let start = 0; start < raw.length; ) {
    const separator = raw.indexOf("&", start);
    const end = separator < 0 ? raw.length : separator;
    if (end > start && pairs.push(raw.slice(start, end)) > PAIRS_MAX) return null;
    start = end + 1;
  }
  return pairs;
}

/** `application/x-www-form-urlencoded`, but strict: a text that cannot be decoded is an issue, not a U+FFFD. */
export function decodePairs(pairs: readonly string[]): {
  parameters: Map<string, RawValue[]>;
  issues: Issue[];
} {
  const parameters = new Map<string, RawValue[]>();
  const issues: Issue[] = [];
  for (const pair of pairs) {
    const split = pair.indexOf("=");
    const rawName = split < 0 ? pair : pair.slice(0, split);
    const name = decodeFormText(rawName);
    if (name === UNDECODABLE) {
      issues.push({ path: shownName(rawName), message: UNDECODABLE_MESSAGE });
      continue;
    }
    const value = split < 0 ? "" : decodeFormText(pair.slice(split + 1));
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return { parameters, issues };
}

/** A client's text as an answer shows it. A long text is cut, never inside a surrogate pair. */
export function shownName(name: string): string {
  if (name.length <= NAME_SHOWN) return name;
  return `${name.slice(0, NAME_SHOWN).replace(/[\ud800-\udbff]$/, "")}…`;
}

function decodeFormText(text: string): RawValue {
  // Splitting and joining is faster than replacing thousands of signs one by one.
  const spaced = text.includes("+") ? text.split("+").join(" ") : text;
  return percentDecoded(spaced) ?? UNDECODABLE;
}
