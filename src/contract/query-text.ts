import type { Issue } from "./error.js";
import { percentDecoded } from "./host.js";
import { namesOf } from "./tables.js";
import { SLUG } from "./values.js";

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

/** The non-empty pairs of a raw query; null if there are more than `max`. */
export function pairsOf(raw: string, max: number): string[] | null {
  const pairs: string[] = [];
  for (let start = 0; start < raw.length; ) {
    const separator = raw.indexOf("&", start);
    const end = separator < 0 ? raw.length : separator;
    if (end > start && pairs.push(raw.slice(start, end)) > max) return null;
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

/* Hints that follow the message of an issue, for mistakes that tell what the client meant. */

/** The parts of parameters that hints use, by name. `max` is set if the parameter may be repeated. */
type KnownParameters = Readonly<Record<string, { readonly max?: number }>>;

/** Longer names and values get no hint. */
const HINTED_MAX = 200;

/**
 * The hint for an unknown parameter name: `category[]` tells how to repeat `category`, `min_score` names `minScore`.
 * @returns "" if no parameter has a similar name
 */
export function nameHint(name: string, parameters: KnownParameters): string {
  if (name.length > HINTED_MAX) return "";
  const bare = name.replace(/\[\w*\]$/, "");
  const meant = namesOf(parameters).find((known) => folded(known) === folded(bare));
  if (meant === undefined) return "";
  const isList = parameters[meant]?.max !== undefined;
  return isList && bare !== name ? repeatHint(meant) : `; did you mean "${meant}"?`;
}

/** The hint for an invalid value of a repeatable parameter: "" unless the value looks like a list. */
export function valueHint(name: string, value: string): string {
  if (!value.includes(",") || value.length > HINTED_MAX) return "";
  const [first = "", second = ""] = value.split(",").map((one) => one.trim());
  const areSlugs = SLUG.read(first) !== undefined && SLUG.read(second) !== undefined;
  return areSlugs ? repeatHint(name, first, second) : repeatHint(name);
}

function repeatHint(name: string, first = "a", second = "b"): string {
  return `; to give several values, repeat the key: ${name}=${first}&${name}=${second}`;
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
