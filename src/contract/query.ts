import { ISSUES_MAX, type Issue } from "./error.js";
import { LIST_FILTER_NAMES, LIST_FILTERS, type ListFilterName, STATUS_FILTER } from "./filters.js";
import { LIMITS } from "./limits.js";
import {
  decodePairs,
  nameHint,
  PAIRS_MAX,
  pairsOf,
  type RawValue,
  shownName,
  UNDECODABLE,
  UNDECODABLE_MESSAGE,
  valueHint,
} from "./query-text.js";
import { tableOf } from "./tables.js";
import { integer, oneOf, SCAN_ID, SLUG, searchText, type ValueKind } from "./values.js";

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
  return { kind: SLUG, max, description, example } satisfies Parameter<string>;
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

const SORTS = ["score", "score-asc", "host", "recent"] as const;

/** The query of a search (docs/contract.md#11-search). */
export const SearchQuery = {
  ...ListingFilters,
  sort: {
    kind: oneOf(SORTS),
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
function included(description: string) {
  return {
    include: { kind: oneOf<"scores">(["scores"]), description, example: "scores" },
  } as const satisfies ParameterTable;
}

/** The query of facets (docs/contract.md#13-facets). */
export const FacetsQuery = {
  ...ListingFilters,
  ...included("Beyond the contract: `scores` adds counts by band and by score."),
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
  ...included("Beyond the contract: `scores` adds each listing's score, band and score version."),
} as const satisfies ParameterTable;
export type SuggestionsQuery = QueryOf<typeof SuggestionsQuery>;

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
