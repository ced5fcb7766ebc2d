import { activeEntries } from "./derive.js";
import { percentDecoded, type Query, type QueryReading, readQuery } from "./query.js";
import { nowCalled, type Records } from "./records.js";
import { anyRevision, type Found, findEnrichment, findReport } from "./report.js";
import { facetsBody, matchesOf, searchBody, suggestionsBody, type TextRead } from "./search.js";
import { isCanonicalHost } from "./text.js";

/** What a GET has to be answered with. */
export interface OracleAnswer {
  status: number;
  /**
   * With 200: the whole body, keys in the contract's order, so that `JSON.stringify` gives the
   * bytes; without `didYouMean`. Absent for addresses whose bodies are not modelled.
   */
  body?: Record<string, unknown>;
  /**
   * With 400: the paths of all issues, each once, sorted by code unit; an answer lists 20 of them at most. Absent
   * when a query name cannot be decoded: the pages do not say what its path is.
   */
  issuePaths?: string[];
  /** Whether the answer has `didYouMean` beside `data` (docs/contract.md#42-corrections). */
  wantsDidYouMean: boolean;
}

/** Addresses that answer 200 with bodies that the oracle does not model. */
const unmodelled = ["/api/openapi.json", "/.well-known/api-catalog", "/healthz", "/readyz"];

/** The answer to a GET of a request target such as `/api/sites?q=x&band=open`. */
export function answerOf(records: Records, target: string): OracleAnswer {
  const [path = "", ...rest] = target.split("?");
  const query = rest.join("?");
  const segments = path.split("/").map(percentDecoded);
  // An undecodable segment is no segment of an address; "/" in one is not a separator.
  const address = segments.map((segment) => segment?.replaceAll("/", "%2F") ?? "%").join("/");
  switch (address) {
    case "/api/sites":
      return search(records, query);
    case "/api/sites/suggestions":
      return suggestions(records, query);
    case "/api/sites/facets":
      return facets(records, query);
    case "/api/standards":
      return ok({ data: records.standards });
    case "/api/categories":
      return ok({ data: activeEntries(records.categories) });
    case "/api/tags":
      return ok({ data: activeEntries(records.tags) });
  }
  if (unmodelled.includes(address)) return { status: 200, wantsDidYouMean: false };
  const [root, api, sites, host, read, ...more] = segments;
  const ofHost = root === "" && api === "api" && sites === "sites" && more.length === 0;
  if (ofHost && read === "report") return report(records, host, query);
  if (ofHost && read === "enrichment") return enrichment(records, host, query);
  return { status: 404, wantsDidYouMean: false };
}

/** Whether `q`, by itself, is a valid query of the read and matches a listing there. */
export function matchesAlone(records: Records, read: TextRead, q: string): boolean {
  const { query, issues } = readQuery(read, `q=${encodeURIComponent(q)}`);
  return issues.size === 0 && matchesOf(records, read, query.q ?? "").length > 0;
}

/**
 * Whether a body is what the oracle expects, byte for byte, but for an `enrichment.revision` that
 * the implementation chooses, which may be any text that is not empty.
 */
export function sameExceptAny(expectedBody: Record<string, unknown>, actualText: string): boolean {
  const expected = structuredClone(expectedBody);
  const open = revisionHolder(expected);
  if (open?.revision === anyRevision) {
    const revision = revisionHolder(parsed(actualText))?.revision;
    if (typeof revision !== "string" || revision === "") return false;
    open.revision = revision;
  }
  return JSON.stringify(expected) === actualText;
}

/** The Enrichment of a report's body or of an enrichment's, if the body holds one. */
function revisionHolder(body: unknown): Record<string, unknown> | undefined {
  const data = asObject(asObject(body)?.data);
  return data !== undefined && "enrichment" in data ? asObject(data.enrichment) : data;
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ok(body: Record<string, unknown>, wantsDidYouMean = false): OracleAnswer {
  return { status: 200, body, wantsDidYouMean };
}

function invalid({ issues, pathsSettled }: QueryReading): OracleAnswer {
  const answer = { status: 400, wantsDidYouMean: false };
  return pathsSettled ? { ...answer, issuePaths: [...issues].sort() } : answer;
}

/** A query that names terms as they are called now. */
function renamed(records: Records, query: Query): Query {
  const lists = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? nowCalled(value, records.renamed[name]) : value,
  ]);
  return Object.fromEntries(lists);
}

function search(records: Records, raw: string): OracleAnswer {
  const reading = readQuery("search", raw);
  if (reading.issues.size > 0) return invalid(reading);
  const { q } = reading.query;
  const lost = q !== undefined && matchesOf(records, "search", q).length === 0;
  return ok(searchBody(records, renamed(records, reading.query)), lost);
}

function suggestions(records: Records, raw: string): OracleAnswer {
  const reading = readQuery("suggestions", raw);
  if (reading.issues.size > 0) return invalid(reading);
  const { q = "", include } = reading.query;
  const lost = include !== "site" && matchesOf(records, "suggestions", q).length === 0;
  return ok(suggestionsBody(records, reading.query), lost);
}

function facets(records: Records, raw: string): OracleAnswer {
  const reading = readQuery("facets", raw);
  return reading.issues.size > 0
    ? invalid(reading)
    : ok(facetsBody(records, renamed(records, reading.query)));
}

function report(records: Records, host: string | undefined, raw: string): OracleAnswer {
  const reading = readQuery("report", raw);
  if (host === undefined || !isCanonicalHost(host)) reading.issues.add("host");
  if (host === undefined || reading.issues.size > 0) return invalid(reading);
  return answered(findReport(records, host, reading.query.scan));
}

function enrichment(records: Records, host: string | undefined, raw: string): OracleAnswer {
  const reading = readQuery("enrichment", raw);
  if (host === undefined || !isCanonicalHost(host)) reading.issues.add("host");
  if (host === undefined || reading.issues.size > 0) return invalid(reading);
  return answered(findEnrichment(records, host));
}

function answered(found: Found): OracleAnswer {
  return found.status === 200 ? ok(found.body) : { status: found.status, wantsDidYouMean: false };
}
