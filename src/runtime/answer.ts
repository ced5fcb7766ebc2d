import { API_CATALOG_LINK } from "../contract/api-catalog.js";
import { ERROR_TEXTS, errorBody, type Issue } from "../contract/error.js";
import { COMMON_HEADERS, METHODS, PREFLIGHT_HEADERS, READ_HEADERS } from "../contract/headers.js";
import { type QueryReading, readQuery } from "../contract/query.js";
import { CACHE_CONTROL, type Route, type RouteName } from "../contract/routes.js";
import { type Content, contentOf, type Failure, isFailure, type SnapshotView } from "./content.js";
import { SERVER_LIMITS } from "./limits.js";
import { COMPRESS_OVER, type Coding, codingFor, entityTag, namesTag } from "./representation.js";
import {
  type HealthPath,
  healthPath,
  matchRoute,
  parseTarget,
  pathIssues,
  type RouteMatch,
} from "./routing.js";

/** What of a request its answer depends on. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as it came: path and query, still encoded. */
  readonly target: string;
  readonly acceptEncoding?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** An answer, whatever carries it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the answer has no body, as to HEAD. */
  readonly body: Uint8Array | null;
  /** The path of the public document whose file is the body; `body` is null then. */
  readonly document?: string;
  /** Names the address that was asked for, whatever the answer is; absent where there is no such address. */
  readonly route?: string;
}

/** What answering needs beside the request. */
export interface AnswerContext {
  /** Null until a first snapshot is loaded. */
  readonly snapshot: SnapshotView | null;
  /** @param tag the entity tag of what is to be made: the same tag names the same bytes */
  readonly compress: (
    bytes: Uint8Array,
    coding: Exclude<Coding, "identity">,
    tag: string,
  ) => Promise<Uint8Array>;
  /** Told of stored files found missing or damaged. */
  readonly onDamage: (error: Error) => void;
}

/** Seconds: a new snapshot is looked for about as often. */
const RETRY_AFTER = { "Retry-After": "2" };

const encoder = new TextEncoder();

/** What is at hand needs no promise, which costs as much as finding it. */
type Soon<T> = T | Promise<T>;

/**
 * Answers one request by the contract's sections 4 and 7: at once, unless something of it has to be waited for.
 * It never throws: what fails is a 502.
 */
export function answer(facts: RequestFacts, context: AnswerContext): Soon<Answer> {
  const full = answerInFull(facts, context);
  return facts.method === "HEAD" ? then(full, (made) => ({ ...made, body: null })) : full;
}

function then<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The answer to a method that no address has. */
export function methodRefusal(): Answer {
  return errorAnswer(405, ERROR_TEXTS.badMethod, [], { Allow: METHODS });
}

/** An answer with the one error body (contract section 7). */
export function errorAnswer(
  status: number,
  error: string,
  issues: readonly Issue[] = [],
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(status, errorBody(error, issues), headers);
}

function answerInFull(facts: RequestFacts, context: AnswerContext): Soon<Answer> {
  const { targetMax } = SERVER_LIMITS;
  if (facts.target.length > targetMax) {
    return errorAnswer(414, `The request target is longer than ${targetMax} characters.`);
  }
  const target = parseTarget(facts.target);
  if (target === null) return errorAnswer(400, "The request target must be a path.");
  const address = matchRoute(target) ?? healthPath(target);
  if (address === null) return errorAnswer(404, ERROR_TEXTS.noAddress);
  const route = typeof address === "string" ? address : address.name;
  return then(answerAt(address, target.query, facts, context), (made) => ({ ...made, route }));
}

function answerAt(
  address: RouteMatch | HealthPath,
  rawQuery: string,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  if (facts.method === "OPTIONS") return preflight();
  if (facts.method !== "GET" && facts.method !== "HEAD") return methodRefusal();
  return typeof address === "string"
    ? healthAnswer(address, context.snapshot)
    : read(address, rawQuery, facts, context);
}

/** Answers a contract's read. */
function read(
  match: RouteMatch,
  rawQuery: string,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  const { snapshot } = context;
  const query = readRouteQuery(match, rawQuery);
  const refused = (issues: readonly Issue[]) => errorAnswer(400, ERROR_TEXTS.invalid, issues);
  if (!query.ok) return refused([...pathIssues(match), ...query.issues]);
  const damaged = (error: unknown) => {
    context.onDamage(error as Error);
    return errorAnswer(502, ERROR_TEXTS.damaged);
  };
  try {
    const content = snapshot === null ? NOT_LOADED : contentOf(match, query.value, snapshot);
    if (isFailure(content)) {
      // A host that has a listing is canonical: only one that has none has to be looked at.
      const issues = pathIssues(match);
      const { status, error, headers } = content;
      return issues.length > 0 ? refused(issues) : errorAnswer(status, error, [], headers);
    }
    const made = represent(match, content, facts, context);
    return made instanceof Promise ? made.catch(damaged) : made;
  } catch (error) {
    return damaged(error);
  }
}

const NOT_LOADED: Failure = { status: 503, error: ERROR_TEXTS.notLoaded, headers: RETRY_AFTER };

/** Chooses the representation of a 200 and whether the client has it already. */
function represent(
  match: RouteMatch,
  content: Content,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  const wanted = content.length > COMPRESS_OVER ? codingFor(facts.acceptEncoding) : "identity";
  return then(content.digest, (digest) =>
    representAs(wanted, entityTag(digest, wanted), match, content, facts, context),
  );
}

function representAs(
  wanted: Coding,
  tag: string,
  { name, route }: RouteMatch,
  content: Content,
  facts: RequestFacts,
  { compress }: AnswerContext,
): Soon<Answer> {
  if (namesTag(facts.ifNoneMatch, tag)) {
    return { status: 304, headers: headersWith(tag, name, route, null), body: null };
  }
  const headers = headersWith(tag, name, route, wanted);
  if (wanted === "identity" && content.document !== undefined) {
    headers["Content-Length"] = String(content.length);
    const { path, check } = content.document;
    return check().then(() => ({ status: 200, headers, body: null, document: path }));
  }
  const coded = then(content.read(), (plain) =>
    wanted === "identity" ? plain : compress(plain, wanted, tag),
  );
  return then(coded, (body) => {
    headers["Content-Length"] = String(body.length);
    return { status: 200, headers, body };
  });
}

/** By read and coding, without what each answer has of its own. */
const HEADERS = new Map<string, Record<string, string>>();

/**
 * The headers of a read's 200 in a coding, or of its 304; a length is to be filled in. A copy whose values
 * are replaced costs less than an object that grows by one after the other.
 */
function headersWith(
  tag: string,
  name: RouteName,
  route: Route,
  coding: Coding | null,
): Record<string, string> {
  const key = `${name} ${coding}`;
  let known = HEADERS.get(key);
  if (known === undefined) {
    known = {
      ...READ_HEADERS,
      ETag: "",
      "Cache-Control": CACHE_CONTROL[route.cache],
      ...(name === "catalog" && { Link: API_CATALOG_LINK }),
      ...(coding !== null && { "Content-Type": route.contentType, "Content-Length": "" }),
      ...(coding !== null && coding !== "identity" && { "Content-Encoding": coding }),
    };
    HEADERS.set(key, known);
  }
  return { ...known, ETag: tag };
}

/** By read, what a request without a query asks for: most are. */
const WITHOUT_QUERY = new Map<Route, QueryReading<object>>();

function readRouteQuery({ route }: RouteMatch, query: string): QueryReading<object> {
  if (query !== "" && route.query !== null) return readQuery(route.query, query);
  const known = WITHOUT_QUERY.get(route);
  if (known !== undefined) return known;
  const reading: QueryReading<object> =
    route.query === null ? { ok: true, value: {} } : readQuery(route.query, "");
  WITHOUT_QUERY.set(route, reading);
  return reading;
}

/** How the process is (decisions, HTTP): that it answers, or which snapshot it has loaded. */
function healthAnswer(path: HealthPath, snapshot: SnapshotView | null): Answer {
  if (path === "healthz") return jsonAnswer(200, { ok: true });
  if (snapshot === null) return jsonAnswer(503, { ready: false }, RETRY_AFTER);
  return jsonAnswer(200, { ready: true, snapshot: snapshot.id });
}

function preflight(): Answer {
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}

/** An answer that no cache may keep. */
function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const body = encoder.encode(JSON.stringify(value));
  return {
    status,
    headers: {
      ...COMMON_HEADERS,
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      "Cache-Control": CACHE_CONTROL.error,
      ...headers,
    },
    body,
  };
}
