import { z } from "zod";
import { ISSUES_MAX, type Issue } from "./error.js";
import { field } from "./field.js";
import { LIST_FILTER_NAMES, LIST_FILTERS, type ListFilter, STATUS_FILTER } from "./filters.js";
import { LIMITS } from "./limits.js";
import { nameHint, valueHint } from "./query-hints.js";
import {
  decodePairs,
  PAIRS_MAX,
  pairsOf,
  type RawValue,
  shownName,
  UNDECODABLE,
  UNDECODABLE_MESSAGE,
} from "./query-text.js";
import { ScanId, Slug } from "./scalars.js";
import { tableOf } from "./tables.js";

/** A search text: trimmed, then `min` to `max` code points (contract section 8; decisions, Reading a query string). */
function searchText(min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((text) => {
      const length = codePoints(text);
      return length >= min && length <= max;
    }, `must have ${min} to ${max} characters, not counting white space at its ends`)
    .meta({ minLength: min, maxLength: max });
}

/** A whole number as clients write it: digits only, without a leading zero. */
function integer(min: number, max: number) {
  return z
    .string()
    .refine(
      (text) => /^(?:0|[1-9][0-9]*)$/.test(text) && Number(text) >= min && Number(text) <= max,
      { error: `must be a whole number from ${min} to ${max}`, abort: true },
    )
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

/**
 * Values of a parameter that may be repeated. Each violation is reported at the value's place. zod's own `max`
 * would report too many values and skip checking each of them.
 */
function repeated(max: number) {
  return z
    .array(Slug)
    .refine((values) => values.length <= max, `may be given at most ${max} times`)
    .meta({ minItems: 1, maxItems: max });
}

/** The field of a filter whose values are slugs. */
function slugs({ max, description, example }: ListFilter) {
  return field(repeated(max).optional(), description, [...example]);
}

/**
 * Contract section 4, shared listing filters. A listing must pass each filter; the table in filters.ts says which
 * filters need all of their values.
 */
export const ListingFilters = z.strictObject({
  q: field(
    searchText(LIMITS.queryTextMin, LIMITS.queryTextMax).optional(),
    "Literal text to find in host, name or tagline, ignoring case. White space at its ends is trimmed.",
    "clinic",
  ),
  ...tableOf(LIST_FILTER_NAMES, (name) => slugs(LIST_FILTERS[name])),
  status: field(
    z.enum(STATUS_FILTER.words, `must be ${STATUS_FILTER.words.join(" or ")}`).optional(),
    STATUS_FILTER.description,
    STATUS_FILTER.example,
  ),
  minScore: field(
    integer(LIMITS.scoreMin, LIMITS.scoreMax).optional(),
    "Lowest score, included; must not exceed maxScore. Leaves out unscored listings.",
    50,
  ),
  maxScore: field(
    integer(LIMITS.scoreMin, LIMITS.scoreMax).optional(),
    "Highest score, included. Leaves out unscored listings.",
    100,
  ),
});
export type ListingFilters = z.infer<typeof ListingFilters>;

const SORTS = ["score", "score-asc", "host", "recent"] as const;

/** Contract section 4, GET /api/sites. */
export const SearchQuery = z.strictObject({
  ...ListingFilters.shape,
  sort: field(
    z.enum(SORTS, `must be one of ${SORTS.join(", ")}`).default("score"),
    "Order of the listings; a null score comes last in every order by score.",
    "recent",
  ),
  page: field(integer(1, LIMITS.pageMax).default(1), "Number of the page, counted from 1.", 2),
  limit: field(
    integer(1, LIMITS.pageSizeMax).default(LIMITS.pageSizeDefault),
    "Listings per page.",
    50,
  ),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** Contract section 4, GET /api/sites/suggestions. */
export const SuggestionsQuery = z.strictObject({
  q: field(
    searchText(LIMITS.suggestionTextMin, LIMITS.queryTextMax),
    "Literal text to find in host or name, ignoring case. White space at its ends is trimmed.",
    "clinic",
  ),
});
export type SuggestionsQuery = z.infer<typeof SuggestionsQuery>;

/** Contract section 4, GET /api/sites/{host}/report. */
export const ReportQuery = z.strictObject({
  scan: field(
    ScanId.optional(),
    "A published scan of this site; omit for the latest. A historical one needs the listing's history entitlement.",
    "scn_001_e10ka",
  ),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** A read that accepts no query parameter and rejects any (contract section 4, enrichment). */
export const NoQuery = z.strictObject({});

export type QueryReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads a raw query string (the text after `?`, still encoded) with a query's schema. Reports all violations
 * together: undecodable names, then unknown names, each in the order of the query, then the parameters in the
 * schema's order (contract section 7, 400; decisions, Reading a query string). Stops at one issue more than an
 * answer lists. Rejects a query with more than PAIRS_MAX parameters without reading it.
 */
export function readQuery<S extends z.ZodObject>(
  schema: S,
  raw: string,
): QueryReading<z.output<S>> {
  const pairs = pairsOf(raw);
  if (pairs === null) {
    return {
      ok: false,
      issues: [{ path: "query", message: `has more than ${PAIRS_MAX} parameters` }],
    };
  }
  const { parameters, issues } = decodePairs(pairs);
  for (const name of parameters.keys()) {
    if (issues.length > ISSUES_MAX) break;
    if (!Object.hasOwn(schema.shape, name)) {
      const hint = nameHint(name, parameterReaders(schema));
      issues.push({ path: shownName(name), message: `is not a parameter of this address${hint}` });
    }
  }
  const value: Record<string, unknown> = {};
  for (const parameter of parameterReaders(schema)) {
    if (issues.length > ISSUES_MAX) break;
    const { name, absent } = parameter;
    const given = parameters.get(name);
    const read = given === undefined ? absent : readParameter(parameter, given);
    if (read.ok) value[name] = read.value;
    else issues.push(...read.issues);
  }
  if (Number(value.minScore) > Number(value.maxScore)) {
    issues.push({ path: "minScore", message: "must not exceed maxScore" });
  }
  if (issues.length > 0) return { ok: false, issues: issues.slice(0, ISSUES_MAX + 1) };
  return { ok: true, value: value as z.output<S> };
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

/** The query string of a query's values, encoded, in the schema's order, without parameters that equal their defaults. */
export function queryText(schema: z.ZodObject, values: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const { name, absent } of parameterReaders(schema)) {
    const value = values[name];
    if (value === undefined || (absent.ok && value === absent.value)) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      pairs.push(`${name}=${encodeURIComponent(String(one))}`);
    }
  }
  return pairs.join("&");
}

/** A parameter of a query, with the result if the parameter is absent. */
interface Parameter {
  readonly name: string;
  readonly field: z.ZodType;
  readonly many: boolean;
  readonly absent: QueryReading<unknown>;
}

/** Most parameters are absent from most requests, so the result for an absent one is computed once. */
const PARAMETERS = new WeakMap<z.ZodObject, readonly Parameter[]>();

function parameterReaders(schema: z.ZodObject): readonly Parameter[] {
  const known = PARAMETERS.get(schema);
  if (known !== undefined) return known;
  const made = Object.entries(schema.shape).map(([name, shape]): Parameter => {
    const field = shape as z.ZodType;
    const { success, data } = field.safeParse(undefined);
    const absent: QueryReading<unknown> = success
      ? { ok: true, value: data }
      : { ok: false, issues: [{ path: name, message: "is required" }] };
    return { name, field, many: isRepeatable(field), absent };
  });
  PARAMETERS.set(schema, made);
  return made;
}

function readParameter(
  { name, field, many }: Parameter,
  given: readonly RawValue[],
): QueryReading<unknown> {
  if (many) return readValues(name, field, given);
  const [value] = given;
  if (given.length > 1) return refused(name, "may be given only once");
  if (value === UNDECODABLE) return refused(name, UNDECODABLE_MESSAGE);
  const result = field.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, issues: result.error.issues.map(({ message }) => ({ path: name, message })) };
}

function refused(path: string, message: string): QueryReading<unknown> {
  return { ok: false, issues: [{ path, message }] };
}

/** How many values are checked at a time. Any longer list exceeds the allowed count anyway. */
const JUDGED = ISSUES_MAX + 1;

/** Reads the values of a repeatable parameter. Stops once there are more issues than an answer lists. */
function readValues(
  name: string,
  field: z.ZodType,
  given: readonly RawValue[],
): QueryReading<unknown> {
  const issues: Issue[] = [];
  let tooMany: Issue[] = [];
  for (let start = 0; start < given.length && issues.length <= ISSUES_MAX; start += JUDGED) {
    // An undecodable value is replaced by "", which is never a slug, so that the other values are checked too.
    const values = given
      .slice(start, start + JUDGED)
      .map((value) => (value === UNDECODABLE ? "" : value));
    const result = field.safeParse(values);
    if (result.success) {
      if (given.length <= JUDGED) return { ok: true, value: result.data };
      continue;
    }
    for (const { path, message } of result.error.issues) {
      if (typeof path[0] !== "number") {
        tooMany = [{ path: name, message }];
        continue;
      }
      const place = start + path[0];
      const value = given[place];
      issues.push({
        path: `${name}[${place}]`,
        message: typeof value === "string" ? message + valueHint(name, value) : UNDECODABLE_MESSAGE,
      });
    }
  }
  return { ok: false, issues: [...issues, ...tooMany] };
}

/** Whether a parameter's schema accepts a list of values. */
export function isRepeatable(field: z.ZodType): boolean {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner instanceof z.ZodArray;
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
