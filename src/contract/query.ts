import { ISSUES_MAX, type Issue } from "./error.js";
import { LIST_FILTER_NAMES, LIST_FILTERS, type ListFilterName, STATUS_FILTER } from "./filters.js";
import { percentDecoded } from "./host.js";
import { LIMITS } from "./limits.js";
import { SORT_NAMES } from "./sorts.js";
import { namesOf, tableOf } from "./tables.js";
import { HOST_TEXT, integer, oneOf, SCAN_ID, SLUG, searchText, type ValueKind } from "./values.js";

/**
 * A parameter of a request. The reader of queries, the queries' types, the OpenAPI document, the page about the API and
 * the documentation are all made from it.
 */
export interface Parameter<T = unknown> {
  readonly kind: ValueKind<T>;
  /** The most values that a request may give. Left out if it may give only one. */
  readonly max?: number;
  /** The value if the request gives none. */
  readonly absent?: T;
  readonly isRequired?: boolean;
  /** The filter whose terms the values name: by the slugs that they have, or had before. Default: they name none. */
  readonly names?: ListFilterName;
  readonly description: string;
  readonly example: T | readonly T[];
}

/** The parameters of a read by name, in the order in which violations are reported. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

type ValueOf<P> = P extends { readonly kind: ValueKind<infer T> }
  ? P extends { readonly max: number }
    ? T[]
    : T
  : never;
/** The names of the parameters that have a value in every valid query. */
type SureNames<P> = {
  [N in keyof P]: P[N] extends { readonly absent: unknown } | { readonly isRequired: true }
    ? N
    : never;
}[keyof P];
type Flat<T> = { [N in keyof T]: T[N] };
/** A valid query of a read with these parameters. */
export type QueryOf<P> = Flat<
  { [N in SureNames<P>]: ValueOf<P[N]> } & {
    [N in Exclude<keyof P, SureNames<P>>]?: ValueOf<P[N]> | undefined;
  }
>;

function slugs(name: ListFilterName) {
  const { max, description, example } = LIST_FILTERS[name];
  return { kind: SLUG, max, names: name, description, example } satisfies Parameter<string>;
}

/**
 * The filters that search and facets share (docs/contract.md#31-filters). A listing must pass each filter; the table in
 * filters.ts says which filters need all of their values.
 */
export const ListingFilters = {
  q: {
    kind: searchText(LIMITS.queryTextMin, LIMITS.queryTextMax),
    description:
      "Literal text to find in host, name or tagline, ignoring case. White space at its ends is trimmed.",
    example: "clinic",
  },
  ...tableOf(LIST_FILTER_NAMES, slugs),
  status: {
    kind: oneOf(STATUS_FILTER.words),
    description: STATUS_FILTER.description,
    example: STATUS_FILTER.example,
  },
  minScore: {
    kind: integer(LIMITS.scoreMin, LIMITS.scoreMax),
    description: "Lowest score, included; must not exceed maxScore. Leaves out unscored listings.",
    example: 50,
  },
  maxScore: {
    kind: integer(LIMITS.scoreMin, LIMITS.scoreMax),
    description: "Highest score, included. Leaves out unscored listings.",
    example: 100,
  },
} as const satisfies ParameterTable;
export type ListingFilters = QueryOf<typeof ListingFilters>;

/** The query of a search (docs/contract.md#11-search). */
export const SearchQuery = {
  ...ListingFilters,
  sort: {
    kind: oneOf(SORT_NAMES),
    absent: "score",
    description: "Order of the listings; a null score comes last in every order by score.",
    example: "recent",
  },
  page: {
    kind: integer(1, LIMITS.pageMax),
    absent: 1,
    description: "Number of the page, counted from 1.",
    example: 2,
  },
  limit: {
    kind: integer(1, LIMITS.pageSizeMax),
    absent: LIMITS.pageSizeDefault,
    description: "Listings per page.",
    example: 50,
  },
} as const satisfies ParameterTable;
export type SearchQuery = QueryOf<typeof SearchQuery>;

/** Adds fields beyond the contract's to an answer. Without it, the bytes are those of the contract. */
function included<Word extends string>(words: readonly Word[], description: string) {
  return {
    include: { kind: oneOf(words), description, example: "scores" },
  } as const satisfies ParameterTable;
}

/** The query of facets (docs/contract.md#13-facets). */
export const FacetsQuery = {
  ...ListingFilters,
  ...included(["scores"], "Beyond the contract: `scores` adds counts by band and by score."),
} as const satisfies ParameterTable;
export type FacetsQuery = QueryOf<typeof FacetsQuery>;

/** The query of suggestions (docs/contract.md#12-suggestions). */
export const SuggestionsQuery = {
  q: {
    kind: searchText(LIMITS.suggestionTextMin, LIMITS.queryTextMax),
    isRequired: true,
    description:
      "Literal text to find in host or name, ignoring case. White space at its ends is trimmed.",
    example: "clinic",
  },
  ...included(
    ["scores", "site"],
    "Beyond the contract: `scores` adds each listing's score, band and score version; `site` adds the " +
      "whole listing, and leaves out `didYouMean`.",
  ),
} as const satisfies ParameterTable;
export type SuggestionsQuery = QueryOf<typeof SuggestionsQuery>;

/** The parameter of a read about many hosts. @param max how many it takes */
export function hostsParameter(max: number) {
  return {
    kind: HOST_TEXT,
    max,
    isRequired: true,
    description: "A host, or a web address whose host is meant.",
    example: ["birchclinic.example", "nowhere.example"],
  } as const;
}

/** The query of a report (docs/contract.md#14-a-report). */
export const ReportQuery = {
  scan: {
    kind: SCAN_ID,
    description:
      "A published scan of this site; omit for the latest. A historical one needs the listing's history entitlement.",
    example: "scn_001_e10ka",
  },
} as const satisfies ParameterTable;
export type ReportQuery = QueryOf<typeof ReportQuery>;

/** A read that accepts no query parameter and rejects any (docs/contract.md#15-enrichment). */
export const NoQuery = {} as const satisfies ParameterTable;

export type QueryReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads a raw query string (the text after `?`, still encoded) with a read's parameters. Reports all violations
 * together: undecodable names, then unknown names, each in the order of the query, then the parameters in the
 * table's order (docs/contract.md#32-reading-a-query-string, docs/contract.md#34-issues). Stops at one issue more than
 * an answer lists.
 * @param pairsMax rejects a query with more parameters without reading it
 */
export function readQuery<P extends ParameterTable>(
  table: P,
  raw: string,
  pairsMax = PAIRS_MAX,
): QueryReading<QueryOf<P>> {
  const pairs = pairsOf(raw, pairsMax);
  if (pairs === null) {
    return {
      ok: false,
      issues: [{ path: "query", message: `has more than ${pairsMax} parameters` }],
    };
  }
  const { parameters, issues } = decodePairs(pairs);
  for (const name of parameters.keys()) {
    if (issues.length > ISSUES_MAX) break;
    if (!Object.hasOwn(table, name)) {
      const hint = nameHint(name, table);
      issues.push({ path: shownName(name), message: `is not a parameter of this address${hint}` });
    }
  }
  return readParameters(table, parameters, issues);
}

/**
 * Reads decoded values with a read's parameters, as `readQuery` does.
 * @param given the values of parameters of the table
 * @param issues those that were found before
 */
export function readParameters<P extends ParameterTable>(
  table: P,
  given: ReadonlyMap<string, readonly RawValue[]>,
  issues: Issue[] = [],
): QueryReading<QueryOf<P>> {
  const value: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    if (issues.length > ISSUES_MAX) break;
    const values = given.get(name) ?? [];
    const read =
      values.length === 0 ? readAbsent(name, parameter) : readGiven(name, parameter, values);
    if (read.ok) value[name] = read.value;
    else issues.push(...read.issues);
  }
  if (Number(value.minScore) > Number(value.maxScore)) {
    issues.push({ path: "minScore", message: "must not exceed maxScore" });
  }
  if (issues.length > 0) return { ok: false, issues: issues.slice(0, ISSUES_MAX + 1) };
  return { ok: true, value: value as QueryOf<P> };
}

/** One form for all equivalent queries: the values of repeatable parameters are sorted and distinct. */
export function canonicalQuery<T extends object>(query: T): T {
  const entries = Object.entries(query);
  if (!entries.some(([, value]) => Array.isArray(value))) return query;
  const canonical = entries.map(([name, value]) => [
    name,
    Array.isArray(value) ? [...new Set(value)].sort() : value,
  ]);
  return Object.fromEntries(canonical) as T;
}

/**
 * The query string of a query's values, encoded, in the table's order, without parameters that equal their defaults.
 */
export function queryText(
  table: ParameterTable,
  values: Readonly<Record<string, unknown>>,
): string {
  const pairs: string[] = [];
  for (const [name, parameter] of Object.entries(table)) {
    const value = values[name];
    if (value === undefined || value === parameter.absent) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      pairs.push(`${name}=${encodeURIComponent(String(one))}`);
    }
  }
  return pairs.join("&");
}

function readAbsent(name: string, parameter: Parameter): QueryReading<unknown> {
  return parameter.isRequired === true
    ? refused(name, "is required")
    : { ok: true, value: parameter.absent };
}

function readGiven(
  name: string,
  { kind, max }: Parameter,
  given: readonly RawValue[],
): QueryReading<unknown> {
  if (max !== undefined) return readValues(name, kind, max, given);
  const [text = UNDECODABLE] = given;
  if (given.length > 1) return refused(name, "may be given only once");
  if (text === UNDECODABLE) return refused(name, UNDECODABLE_MESSAGE);
  const value = kind.read(text);
  return value === undefined ? refused(name, kind.message) : { ok: true, value };
}

function refused(path: string, message: string): QueryReading<unknown> {
  return { ok: false, issues: [{ path, message }] };
}

/** Reads the values of a repeatable parameter. Stops once there are more issues than an answer lists. */
function readValues(
  name: string,
  { read, message }: ValueKind<unknown>,
  max: number,
  given: readonly RawValue[],
): QueryReading<unknown> {
  const values: unknown[] = [];
  const issues: Issue[] = [];
  for (const [index, text] of given.entries()) {
    if (issues.length > ISSUES_MAX) break;
    const value = text === UNDECODABLE ? undefined : read(text);
    if (value !== undefined) {
      values.push(value);
      continue;
    }
    issues.push({
      path: `${name}[${index}]`,
      message: text === UNDECODABLE ? UNDECODABLE_MESSAGE : message + valueHint(name, text),
    });
  }
  if (given.length > max) issues.push({ path: name, message: `may be given at most ${max} times` });
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: values };
}

/* Splits a query string into decoded pairs. This file gives no meaning to their names and values. */

/** The most parameters that a query may have; a search with every filter has 51. */
const PAIRS_MAX = 100;
/** How many characters of an unknown parameter's name an issue shows. */
const NAME_SHOWN = 50;

/** The most parameters that a query of a read may have: it can give each parameter as often as that may be given. */
export function pairsMaxOf(table: ParameterTable): number {
  const all = Object.values(table).reduce((sum, { max = 1 }) => sum + max, 0);
  return Math.max(PAIRS_MAX, all);
}

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
const UNDECODABLE = Symbol("undecodable");
const UNDECODABLE_MESSAGE = "is not valid percent-encoded UTF-8";
type RawValue = string | typeof UNDECODABLE;

/** The non-empty pairs of a raw query; null if there are more than `max`. */
function pairsOf(raw: string, max: number): string[] | null {
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
function decodePairs(pairs: readonly string[]): {
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
function shownName(name: string): string {
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
function nameHint(name: string, parameters: KnownParameters): string {
  if (name.length > HINTED_MAX) return "";
  const bare = name.replace(/\[\w*\]$/, "");
  const meant = namesOf(parameters).find((known) => folded(known) === folded(bare));
  if (meant === undefined) return "";
  const isList = parameters[meant]?.max !== undefined;
  return isList && bare !== name ? repeatHint(meant) : `; did you mean "${meant}"?`;
}

/** The hint for an invalid value of a repeatable parameter: "" unless the value looks like a list. */
function valueHint(name: string, value: string): string {
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
