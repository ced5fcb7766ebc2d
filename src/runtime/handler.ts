import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { CACHE_CONTROL } from "../contract/routes.js";
import { BadSnapshotError } from "../store/reader.js";
import { type Answer, answer, type RequestFacts } from "./answer.js";
import type { KeptAnswer } from "./answer-cache.js";
import type { Connections } from "./connections.js";
import { headOf, type RequestHead } from "./head.js";
import type { SnapshotHolder } from "./holder.js";
import { type Counted, METRICS_PATH, metricsText } from "./metrics.js";
import type { Observer } from "./observer.js";
import { refusalOf } from "./refusals.js";
import type { Log } from "./reload.js";
import { codingFor, namesTag } from "./representation.js";
import type { LoadedSnapshot } from "./snapshot.js";

export interface Handling {
  readonly holder: SnapshotHolder;
  readonly connections: Connections;
  readonly log: Log;
  readonly observer: Observer | null;
  /** What all processes have counted; null where `/metrics` is not there. */
  readonly metrics: (() => Promise<readonly Counted[]>) | null;
  /** Every further answer ends its connection. */
  closing: boolean;
}

/** Different damages that are logged of one snapshot; a store that is gone would fill the log otherwise. */
const DAMAGES_LOGGED = 1_000;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Answers a request: at once where the answer is kept, else as `answer` has it. */
export function handle(req: IncomingMessage, res: ServerResponse, handling: Handling): void {
  const start = handling.observer === null ? 0 : performance.now();
  const { holder, connections, closing } = handling;
  const head = headOf(req);
  const refusal = refusalOf(req, head);
  if (refusal !== null || closing) res.setHeader("Connection", "close");
  if (refusal !== null) {
    connections.track(req.socket, res, () => {});
    send(req, res, refusal, null);
    observe(handling, req, refusal, start);
    return;
  }
  const snapshot = holder.current;
  const key = keyOf(req, head);
  const kept = isRead(req) ? snapshot?.kept.get(key) : undefined;
  const has = kept !== undefined && hasAlready(head, kept);
  if (kept === undefined || (kept.body === null && !has)) {
    void answerAfresh(req, res, { ...handling, head, key, start });
    return;
  }
  connections.note(req.socket, res);
  sendKept(req, res, kept, has);
  observeKept(handling, req, kept, has, start);
}

interface Fresh extends Handling {
  readonly head: RequestHead;
  readonly key: string;
  readonly start: number;
}

async function answerAfresh(
  req: IncomingMessage,
  res: ServerResponse,
  fresh: Fresh,
): Promise<void> {
  const { holder, connections, log, head, key, start } = fresh;
  const snapshot = holder.current?.retain() ?? null;
  connections.track(req.socket, res, () => snapshot?.release());
  const facts = {
    method: req.method ?? "GET",
    target: req.url ?? "",
    acceptEncoding: head.acceptEncoding,
    ifNoneMatch: head.ifNoneMatch,
  };
  const onDamage = (error: Error) =>
    logOnce(log, snapshot, `answered 502: ${descriptionOf(error)}`);
  const made =
    (await metricsAnswer(fresh, facts)) ?? (await answer(facts, { snapshot, compress, onDamage }));
  send(req, res, made, snapshot);
  observe(fresh, req, made, start);
  if (snapshot !== null) keep(snapshot, key, made);
}

/** The answer to `/metrics`; null where it is something else that is asked for. */
async function metricsAnswer(
  { metrics }: Handling,
  { method, target }: RequestFacts,
): Promise<Answer | null> {
  const isAsked = target === METRICS_PATH || target.startsWith(`${METRICS_PATH}?`);
  if (metrics === null || !isAsked || (method !== "GET" && method !== "HEAD")) return null;
  const body = Buffer.from(metricsText(await metrics()));
  const headers = {
    "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    "Content-Length": String(body.length),
    "Cache-Control": CACHE_CONTROL.error,
  };
  return { status: 200, headers, body: method === "HEAD" ? null : body };
}

/** Puts an answer on the wire; a public document's body comes from its file. */
export function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body, document }: Answer,
  snapshot: LoadedSnapshot | null,
): void {
  if (document !== undefined && req.method === "GET") {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    snapshot?.documents.send(req, res, document);
    return;
  }
  res.writeHead(status, headers);
  res.end(body);
}

function hasAlready({ ifNoneMatch }: RequestHead, { tag }: KeptAnswer): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch === tag || namesTag(ifNoneMatch, tag));
}

function sendKept(
  { method }: IncomingMessage,
  res: ServerResponse,
  { headers, unchanged, body }: KeptAnswer,
  has: boolean,
): void {
  res.writeHead(has ? 304 : 200, (has ? unchanged : headers) as string[]);
  res.end(has || method === "HEAD" ? null : body);
}

function observeKept(
  { observer }: Handling,
  req: IncomingMessage,
  { route, body }: KeptAnswer,
  has: boolean,
  start: number,
): void {
  if (observer === null) return;
  const bytes = has || req.method === "HEAD" ? 0 : (body?.length ?? 0);
  observer({
    req,
    status: has ? 304 : 200,
    route,
    bytes,
    ms: performance.now() - start,
    wasKept: true,
  });
}

function observe(
  { observer }: Handling,
  req: IncomingMessage,
  { status, route, headers, body }: Answer,
  start: number,
): void {
  if (observer === null) return;
  const ms = performance.now() - start;
  const bytes = body === null && status !== 200 ? 0 : Number(headers["Content-Length"] ?? 0);
  observer({ req, status, route, bytes: req.method === "HEAD" ? 0 : bytes, ms, wasKept: false });
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Names a representation of an address: no target has a space. */
function keyOf({ url = "" }: IncomingMessage, { acceptEncoding }: RequestHead): string {
  const coding = codingFor(acceptEncoding);
  return coding === "identity" ? url : `${coding} ${url}`;
}

/** Keeps what was answered with a 200 or a 304, but for public documents, which have files of their own. */
function keep({ kept }: LoadedSnapshot, key: string, made: Answer): void {
  const { status, headers, body, route } = made;
  const isKnown = status === 304 || (status === 200 && body !== null);
  if (!isKnown || route === undefined || !kept.wants(key, body?.length ?? 0)) return;
  const entries = Object.entries(headers);
  kept.put(key, {
    tag: headers.ETag ?? "",
    route,
    headers: entries.flat(),
    unchanged: entries.filter(([name]) => !name.startsWith("Content-")).flat(),
    // What a larger buffer is cut into would hold all of that.
    body: body === null || body.buffer.byteLength === body.length ? body : Uint8Array.from(body),
  });
}

async function compress(bytes: Uint8Array, coding: "br" | "gzip"): Promise<Uint8Array> {
  if (coding === "gzip") return gzipAsync(bytes);
  return brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

/** A damaged file is asked for again and again, and is worth a line once a loaded snapshot. */
function logOnce(log: Log, snapshot: LoadedSnapshot | null, message: string): void {
  const said = snapshot?.damages;
  if (said === undefined || said.has(message) || said.size >= DAMAGES_LOGGED) return;
  said.add(message);
  log(message, "trouble");
}

/** A stored file's damage says all by its message; anything else is a mistake of ours, to be found. */
function descriptionOf(error: Error): string {
  return error instanceof BadSnapshotError ? error.message : String(error.stack);
}
