import type { IncomingMessage, ServerResponse } from "node:http";
import { ERROR_TEXTS } from "../contract/error.js";
import { isBrowsers, prefersMarkdown } from "../pages/routes.js";
import { BadSnapshotError, unreadable } from "../store/bad-snapshot.js";
import { type Answer, answer } from "./answer.js";
import type { KeptAnswer } from "./answer-cache.js";
import { compress } from "./compression.js";
import type { Connections } from "./connections.js";
import { failureAnswer } from "./error-answers.js";
import { headOf, type RequestHead } from "./head.js";
import type { SnapshotHolder } from "./holder.js";
import type { Gathered } from "./metrics.js";
import { metricsAnswer } from "./metrics-text.js";
import type { Observer, SeenAnswer } from "./observer.js";
import type { Outbox } from "./outbox.js";
import { refusalOf } from "./refusals.js";
import type { Log } from "./reload.js";
import { codingFor, namesTag } from "./representation.js";
import type { LoadedSnapshot } from "./snapshot.js";

export interface Handling {
  readonly holder: SnapshotHolder;
  readonly connections: Connections;
  readonly outbox: Outbox;
  readonly log: Log;
  readonly observer: Observer | null;
  /** What all processes have counted; null where `/metrics` is not there. It does not fail. */
  readonly metrics: (() => Promise<Gathered>) | null;
  /** Every further answer ends its connection. */
  closing: boolean;
}

const METRICS_PATH = "/metrics";
/** Different damages that are logged of one snapshot; a store that is gone would fill the log otherwise. */
const DAMAGES_LOGGED = 1_000;

/** Answers a request: at once where the answer is kept, else as `answer` has it. */
export function handle(
  req: IncomingMessage,
  res: ServerResponse,
  handling: Handling,
  start = handling.observer === null ? 0 : performance.now(),
): void {
  const { holder, connections, closing } = handling;
  if (connections.isRefused(req.socket)) return;
  if (holder.isPaused) {
    // The connection of one that has gone meanwhile would never tell that it is gone.
    holder.whenGoingOn(() => {
      if (!req.socket.destroyed) handle(req, res, handling, start);
    });
    return;
  }
  const head = headOf(req);
  const refusal = refusalOf(req, head);
  // Where a body ends is what requests are smuggled by: nothing is read behind one.
  if (closing || head.hasBody) res.setHeader("Connection", "close");
  if (refusal !== null) {
    refuse(req, res, handling, refusal);
    return;
  }
  const snapshot = holder.current;
  const wantsMarkdown = isMarkdownAsked(req, head);
  const key = keyOf(req, head, wantsMarkdown);
  const kept = isRead(req) ? snapshot?.kept.get(key) : undefined;
  const has = kept !== undefined && hasAlready(head, kept);
  if (kept === undefined || (kept.body === null && !has)) {
    answerAfresh(req, res, { handling, head, wantsMarkdown, key, start });
    return;
  }
  connections.note(req.socket, res);
  const status = has ? 304 : 200;
  const body = has || req.method === "HEAD" ? null : kept.body;
  handling.outbox.send(res, status, has ? kept.unchanged : kept.headers, body);
  const made = { status, route: kept.route, bytes: body?.length ?? 0, wasKept: true };
  observe(handling, req, made, snapshot, start);
}

/** Answers a request that is not to be judged further, and ends its connection. */
export function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  handling: Handling,
  refusal: Answer,
): void {
  res.setHeader("Connection", "close");
  void handling.connections.track(req.socket, res, () => {});
  handling.outbox.send(res, refusal.status, refusal.headers, refusal.body);
  const made = { ...refusal, bytes: bytesOf(req, refusal) };
  observe(handling, req, made, null, performance.now());
}

interface Fresh {
  readonly handling: Handling;
  readonly head: RequestHead;
  readonly wantsMarkdown: boolean;
  readonly key: string;
  readonly start: number;
}

/** Answers at once where nothing has to be waited for: neither the connection's turn nor a file. */
function answerAfresh(req: IncomingMessage, res: ServerResponse, fresh: Fresh): void {
  const { connections, holder, closing } = fresh.handling;
  // Where a body follows, what is wrong with it is found before the answer is out, and ends the connection.
  if (closing || fresh.head.hasBody || connections.isAnswering(req.socket)) {
    void answerInTurn(req, res, fresh);
    return;
  }
  const snapshot = holder.current;
  const made = make(req, fresh, snapshot);
  if (made instanceof Promise) {
    connections.track(req.socket, res, () => snapshot?.release());
    snapshot?.retain();
    void made.then((answer) => finish(req, res, fresh, answer, snapshot));
    return;
  }
  connections.note(req.socket, res);
  finish(req, res, fresh, made, snapshot);
}

/** Answers when all before it on its connection are out: a client that does not read is held one answer. */
async function answerInTurn(
  req: IncomingMessage,
  res: ServerResponse,
  fresh: Fresh,
): Promise<void> {
  const { connections, holder } = fresh.handling;
  let snapshot: LoadedSnapshot | null = null;
  await connections.track(req.socket, res, () => snapshot?.release());
  if (req.socket.destroyed) return;
  snapshot = holder.current?.retain() ?? null;
  finish(req, res, fresh, await make(req, fresh, snapshot), snapshot);
}

function make(
  { method = "", url: target = "" }: IncomingMessage,
  { handling, head, wantsMarkdown }: Fresh,
  snapshot: LoadedSnapshot | null,
): Answer | Promise<Answer> {
  const { log, metrics } = handling;
  const facts = {
    // What a HEAD was answered with is kept for the GET that follows; node sends no body to it.
    method: method === "HEAD" ? "GET" : method,
    target,
    acceptEncoding: head.acceptEncoding,
    ifNoneMatch: head.ifNoneMatch,
    wantsMarkdown,
    isForPerson: head.accept !== undefined && isBrowsers(head.accept),
  };
  if (metrics !== null && isMetrics(target)) {
    return metrics().then((gathered) => metricsAnswer(facts.method, gathered));
  }
  const onDamage = (error: Error) =>
    logOnce(log, snapshot, `answered 502: ${descriptionOf(error)}`);
  return answer(facts, { snapshot, compress, onDamage });
}

function finish(
  req: IncomingMessage,
  res: ServerResponse,
  { handling, key, start }: Fresh,
  made: Answer,
  snapshot: LoadedSnapshot | null,
): void {
  if (handling.closing) res.setHeader("Connection", "close");
  const sent = (answer: Answer) =>
    observe(handling, req, { ...answer, bytes: bytesOf(req, answer) }, snapshot, start);
  if (snapshot !== null && made.document !== undefined && req.method === "GET") {
    void sendDocument(req, res, handling, made, snapshot).then(sent);
  } else {
    handling.outbox.send(res, made.status, made.headers, made.body);
    sent(made);
  }
  if (snapshot?.kept.offer(key, made)) void keepDocument(snapshot, key, made);
}

/**
 * Keeps a public document with its bytes, which are read once however many ask meanwhile; one that cannot be read stays
 * with its file, where that is found and told.
 */
async function keepDocument(
  snapshot: LoadedSnapshot,
  key: string,
  { document = "", ...made }: Answer,
): Promise<void> {
  if (snapshot.keeping.has(key)) return;
  snapshot.keeping.add(key);
  const body = await snapshot.readDocument(document).catch(() => null);
  snapshot.keeping.delete(key);
  if (body !== null) snapshot.kept.offer(key, { ...made, body });
}

function isMetrics(target: string): boolean {
  return target === METRICS_PATH || target.startsWith(`${METRICS_PATH}?`);
}

/** Sends a public document from its file. @returns what was sent: a 502 if the file is gone by now */
async function sendDocument(
  req: IncomingMessage,
  res: ServerResponse,
  { outbox, log }: Handling,
  made: Answer,
  snapshot: LoadedSnapshot,
): Promise<Answer> {
  const { document = "", headers } = made;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  try {
    await snapshot.documents.send(req, res, document);
    return made;
  } catch (error) {
    logOnce(log, snapshot, `answered 502: ${unreadable(document, error).message}`);
    for (const name of Object.keys(headers)) res.removeHeader(name);
    const failed = failureAnswer({ status: 502, error: ERROR_TEXTS.damaged });
    outbox.send(res, failed.status, failed.headers, failed.body);
    return { ...made, ...failed };
  }
}

function hasAlready({ ifNoneMatch }: RequestHead, { tag }: KeptAnswer): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch === tag || namesTag(ifNoneMatch, tag));
}

function observe(
  { observer }: Handling,
  { method, url: target }: IncomingMessage,
  made: Pick<SeenAnswer, "status" | "bytes"> & Partial<Pick<SeenAnswer, "route" | "wasKept">>,
  snapshot: LoadedSnapshot | null,
  start: number,
): void {
  if (observer === null) return;
  const { status, route, bytes, wasKept = false } = made;
  const ms = performance.now() - start;
  observer({ method, target, status, route, bytes, ms, snapshot: snapshot?.id ?? null, wasKept });
}

/** Bytes of an answer's body as it is sent; a public document's is in its file. */
function bytesOf({ method }: IncomingMessage, { headers }: Answer): number {
  return method === "HEAD" ? 0 : Number(headers["Content-Length"] ?? 0);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Names a representation of an address: no target has a space. */
function keyOf(
  { url = "" }: IncomingMessage,
  { acceptEncoding }: RequestHead,
  isMarkdown: boolean,
): string {
  const coding = codingFor(acceptEncoding);
  const key = coding === "identity" ? url : `${coding} ${url}`;
  return isMarkdown ? `markdown ${key}` : key;
}

/** Whether a page is asked for as Markdown; other addresses have one type. */
function isMarkdownAsked({ url = "" }: IncomingMessage, { accept }: RequestHead): boolean {
  return accept !== undefined && url.startsWith("/sites/") && prefersMarkdown(accept);
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
