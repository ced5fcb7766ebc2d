import type { IncomingMessage, ServerResponse } from "node:http";
import { type Address, addressOf, originForm } from "../answer/address.js";
import { type Answer, answer, codingFor, namesTag, type Readiness } from "../answer/answer.js";
import type { Extensions } from "../answer/content.js";
import type { SnapshotFollower } from "../answer/follower.js";
import type { Pages } from "../answer/page-types.js";
import { isBrowsers } from "../contract/headers.js";
import { StoreAwayError } from "../store/bad-snapshot.js";
import type { KeptAnswer } from "./answer-cache.js";
import type { ServedSnapshot } from "./current-snapshot.js";
import type { Connections } from "./listener.js";
import { type Log, metricsAnswer, type Observer, type SeenAnswer } from "./observer.js";
import {
  isMarkdownAsked,
  nodeBody,
  type RequestHeaders,
  readRequestHeaders,
  refusalOf,
} from "./request.js";
import { compress } from "./server-pages.js";

export interface Handling {
  readonly follower: Pick<SnapshotFollower<ServedSnapshot>, "current" | "trouble">;
  readonly connections: Connections;
  readonly pages: Pages;
  /** Default: none. */
  readonly extensions?: Extensions | undefined;
  readonly log: Log;
  readonly observer: Observer | null;
  /** Returns the metrics as text and never rejects; null if `/metrics` is off. */
  readonly metrics: (() => Promise<string>) | null;
  /** Never rejects. */
  readonly readiness: () => Promise<Readiness>;
  /** Whether every further answer ends its connection. */
  closing: boolean;
}

const METRICS_PATH = "/metrics";

/** Answers a request: in this turn of the event loop, or after the earlier requests of its connection. */
export function handle(req: IncomingMessage, res: ServerResponse, handling: Handling): void {
  const start = handling.observer === null ? 0 : performance.now();
  const { connections, closing } = handling;
  const connection = connections.of(req.socket);
  if (connection.isRefused) return;
  const head = readRequestHeaders(req);
  const refusal = refusalOf(req, head);
  // The server reads nothing after a body: proxies may disagree on where it ends, which allows request smuggling.
  const isLast = closing || head.hasBody || head.hasUpgrade;
  if (isLast) res.setHeader("Connection", "close");
  if (refusal !== null) {
    refuse(req, res, handling, refusal);
    return;
  }
  const target = originForm(req.url ?? "");
  const wantsMarkdown = isMarkdownAsked(target, head);
  const asked = { req, res, handling, head, target, wantsMarkdown, start };
  // A client that does not read costs the memory of one answer.
  const turn = connection.track(res);
  if (turn === null) sendSoon(asked);
  else void turn.then(() => sendAnswer(asked));
}

/** Requests of this turn of the event loop. To answer them one after the other at its end takes an eighth less time. */
let due: HandledRequest[] = [];

function sendSoon(asked: HandledRequest): void {
  if (due.length === 0) setImmediate(sendDue);
  due.push(asked);
}

function sendDue(): void {
  const requests = due;
  due = [];
  for (const asked of requests) sendAnswer(asked);
}

/** Answers a rejected request and ends its connection. */
export function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  handling: Handling,
  refusal: Answer,
): void {
  res.setHeader("Connection", "close");
  void handling.connections.of(req.socket).track(res);
  send(res, refusal.status, refusal.headers, refusal.body);
  const made = { ...refusal, bytes: bytesOf(req, refusal) };
  observe({ req, res, handling, start: performance.now() }, made, null);
}

/** A request that needs an answer. */
interface HandledRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly handling: Handling;
  readonly head: RequestHeaders;
  /** In origin-form. */
  readonly target: string;
  readonly wantsMarkdown: boolean;
  readonly start: number;
}

/** A request whose answer is not cached. `address` is null if the target has not been read yet. */
interface Fresh extends HandledRequest {
  /** Null if the answer must never be cached. */
  readonly key: string | null;
  readonly address: Address | null;
}

/** Sends the current snapshot's answer: in this turn of the event loop if it is cached. */
function sendAnswer(asked: HandledRequest): void {
  // The client may have left, or an earlier answer may have ended the connection, as one to a body does.
  if (!asked.req.socket.writable) return;
  const snapshot = asked.handling.follower.current;
  const fresh = sendCached(asked, snapshot);
  if (fresh !== null) void sendMade(fresh, snapshot);
}

/** Never rejects. */
async function sendMade(fresh: Fresh, snapshot: ServedSnapshot | null): Promise<void> {
  snapshot?.retain();
  const made = await make(fresh, snapshot);
  snapshot?.release();
  finish(fresh, made, snapshot);
}

/**
 * Sends the cached answer of a request.
 * @returns null if it was sent, else the facts about the request that are known so far
 */
function sendCached(asked: HandledRequest, snapshot: ServedSnapshot | null): Fresh | null {
  const { req, res, head } = asked;
  if (!isRead(req)) return { ...asked, key: null, address: null };
  const { cached, key, address } = findCached(asked, snapshot);
  const has = cached !== undefined && matches(head, cached);
  const isWhole = cached?.body !== null && !(head.range !== undefined && cached?.hasParts);
  if (cached === undefined || (!has && !isWhole)) return { ...asked, key, address };
  const status = has ? 304 : 200;
  const body = has || req.method === "HEAD" ? null : cached.body;
  send(res, status, has ? cached.unchanged : cached.headers, body);
  const made = { status, route: cached.route, bytes: body?.length ?? 0, wasKept: true };
  observe(asked, made, snapshot);
  return null;
}

function findCached(
  asked: HandledRequest,
  snapshot: ServedSnapshot | null,
): Pick<Fresh, "key" | "address"> & { readonly cached: KeptAnswer | undefined } {
  const { handling, target } = asked;
  const kept = snapshot?.kept;
  const prefix = prefixOf(asked);
  const known = prefix + (kept?.canonicalOf(target) ?? target);
  const atKnown = kept?.get(known);
  if (atKnown !== undefined) return { cached: atKnown, key: known, address: null };
  const address = addressOf(target, handling.pages, handling.extensions);
  if (address.key === null) return { cached: undefined, key: null, address };
  const key = prefix + address.key;
  const cached = address.key === target ? undefined : kept?.get(key);
  if (cached !== undefined) kept?.noteSpelling(target, address.key);
  return { cached, key, address };
}

function make(
  { req, res, handling, head, target, wantsMarkdown, address }: Fresh,
  snapshot: ServedSnapshot | null,
): Promise<Answer> {
  const { log, metrics, pages, extensions, follower } = handling;
  const { method = "" } = req;
  const facts = {
    // A HEAD makes the answer of a GET, so that the cache has it for a later GET. Node sends no body to a HEAD.
    method: method === "HEAD" ? "GET" : method,
    target,
    acceptEncoding: head.acceptEncoding,
    ifNoneMatch: head.ifNoneMatch,
    // A HEAD ignores `Range`.
    range: method === "GET" ? head.range : undefined,
    ifRange: head.ifRange,
    wantsMarkdown,
    isForPerson: head.accept !== undefined && isBrowsers(head.accept),
    ...(method === "POST" && { body: nodeBody(req) }),
    leaving: () => leavingOf(res),
  };
  if (metrics !== null && isMetrics(target)) {
    return metrics().then((text) => metricsAnswer(facts.method, text));
  }
  const onDamage = (error: Error) => {
    if (res.closed) return;
    const cause = snapshot?.newDamage(error);
    const status = error instanceof StoreAwayError ? 503 : 502;
    if (cause) log(`answered ${status}: ${cause}`, "trouble");
  };
  const view = snapshot?.view ?? null;
  const store = { snapshot: view, trouble: follower.trouble };
  const { readiness } = handling;
  const context = { ...store, pages, extensions, compress, onDamage, readiness };
  return answer(facts, context, address ?? undefined);
}

/** A signal that is aborted when the client has left before its answer. */
function leavingOf(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (res.closed) left.abort();
  else res.once("close", () => left.abort());
  return left.signal;
}

function finish(fresh: Fresh, made: Answer, snapshot: ServedSnapshot | null): void {
  const { req, res, handling, key } = fresh;
  if (handling.closing) res.setHeader("Connection", "close");
  send(res, made.status, made.headers, made.body);
  observe(fresh, { ...made, bytes: bytesOf(req, made) }, snapshot);
  if (key !== null) snapshot?.kept.offer(key, made);
}

/** @param headers an object, or an array of alternating names and values */
function send(
  res: ServerResponse,
  status: number,
  headers: Answer["headers"] | readonly string[],
  body: Uint8Array | null,
): void {
  res.writeHead(status, headers as string[]);
  res.end(body);
}

function isMetrics(target: string): boolean {
  return target === METRICS_PATH || target.startsWith(`${METRICS_PATH}?`);
}

function matches({ ifNoneMatch }: RequestHeaders, { tag }: KeptAnswer): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch === tag || namesTag(ifNoneMatch, tag));
}

/** Reports an answer that was just sent, once the system has all of it, or once the client has left before that. */
function observe(
  { req, res, handling, start }: Pick<HandledRequest, "req" | "res" | "handling" | "start">,
  made: Pick<SeenAnswer, "status" | "bytes"> & Partial<Pick<SeenAnswer, "route" | "wasKept">>,
  snapshot: ServedSnapshot | null,
): void {
  const { observer } = handling;
  if (observer === null) return;
  const { method, url: target, socket } = req;
  const { status, route, bytes, wasKept = false } = made;
  const ms = performance.now() - start;
  const answer = { method, target, route, ms, snapshot: snapshot?.id ?? null, wasKept };
  let isSent = false;
  const report = () => observer({ ...answer, ...(isSent ? { status, bytes } : CUT) });
  if (res.closed) {
    report();
    return;
  }
  res.once("finish", () => {
    // Node also calls an answer finished that was discarded with its connection.
    isSent = !socket.destroyed;
  });
  res.once("close", report);
}

const CUT = { status: "cut", bytes: 0 } as const;

/** Bytes of an answer's body as it is sent; none for a HEAD. */
function bytesOf({ method }: IncomingMessage, { headers }: Answer): number {
  return method === "HEAD" ? 0 : Number(headers["Content-Length"] ?? 0);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Returns a prefix that separates the representations of an address in the cache. It ends with a space, which no target
 * contains.
 */
function prefixOf({ head: { acceptEncoding }, wantsMarkdown }: HandledRequest): string {
  const coding = codingFor(acceptEncoding);
  const prefix = coding === "identity" ? "" : `${coding} `;
  return wantsMarkdown ? `markdown ${prefix}` : prefix;
}
