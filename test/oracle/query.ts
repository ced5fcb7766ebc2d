import { LIST_FILTER_NAMES, type ListFilterName } from "../../src/contract/filters.js";
import { tableOf } from "../../src/contract/tables.js";
import { FILTERS_BEYOND } from "../facets.js";
import { lengthOf } from "./text.js";

/** The reads that look at their query. */
type QueriedRead = "search" | "suggestions" | "facets" | "report" | "enrichment";

/** What a valid query asks for. A parameter that is absent is absent here, without its default. */
export interface Query extends Record<ListFilterName, string[]> {
  /** Trimmed, not folded. */
  q?: string;
  status?: string;
  minScore?: number;
  maxScore?: number;
  sort?: string;
  page?: number;
  limit?: number;
  scan?: string;
  /** Beyond the contract: `scores`. */
  include?: string;
}

/** A query as read: what it asks for, and what is wrong with it. */
export interface QueryReading {
  query: Query;
  /** The paths of all violations; none: the query is valid. */
  issues: Set<string>;
  /** False when a name cannot be decoded, so that the pages do not say what its path is. */
  pathsSettled: boolean;
}

/** A parameter that may be given only once; `read` gives undefined for an invalid value. */
interface ScalarRule {
  name: string;
  required?: true;
  read: (value: string) => string | number | undefined;
}

/** A parameter that may be repeated, each value a slug. */
interface ListRule {
  name: ListFilterName;
  most: number;
}

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function isSlug(value: string): boolean {
  return value.length <= 80 && slug.test(value);
}

function text(least: number, most: number): ScalarRule["read"] {
  return (value) => {
    const trimmed = value.trim();
    const length = lengthOf(trimmed);
    return least <= length && length <= most ? trimmed : undefined;
  };
}

function integer(least: number, most: number): ScalarRule["read"] {
  return (value) => {
    if (!/^(?:0|[1-9][0-9]*)$/.test(value)) return undefined;
    return least <= Number(value) && Number(value) <= most ? Number(value) : undefined;
  };
}

function oneOf(...values: string[]): ScalarRule["read"] {
  return (value) => (values.includes(value) ? value : undefined);
}

function scanId(value: string): string | undefined {
  return /^[a-zA-Z0-9_-]{1,128}$/.test(value) ? value : undefined;
}

const filterLists: ListRule[] = [
  { name: "category", most: 10 },
  { name: "tag", most: 10 },
  { name: "platform", most: 10 },
  { name: "capability", most: 10 },
  { name: "band", most: 4 },
  ...FILTERS_BEYOND.map((name) => ({ name, most: 10 })),
];

const filterScalars: ScalarRule[] = [
  { name: "q", read: text(1, 120) },
  { name: "status", read: oneOf("unclaimed", "claimed") },
  { name: "minScore", read: integer(0, 100) },
  { name: "maxScore", read: integer(0, 100) },
];

const withScores: ScalarRule = { name: "include", read: oneOf("scores") };
const withSite: ScalarRule = { name: "include", read: oneOf("scores", "site") };

const rules: Record<QueriedRead, { scalars: ScalarRule[]; lists: ListRule[] }> = {
  search: {
    scalars: [
      ...filterScalars,
      { name: "sort", read: oneOf("score", "score-asc", "host", "recent") },
      { name: "page", read: integer(1, 10_000) },
      { name: "limit", read: integer(1, 100) },
    ],
    lists: filterLists,
  },
  facets: { scalars: [...filterScalars, withScores], lists: filterLists },
  suggestions: {
    scalars: [{ name: "q", required: true, read: text(2, 120) }, withSite],
    lists: [],
  },
  report: { scalars: [{ name: "scan", read: scanId }], lists: [] },
  enrichment: { scalars: [], lists: [] },
};

/** Decodes one piece of `application/x-www-form-urlencoded`; undefined when it is malformed. */
function formDecoded(piece: string): string | undefined {
  return percentDecoded(piece.replaceAll("+", " "));
}

/** Percent-decodes once; undefined for a malformed escape or invalid UTF-8. */
export function percentDecoded(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}

/** The decoded pairs of a query string, in order; undefined stands for what is malformed. */
function pairsOf(raw: string) {
  return raw
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name: formDecoded(name), value: formDecoded(value.join("=")) };
    });
}

/** Pairs of a query beyond which none is read. */
const mostPairs = 100;

/** A name as an issue shows it: its first 50 UTF-16 code units, without half a character at the end. */
function shown(name: string): string {
  if (name.length <= 50) return name;
  const whole = [...name.slice(0, 50)].filter((one) => !/^[\ud800-\udfff]$/.test(one));
  return `${whole.join("")}…`;
}

/** Reads what follows the `?` of a request target, as docs/contract.md#32-reading-a-query-string says. */
export function readQuery(read: QueriedRead, raw: string): QueryReading {
  const pairs = pairsOf(raw);
  const valuesOf = (name: string) =>
    pairs.filter((pair) => pair.name === name).map((pair) => pair.value);
  const { scalars, lists } = rules[read];
  const issues = new Set<string>();
  const query: Query = tableOf(LIST_FILTER_NAMES, (): string[] => []);
  if (pairs.length > mostPairs) return { query, issues: new Set(["query"]), pathsSettled: true };
  for (const { name, most } of lists) {
    const values = valuesOf(name);
    if (values.length > most) issues.add(name);
    values.forEach((value, place) => {
      if (value === undefined || !isSlug(value)) issues.add(`${name}[${place}]`);
      else query[name].push(value);
    });
  }
  for (const rule of scalars) {
    const values = valuesOf(rule.name);
    if (values.length === 0 && !rule.required) continue;
    const [value] = values;
    const meaning = value === undefined ? undefined : rule.read(value);
    if (values.length > 1 || meaning === undefined) issues.add(rule.name);
    else Object.assign(query, { [rule.name]: meaning });
  }
  const known: string[] = [...scalars, ...lists].map(({ name }) => name);
  for (const { name = "" } of pairs) if (!known.includes(name)) issues.add(shown(name));
  if ((query.minScore ?? 0) > (query.maxScore ?? 100)) issues.add("minScore");
  return { query, issues, pathsSettled: pairs.every(({ name }) => name !== undefined) };
}
