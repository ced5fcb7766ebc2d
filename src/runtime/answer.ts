import { API_CATALOG_LINK } from "../contract/api-catalog.js";
import { ERROR_TEXTS, errorBody, type Issue } from "../contract/error.js";
import { COMMON_HEADERS, METHODS, PREFLIGHT_HEADERS, READ_HEADERS } from "../contract/headers.js";
import { type QueryReading, readQuery } from "../contract/query.js";
import { CACHE_CONTROL } from "../contract/routes.js";
import { type Content, contentOf, isFailure, type SnapshotView } from "./content.js";
import { SERVER_LIMITS } from "./limits.js";
import { COMPRESS_OVER, type Coding, chooseCoding, entityTag, namesTag } from "./representation.js";
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

/** Answers one request by the contract's sections 4 and 7. It never throws: what fails is a 502. */
export async function answer(facts: RequestFacts, context: AnswerContext): Promise<Answer> {
  const full = await answerInFull(facts, context);
  return facts.method === "HEAD" ? { ...full, body: null } : full;
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

async function answerInFull(facts: RequestFacts, context: AnswerContext): Promise<Answer> {
  const { targetMax } = SERVER_LIMITS;
  if (facts.target.length > targetMax) {
    return errorAnswer(414, `The request target is longer than ${targetMax} characters.`);
  }
  const target = parseTarget(facts.target);
  if (target === null) return errorAnswer(400, "The request target must be a path.");
  const address = matchRoute(target) ?? healthPath(target);
  if (address === null) return errorAnswer(404, ERROR_TEXTS.noAddress);
  const route = typeof address === "string" ? address : address.name;
  return { ...(await answerAt(address, target.query, facts, context)), route };
}

async function answerAt(
  address: RouteMatch | HealthPath,
  rawQuery: string,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  if (facts.method === "OPTIONS") return preflight();
  if (facts.method !== "GET" && facts.method !== "HEAD") return methodRefusal();
  return typeof address === "string"
    ? healthAnswer(address, context.snapshot)
    : await read(address, rawQuery, facts, context);
}

/** Answers a contract's read. */
async function read(
  match: RouteMatch,
  rawQuery: string,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const query = readRouteQuery(match, rawQuery);
  const issues = [...pathIssues(match), ...(query.ok ? [] : query.issues)];
  if (!query.ok || issues.length > 0) return errorAnswer(400, ERROR_TEXTS.invalid, issues);
  if (context.snapshot === null) return errorAnswer(503, ERROR_TEXTS.notLoaded, [], RETRY_AFTER);
  try {
    const content = contentOf(match, query.value, context.snapshot);
    if (isFailure(content)) return errorAnswer(content.status, content.error);
    return await represent(match, content, facts, context);
  } catch (error) {
    context.onDamage(error as Error);
    return errorAnswer(502, ERROR_TEXTS.damaged);
  }
}

/** Chooses the representation of a 200 and whether the client has it already. */
async function represent(
  { name, route }: RouteMatch,
  content: Content,
  facts: RequestFacts,
  { compress }: AnswerContext,
): Promise<Answer> {
  const wanted = content.length > COMPRESS_OVER ? chooseCoding(facts.acceptEncoding) : "identity";
  const tag = entityTag(await content.digest, wanted);
  const headers: Record<string, string> = {
    ...READ_HEADERS,
    ETag: tag,
    "Cache-Control": CACHE_CONTROL[route.cache],
  };
  if (name === "catalog") headers.Link = API_CATALOG_LINK;
  if (namesTag(facts.ifNoneMatch, tag)) return { status: 304, headers, body: null };
  headers["Content-Type"] = route.contentType;
  if (wanted === "identity" && content.document !== undefined) {
    await content.document.check();
    headers["Content-Length"] = String(content.length);
    return { status: 200, headers, body: null, document: content.document.path };
  }
  const plain = await content.read();
  const body = wanted === "identity" ? plain : await compress(plain, wanted, tag);
  if (wanted !== "identity") headers["Content-Encoding"] = wanted;
  headers["Content-Length"] = String(body.length);
  return { status: 200, headers, body };
}

function readRouteQuery({ route }: RouteMatch, query: string): QueryReading<object> {
  return route.query === null ? { ok: true, value: {} } : readQuery(route.query, query);
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
