import { ERROR_TEXTS, errorBody, ISSUES_MAX, type Issue } from "../contract/error.js";
import {
  COMMON_HEADERS,
  GENERATION_HEADER,
  MARKDOWN_TYPE,
  METHODS,
  PREFLIGHT_HEADERS,
  postPreflight,
  READ_HEADERS,
  weightedValues,
} from "../contract/headers.js";
import { readQuery } from "../contract/query.js";
import { CACHE_CONTROL, ROUTES } from "../contract/routes.js";
import type { Leaving } from "../engine/answering.js";
import { StoreAwayError } from "../store/bad-snapshot.js";
import {
  type Address,
  addressOf,
  type HealthName,
  originForm,
  pathIssues,
  type ReadAddress,
} from "./address.js";
import {
  type Content,
  type Extensions,
  type Failure,
  isFailure,
  RETRY_AFTER,
  type ReadPost,
  type SnapshotView,
} from "./content.js";
import type { PageMatch, Pages } from "./page-types.js";
import { upTo } from "./read-table.js";
import { jsonBody, type RequestBody } from "./request-body.js";

/** The parts of a request on which its answer depends. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as sent: path and query, still encoded. */
  readonly target: string;
  readonly acceptEncoding?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  /** Whether the client prefers a page as Markdown. */
  readonly wantsMarkdown?: boolean;
  /** Whether a person reads the answer, in a browser. */
  readonly isForPerson?: boolean;
  /** The body, which only a POST has. */
  readonly body?: RequestBody;
  /** Tells when the client has left. Default: it never does. */
  readonly leaving?: Leaving;
}

/** An answer, independent of how it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer has no body, for example to a HEAD request. */
  readonly body: Uint8Array | null;
  /** When the answer stops being true, in milliseconds since 1970. */
  readonly until?: number;
  /** The name of the requested address, whatever the status. Absent if the address does not exist. */
  readonly route?: string;
}

/** Everything except the request that an answer depends on. */
export interface AnswerContext {
  /** Null until the first snapshot is loaded. */
  readonly snapshot: SnapshotView | null;
  /** The pages beside the API. Null serves the API alone. */
  readonly pages: Pages | null;
  /** The reads beyond the contract. Default: none. */
  readonly extensions?: Extensions | undefined;
  /** The codings that `compress` can make, preferred ones first. Default: all. */
  readonly codings?: readonly Exclude<Coding, "identity">[];
  /** @param tag the entity tag of the compressed bytes; equal tags mean equal bytes */
  readonly compress: (
    bytes: Uint8Array,
    coding: Exclude<Coding, "identity">,
    tag: string,
  ) => Promise<Uint8Array>;
  /** Why no newer snapshot can be read at the moment. Absent if all is well. */
  readonly trouble?: string | undefined;
  /** Called for `/readyz` only. Absent at an edge: a store of bytes has no times. */
  readonly readiness?: () => Promise<Readiness>;
  /** Called for each stored file that is missing or damaged. */
  readonly onDamage: (error: Error) => void;
}

/**
 * Answers one request (docs/contract.md). Never rejects: a failure makes a 502 or a 503.
 * @param address the address of the target, if the caller has already read it
 */
export async function answer(
  facts: RequestFacts,
  context: AnswerContext,
  address = addressOf(facts.target, context.pages, context.extensions),
): Promise<Answer> {
  const { method, leaving } = facts;
  // The time of a POST begins once its body is read.
  const during = method === "POST" ? undefined : context.snapshot?.during;
  const own = during === undefined ? context : { ...context, snapshot: during(leaving) };
  const full = await answerInFull(facts, own, address);
  return facts.method === "HEAD" ? { ...full, body: null } : partOf(full, facts);
}

async function answerInFull(
  facts: RequestFacts,
  context: AnswerContext,
  address: Address,
): Promise<Answer> {
  if (address.kind === "none") {
    const moved = (await withoutSlash(facts, context)) ?? (await atPasted(facts, context));
    return moved ?? failedAt(null, address.failed, facts, context);
  }
  const route = address.name;
  if (isHidden(address, facts)) return failureAnswer(NO_ADDRESS);
  return { ...(await answerAt(address, facts, context)), route };
}

/**
 * The answer for a failure: a page where a person would read one, and a badge in place of a badge.
 * @param match the page's address; null if there is none
 */
async function failedAt(
  match: PageMatch | null,
  failed: Failed,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { pages, snapshot } = context;
  const isPage =
    match === null
      ? failed.status === 404 && facts.isForPerson === true
      : isReadAsPage(match, facts) || isMissingBadge(match, failed);
  if (!isPage || pages === null) return failureAnswer(failed);
  const page = (reason: Failed) => pages.failure(reason, match, facts.target, snapshot);
  return undamaged(context, () => page(failed), page);
}

/** Whether an address is a page that programs do not get, and a program asks for it. */
function isHidden(address: Address, { isForPerson }: RequestFacts): boolean {
  return address.kind === "page" && address.match.page.isForBrowsers === true && !isForPerson;
}

/** Whether there is no badge at its address, which other sites embed as an image. */
function isMissingBadge({ page }: PageMatch, { status }: Failed): boolean {
  return page.name === "badge" && status === 404;
}

/** Whether a person reads the answer at an address of pages as a page. */
function isReadAsPage({ page }: PageMatch, { isForPerson, wantsMarkdown }: RequestFacts): boolean {
  const isFile = page.hasApiErrors || (page.hasMarkdown && wantsMarkdown);
  return isForPerson === true && !isFile;
}

/**
 * Redirects a trailing slash to the page. Returns null if no such page exists.
 * The reads of the API have no such addresses (docs/contract.md#1-the-nine-reads).
 */
async function withoutSlash(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages } = context;
  const [, bare, last, query = ""] = SLASHED.exec(originForm(facts.target)) ?? [];
  if (pages === null || bare === undefined || !isGet(facts)) return null;
  const { isForPerson = false } = facts;
  const plain = { method: "GET", target: bare + query, isForPerson };
  const address = addressOf(plain.target, pages);
  if (address.kind !== "page" || isHidden(address, plain)) return null;
  const made = await answerAt(address, plain, context);
  if (made.status === 200)
    return pages.redirect(`../${last}${query}`, address.match.page.isForBrowsers);
  // Nobody knows whether the page exists while the store cannot be read.
  return made.status >= 500 ? made : null;
}

/** Redirects a URL pasted after `/sites/` to the report of its host. Returns null if there is none. */
async function atPasted(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages, snapshot } = context;
  if (pages === null || snapshot === null || !isGet(facts)) return null;
  return undamaged(context, () => pages.pasted(facts.target, snapshot));
}

/** A path that ends in one slash, without that slash; its last segment; the query. */
const SLASHED = /^(\/(?:[^?]*\/)?([^/?]+))\/(\?.*)?$/s;

async function answerAt(
  address: Exclude<Address, { readonly kind: "none" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  if (address.kind === "read" && isSwitchedOff(address, context)) return failureAnswer(NO_ADDRESS);
  const post = address.kind === "read" ? address.tabled.read.post : undefined;
  if (facts.method === "OPTIONS") {
    const headers =
      post === undefined ? PREFLIGHT_HEADERS : postPreflight(post.methods, post.headers);
    return { status: 204, headers, body: null };
  }
  if (facts.method === "POST" && post !== undefined) return posted(post, facts, context);
  if (!isGet(facts)) return methodRefusal(post?.methods);
  if (address.kind === "health") return healthAnswer(address.name, context);
  return address.kind === "read"
    ? read(address, facts, context)
    : showPage(address, facts, context);
}

function isGet({ method }: RequestFacts): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the read is beyond the contract, and the publisher has switched such reads off. */
function isSwitchedOff({ tabled }: ReadAddress, { snapshot }: AnswerContext): boolean {
  return !tabled.isOfContract && snapshot?.directory.extensions === false;
}

async function read(
  address: ReadAddress,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot, pages } = context;
  const { tabled, parameter, query } = address;
  // A host with a listing is canonical. Only a host without one needs the check.
  const issues = () => pathIssues(tabled.path, parameter);
  if (!query.ok) return refusal([...issues(), ...query.issues]);
  return undamaged(context, async () => {
    if (snapshot === null) return failureAnswer(NOT_LOADED);
    const content = await query.value.contentIn(snapshot, parameter ?? "");
    if (!isFailure(content)) {
      return represent(typedContent(address, content, snapshot, pages !== null), facts, context);
    }
    const inPath = issues();
    return inPath.length > 0 ? refusal(inPath) : failureAnswer(content);
  });
}

/** The headers of an answer to a POST, which caches do not store. */
const POSTED_HEADERS = { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL.error };

/** Answers a POST, which asks with its body and has no query. */
async function posted(
  post: ReadPost,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot, onDamage } = context;
  const pages = context.pages?.routes ?? [];
  const { body, target, acceptEncoding } = facts;
  if (snapshot === null) return failureAnswer(NOT_LOADED);
  const [, query = ""] = originForm(target).split("?", 2);
  const reading = readQuery({}, query);
  if (!reading.ok) return refusal(reading.issues);
  if (body === undefined) return refusal([{ path: "body", message: "is required" }]);
  const json = await jsonBody(body, post);
  if ("error" in json) return failureAnswer(json);
  const view = snapshot.during?.(facts.leaving) ?? snapshot;
  return undamaged(context, async () => {
    const made = await post.answer({ value: json.value, body }, view, { onDamage, pages });
    if ("status" in made) return "body" in made ? made : failureAnswer(made);
    const content = { contentType: "application/json", ...made, headers: POSTED_HEADERS };
    const asked = { method: "POST", target, acceptEncoding };
    const { headers, ...answer } = await represent(content, asked, context);
    // No later request can use the tag of an answer to a POST.
    const { ETag: _, ...rest } = headers;
    return { ...answer, headers: { ...rest, ...generationHeader(snapshot) } };
  });
}

/** Answers with a page or with a file that pages use. */
async function showPage(
  { match, query, pages }: Extract<Address, { readonly kind: "page" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot } = context;
  const { wantsMarkdown = false, target } = facts;
  const isPage = isReadAsPage(match, facts);
  const failed = (failure: Failed) => failedAt(match, failure, facts, context);
  if (snapshot === null) return query.ok || isPage ? failed(NOT_LOADED) : refusal(query.issues);
  const made = async () => {
    if (!query.ok) {
      const moved = await pages.misnamed(match, target, snapshot);
      if (!("error" in moved)) return moved;
      return isPage || isMissingBadge(match, moved) ? failed(moved) : refusal(query.issues);
    }
    const moved = await pages.renamed(match, query.value, target, snapshot);
    if (moved !== null) return moved;
    const page = await pages.content(match, query.value, wantsMarkdown, snapshot);
    return isFailure(page) ? failed(page) : represent(page, facts, context);
  };
  return undamaged(context, made, failed);
}

/* Makes answers from contents, and from failures to read them. */

const NOT_LOADED: Failure = {
  status: 503,
  error: ERROR_TEXTS.notLoaded,
  headers: RETRY_AFTER,
};
const AWAY: Failed = { status: 503, error: ERROR_TEXTS.away, headers: RETRY_AFTER };
const DAMAGED: Failed = { status: 502, error: ERROR_TEXTS.damaged };

/** The answer that `make` resolves to. If it rejects, a 503 while the store cannot be reached, or else a 502. */
async function undamaged<T extends Answer | null>(
  { onDamage }: AnswerContext,
  make: () => Promise<T>,
  failed = async (failure: Failed) => failureAnswer(failure),
): Promise<T | Answer> {
  try {
    return await make();
  } catch (error) {
    onDamage(error as Error);
    return failed(error instanceof StoreAwayError ? AWAY : DAMAGED);
  }
}

export type TypedContent = Content & Required<Pick<Content, "contentType" | "headers">>;

/** Chooses the representation of a 200, or answers 304 if the client already has that representation. */
async function represent(
  { contentType, headers: own, ...content }: TypedContent,
  facts: RequestFacts,
  { compress, codings }: AnswerContext,
): Promise<Answer> {
  const isLong = content.length > COMPRESS_OVER && content.isCompressed !== true;
  const wanted = isLong ? codingFor(facts.acceptEncoding, codings) : "identity";
  const tag = entityTag(content.digest, wanted);
  const until = content.until === undefined ? {} : { until: content.until };
  if (namesTag(facts.ifNoneMatch, tag)) {
    return { status: 304, headers: { ...own, ETag: tag }, body: null, ...until };
  }
  const headers: Record<string, string> = { ...own, ETag: tag, "Content-Type": contentType };
  if (wanted !== "identity") headers["Content-Encoding"] = wanted;
  // The digest would be that of the compressed bytes, which is unknown until they are made.
  else if (content.sha256) headers["Repr-Digest"] = reprDigest(content.sha256);
  const plain = await content.read();
  const body = wanted === "identity" ? plain : await compress(plain, wanted, tag);
  headers["Content-Length"] = String(body.length);
  return { status: 200, headers, body, ...until };
}

/**
 * The content of a read with its type and headers, such as links to what describes it.
 * @param hasPages whether a report is a page, too: then a link leads to it as Markdown
 */
function typedContent(
  { tabled, parameter, query }: ReadAddress,
  content: Content,
  snapshot: SnapshotView,
  hasPages: boolean,
): TypedContent {
  const { name, contentType, headers } = tabled;
  const text = query.ok && query.value.text !== "" ? `?${query.value.text}` : "";
  const markdown = `<${UP_TO_ROOT}sites/${parameter}/report.md${text}>; rel="alternate"; type="${MARKDOWN_TYPE}"`;
  return {
    contentType,
    ...content,
    headers: {
      ...headers,
      ...(name === "report" && hasPages && { Link: `${headers.Link}, ${markdown}` }),
      ...content.headers,
      ...generationHeader(snapshot),
    },
  };
}

/** The number of the publication, which is beyond the contract. */
function generationHeader({ directory, history }: SnapshotView): Record<string, string> {
  return directory.extensions === false ? {} : { [GENERATION_HEADER]: `${history.generation}` };
}

const UP_TO_ROOT = upTo(ROUTES.report.path, 1);

/** The codings that compress answers, preferred ones first. */
const CODINGS: readonly ("br" | "gzip")[] = ["br", "gzip"];
export type Coding = (typeof CODINGS)[number] | "identity";

/** Longer answers are compressed, in bytes (docs/contract.md#85-compression). */
const COMPRESS_OVER = 1024;

/** Codings by header. Clients send few different headers. Cleared once it holds `CACHED_MAX` headers. */
const cached = new Map<string, Coding>();
const CACHED_MAX = 256;
/** Longest header that is remembered, in characters. */
const CACHED_LENGTH_MAX = 100;

/**
 * `chooseCoding` with a cache.
 * @param codings the codings that the caller can make
 */
export function codingFor(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  if (acceptEncoding === undefined) return "identity";
  if (codings !== CODINGS || acceptEncoding.length > CACHED_LENGTH_MAX)
    return chooseCoding(acceptEncoding, codings);
  const found = cached.get(acceptEncoding);
  if (found !== undefined) return found;
  const coding = chooseCoding(acceptEncoding);
  if (cached.size >= CACHED_MAX) cached.clear();
  cached.set(acceptEncoding, coding);
  return coding;
}

/**
 * Returns the coding that an `Accept-Encoding` header asks for: the one with the highest q-value. On a tie, compression
 * wins over plain bytes. Without the header, or if it rejects every coding that we have, the answer is "identity".
 */
export function chooseCoding(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  const weights = new Map<string, number>();
  for (const [coding, weight] of weightedValues(acceptEncoding ?? "")) {
    if (coding !== "") weights.set(coding.replace(/^x-gzip$/, "gzip"), weight);
  }
  let best: Coding = "identity";
  let highest = weights.get("identity") ?? 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > 0 && (weight > highest || (best === "identity" && weight >= highest))) {
      best = coding;
      highest = weight;
    }
  }
  return best;
}

/** Returns a strong ETag for the bytes that `digest` identifies. Each coding gets its own tag. */
function entityTag(digest: string, coding: Coding): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * Whether an `If-None-Match` header names the tag. The header may be a list or `*`. The comparison is weak, since a
 * cache in between may have weakened our tag. Our tags contain no comma and no space, so a match never spans two tags
 * of a list.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.includes(tag);
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The header that states the sha256 of a body (RFC 9530). @param sha256 in hex */
function reprDigest(sha256: string): string {
  let base64 = "";
  // Three hexadecimal digits are two digits of base64. The last one is alone.
  for (let at = 0; at < sha256.length; at += 3) {
    const bits = Number.parseInt(sha256.slice(at, at + 3).padEnd(3, "0"), 16);
    base64 += BASE64[bits >>> 6]! + BASE64[bits & 63]!;
  }
  return `sha-256=:${base64.slice(0, -1)}=:`;
}

/*
 * Parts of answers (RFC 9110 section 14). Programs that read a Parquet file in parts download only the columns they
 * need.
 */

const UNIT = "bytes";

/** The headers of an answer that can be read in parts. They let scripts of other origins read the headers of a part. */
export const RANGED_HEADERS = {
  "Accept-Ranges": UNIT,
  "Access-Control-Expose-Headers": `${COMMON_HEADERS["Access-Control-Expose-Headers"]}, Accept-Ranges, Content-Range`,
} as const;

/** One range: from a first byte to a last one or to the end; or a number of bytes at the end. */
const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * The part of an answer that a GET requests: a 206, or a 416 if the file has no such bytes. Returns the whole answer
 * if it is not a 200 that can be read in parts, if `Range` is invalid or names several ranges, or if `If-Range` names
 * another representation.
 */
function partOf(
  made: Answer,
  { method, range, ifRange }: Pick<RequestFacts, "method" | "range" | "ifRange">,
): Answer {
  const { status, headers, body, route } = made;
  if (range === undefined || method !== "GET" || status !== 200 || body === null) return made;
  if (headers["Accept-Ranges"] !== UNIT) return made;
  if (ifRange !== undefined && ifRange !== headers.ETag) return made;
  const [, first, last, suffix] = RANGE.exec(range.trim()) ?? [];
  const size = body.length;
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first);
  const end = Math.min(size, last === undefined ? size : Number(last) + 1);
  // A range that ends before it begins is invalid.
  if (Number.isNaN(start) || (last !== undefined && Number(last) < start)) return made;
  const contentRange = (part: string) => ({ "Content-Range": `${UNIT} ${part}/${size}` });
  if (start >= end) {
    const error = `The file has ${size} bytes.`;
    return { ...errorAnswer(416, error, [], contentRange("*")), ...(route && { route }) };
  }
  const part = body.subarray(start, end);
  const length = { "Content-Length": String(part.length) };
  return {
    ...made,
    status: 206,
    headers: { ...headers, ...contentRange(`${start}-${end - 1}`), ...length },
    body: part,
  };
}

/* Answers without content from a snapshot: the contract's error body, and the health of the process. */

const encoder = new TextEncoder();

/** A failure with any status. */
export type Failed = Omit<Failure, "status"> & { readonly status: number };

export const NO_ADDRESS: Failure = { status: 404, error: ERROR_TEXTS.noAddress };

/** The answer to a method that an address does not support. @param methods those that it supports */
export function methodRefusal(methods: string = METHODS): Answer {
  const error = ERROR_TEXTS.badMethod.replace(METHODS, methods);
  return errorAnswer(405, error, [], { Allow: methods });
}

/** An answer with the error body (docs/contract.md#7-errors). */
export function errorAnswer(
  status: number,
  error: string,
  issues: readonly Issue[] = [],
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(status, errorBody(error, issues), headers);
}

/** The answer to an invalid request. It lists at most ISSUES_MAX issues, and says so if there are more. */
function refusal(issues: readonly Issue[]): Answer {
  const { invalid, invalidInMany } = ERROR_TEXTS;
  const error = issues.length > ISSUES_MAX ? invalidInMany : invalid;
  return errorAnswer(400, error, issues.slice(0, ISSUES_MAX));
}

export function failureAnswer({ status, error, issues, headers }: Failed): Answer {
  return errorAnswer(status, error, issues, headers);
}

/** A JSON answer that caches must not store. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Answer {
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

/** What `/readyz` and the metrics report about a server besides its snapshot. */
export interface Readiness {
  /** When the snapshot that answers was published in the server's store; undefined if that is unknown. */
  readonly publishedAt?: Date | undefined;
  /** Why the server is not ready, even if it has a snapshot; undefined if that depends on the snapshot alone. */
  readonly unready?: string | undefined;
}

/**
 * Reports the health of the process (docs/contract.md#88-health-and-metrics): that it answers, or which snapshot it has
 * loaded.
 */
async function healthAnswer(path: HealthName, context: AnswerContext): Promise<Answer> {
  if (path === "healthz") return jsonAnswer(200, { ok: true });
  const { snapshot } = context;
  const { publishedAt, unready } = (await context.readiness?.()) ?? {};
  const generation = snapshot?.history.generation;
  const facts = { snapshot: snapshot?.id, generation, publishedAt };
  const trouble = unready ?? context.trouble;
  return snapshot !== null && unready === undefined
    ? jsonAnswer(200, { ready: true, ...facts, trouble })
    : jsonAnswer(503, { ready: false, ...facts, trouble }, RETRY_AFTER);
}
