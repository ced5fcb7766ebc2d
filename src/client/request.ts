import type { Issue } from "./answers.js";
import { abortable, after, chance, msUntil, sleep } from "./timing.js";

/** How a client sends its requests. Every option except the address has a default. */
export interface ClientOptions {
  /** The API's absolute `http:` or `https:` address. It may have a path prefix; a trailing slash is ignored. */
  readonly baseUrl: string;
  /** Sends the requests; default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Retries after a 429, 502 or 503; default 3. Other failures are not retried. */
  readonly retries?: number | undefined;
  /** The time-out of each attempt, including the body, in milliseconds; default 30,000. `Infinity` means none. */
  readonly timeoutMs?: number | undefined;
  /**
   * The maximum wait before the first retry, in milliseconds; default 500. It doubles for each further retry, and each
   * wait is a random part of it (full jitter).
   */
  readonly backoffMs?: number | undefined;
  /**
   * The limit in milliseconds for these waits and for a `Retry-After`; default 30,000. If the API asks for a longer
   * wait, the read fails with its error, whose `retryAfterMs` is that wait.
   */
  readonly maxBackoffMs?: number | undefined;
  /**
   * The maximum number of answers to cache for revalidation by `ETag`; default 100. 0 turns the cache off: requests
   * then carry no header that needs a CORS preflight, and the browser's own cache handles them.
   */
  readonly cacheEntries?: number | undefined;
  /** The maximum size of the cached answers in bytes, at two bytes per character; default 4,000,000. */
  readonly cacheBytes?: number | undefined;
  /** Returns numbers from 0 to less than 1; default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options that every read accepts. */
export interface RequestOptions {
  /** Aborts the read immediately, even during a wait; the read then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the client's `retries`. */
  readonly retries?: number | undefined;
}

/**
 * Why a read failed:
 * - `status`: the API answered with an error; see `status` and `issues` (docs/contract.md#7-errors).
 * - `network`: no complete answer arrived; `cause` is the error from `fetch`.
 * - `timeout`: the time-out expired.
 * - `body`: there was an answer, but not one from this API.
 * - `host`: the host cannot be part of an address; nothing was sent.
 */
export type ErrorKind = "status" | "network" | "timeout" | "body" | "host";

/** The client's only error class. An aborted read rejects with its signal's reason instead, as `fetch` does. */
export class CrawldexError extends Error {
  override readonly name = "CrawldexError";
  readonly kind: ErrorKind;
  /** The requested address. */
  readonly url: string;
  /** The HTTP status; null if no answer arrived. */
  readonly status: number | null;
  /** Problems with the request, by parameter; empty if the API names none. */
  readonly issues: readonly Issue[];
  /** The wait that the API asks for before the next request, in milliseconds; null if it gives none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, details: ErrorDetails) {
    super(`${message} (${details.url})`, { cause: details.cause });
    this.kind = details.kind;
    this.url = details.url;
    this.status = details.status ?? null;
    this.issues = details.issues ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

type ErrorDetails = Pick<CrawldexError, "kind" | "url"> &
  Partial<Pick<CrawldexError, "status" | "issues" | "retryAfterMs" | "cause">>;

/** What a read asks for, besides its path. */
interface Asked extends RequestOptions {
  /** Replaces `{host}` in the path. */
  readonly host?: string;
  readonly query?: object | undefined;
  /** A key that every valid answer has. Default: `data`. */
  readonly member?: string;
  /** Is sent as JSON in a POST, whose answer is not cached. Default: a GET. */
  readonly posted?: object;
}

/**
 * Reads one address and returns the body of its 200 answer, or of the cached answer that a 304 confirms. Trusts that
 * it follows the contract; only the presence of one member is checked.
 * @throws CrawldexError, or the signal's reason
 */
export type Ask = <T>(path: string, asked?: Asked) => Promise<T>;

/** The status that asks a client to send fewer requests, for example of a proxy in front of the API. */
const TOO_MANY_REQUESTS = 429;
/** Only these statuses are temporary (docs/contract.md#7-errors); a retry of any other gives the same answer. */
const RETRIED = [TOO_MANY_REQUESTS, 502, 503];

/** Makes the function that sends a client's requests. @throws TypeError if `baseUrl` is not valid */
export function askOf(options: ClientOptions): Ask {
  const base = baseOf(options.baseUrl);
  const { backoffMs = 500, maxBackoffMs = 30_000, random = chance } = options;
  const cache = new EtagCache(options.cacheEntries ?? 100, options.cacheBytes ?? 4_000_000);
  return async <T>(path: string, asked: Asked = {}) => {
    const retries = asked.retries ?? options.retries ?? 3;
    const url = addressOf(base, path, asked);
    for (let attempt = 0; ; attempt += 1) {
      const answer = await attemptOf(options, cache, url, asked);
      if (!(answer instanceof CrawldexError)) return answer as T;
      const { status, retryAfterMs } = answer;
      const isRetried = attempt < retries && RETRIED.includes(status ?? 0);
      if (!isRetried || (retryAfterMs ?? 0) > maxBackoffMs) throw answer;
      const bound = Math.min(maxBackoffMs, backoffMs * 2 ** attempt);
      await sleep((retryAfterMs ?? 0) + random() * bound, asked.signal);
    }
  };
}

/** Sends one request and keeps its answer, if it has an ETag. Returns the body, or the error for a status. */
async function attemptOf(
  options: ClientOptions,
  cache: EtagCache,
  url: string,
  asked: Asked,
): Promise<object> {
  const { member = "data", posted } = asked;
  // This reference stays valid even if the cache evicts the answer during the request.
  const cached = posted === undefined ? cache.get(url) : undefined;
  const { status, headers, text } = await exchange(options, url, asked, cached?.etag);
  if (status === 304 && cached !== undefined) return objectOf(cached.text);
  const body = objectOf(text);
  if (status !== 200) {
    // Other statuses below 500 say that the cached answer is no longer available; a 429 and a 5xx say nothing about it.
    if (status < 500 && status !== TOO_MANY_REQUESTS) cache.delete(url);
    return statusError(url, status, body, headers.get("retry-after"));
  }
  if (!(member in body)) {
    throw new CrawldexError("The answer does not come from this API", {
      kind: "body",
      url,
      status,
    });
  }
  const etag = headers.get("etag");
  if (etag === null || posted !== undefined) cache.delete(url);
  else cache.set(url, { etag, text });
  return body;
}

/** The base address without a trailing slash. @throws TypeError if paths cannot be appended to it */
function baseOf(baseUrl: string): string {
  const { origin, pathname, href } = new URL(baseUrl);
  if (href.startsWith("http") && href === origin + pathname) return href.replace(/\/$/, "");
  throw new TypeError("baseUrl must be an http or https address without a user, query or fragment");
}

/** URL parsers remove dot segments, even encoded ones. A lone surrogate has no encoding. */
const NO_SEGMENT = /^\.{0,2}$|\p{Surrogate}/u;

/** An address below the base. @throws CrawldexError if the host would lead to a different address */
function addressOf(base: string, path: string, { host = "", query = {} }: Asked): string {
  const segment = () => {
    if (!NO_SEGMENT.test(host)) return encodeURIComponent(host);
    throw new CrawldexError("The host cannot be part of an address", {
      kind: "host",
      url: base,
      issues: [{ path: "host", message: "must be a canonical host" }],
    });
  };
  const search = searchOf(query);
  return `${base}${path.replace("{host}", segment)}${search && "?"}${search}`;
}

/** Sorts parameters by name, so that the same filters always give the same address; omits undefined values. */
export function searchOf(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) {
      if (item !== undefined) parameters.append(name, String(item));
    }
  }
  parameters.sort();
  return parameters.toString();
}

interface Received extends Pick<Response, "status" | "headers"> {
  readonly text: string;
}

/** Sends one request and reads its body. The time-out counts even if `fetch` ignores its signal. */
function exchange(
  options: ClientOptions,
  url: string,
  { posted, signal, timeoutMs = options.timeoutMs ?? 30_000 }: Asked,
  etag: string | undefined,
): Promise<Received> {
  // Called as a plain function, because a browser's `fetch` rejects any `this` other than the global object.
  const send = options.fetch ?? fetch;
  const sent = {
    method: posted === undefined ? "GET" : "POST",
    headers: {
      Accept: "application/json",
      ...(etag !== undefined && { "If-None-Match": etag }),
      ...(posted !== undefined && { "Content-Type": "application/json" }),
    },
    body: posted === undefined ? null : JSON.stringify(posted),
  };
  const receive = async (ended: AbortSignal): Promise<Received> => {
    const response = await send(url, { ...sent, signal: ended });
    const { status, headers } = response;
    const text = response.text();
    // For an error, the status is enough if the body breaks off.
    return { status, headers, text: await (status === 200 ? text : text.catch(() => "")) };
  };
  return abortable(signal, (resolve, reject) => {
    const fail = (kind: ErrorKind, message: string, cause?: unknown) =>
      reject(new CrawldexError(message, { kind, url, cause }));
    const ended = new AbortController();
    receive(ended.signal).then(resolve, (cause) => fail("network", "No answer arrived", cause));
    const stopTimer = after(timeoutMs, () => fail("timeout", "No answer arrived in time"));
    return () => {
      stopTimer();
      ended.abort();
    };
  });
}

/** The error for an answer other than 200 or 304. It takes the message and issues from the body if they are there. */
function statusError(url: string, status: number, body: JsonObject, retryAfter: string | null) {
  const { error, issues } = body;
  const message = typeof error === "string" ? error : "The answer is an error.";
  return new CrawldexError(`${status}: ${message}`, {
    kind: "status",
    url,
    status,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    retryAfterMs: msOf(retryAfter),
  });
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = Object(value);
  return typeof path === "string" && typeof message === "string";
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The object of a JSON text; one without members if the text is not JSON, or null. */
function objectOf(text: string): JsonObject {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Milliseconds of a `Retry-After`, given in seconds or as an HTTP date (RFC 9110, 10.2.3); null if it is neither. */
function msOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const ms = retryAfter.endsWith(" GMT") ? msUntil(retryAfter) : Number.NaN;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** An answer that can be revalidated with its `ETag`. */
interface CachedAnswer {
  readonly etag: string;
  /** The unparsed body. Each read parses it again, so that callers never share objects. */
  readonly text: string;
}

/**
 * The answers that were used last, in this order, as many as two limits allow. An answer that is larger than all of it
 * is not stored.
 */
export class EtagCache extends Map<string, CachedAnswer> {
  readonly #maxEntries: number;
  readonly #maxBytes: number;

  constructor(maxEntries: number, maxBytes: number) {
    super();
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  override get(url: string): CachedAnswer | undefined {
    const answer = super.get(url);
    if (answer !== undefined && this.delete(url)) super.set(url, answer);
    return answer;
  }

  override set(url: string, answer: CachedAnswer): this {
    this.delete(url);
    if (bytesOf(url, answer) > this.#maxBytes) return this;
    super.set(url, answer);
    let bytes = 0;
    for (const entry of this) bytes += bytesOf(...entry);
    for (const entry of this) {
      if (this.size <= this.#maxEntries && bytes <= this.#maxBytes) break;
      this.delete(entry[0]);
      bytes -= bytesOf(...entry);
    }
    return this;
  }
}

/** Engines store a character in one or two bytes; counting two never underestimates. */
function bytesOf(url: string, { etag, text }: CachedAnswer): number {
  return (url.length + etag.length + text.length) * 2;
}
