import { CrawldexError, parsed, statusError } from "./error.js";
import { chance, now, sleep, withTimeout } from "./timing.js";

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

/** The status that asks a client to send fewer requests, for example of a proxy in front of the API. */
const TOO_MANY_REQUESTS = 429;
/** Only these statuses are temporary (docs/contract.md#7-errors); a retry of any other gives the same answer. */
const RETRIED = [TOO_MANY_REQUESTS, 502, 503];

/** The options with defaults filled in. */
export type Settings = ReturnType<typeof settingsOf>;

export function settingsOf(options: ClientOptions) {
  return {
    // Called as a plain function, because a browser's `fetch` rejects any `this` other than the global object.
    send: options.fetch ?? ((input: string, init: RequestInit) => fetch(input, init)),
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    backoffMs: options.backoffMs ?? 500,
    maxBackoffMs: options.maxBackoffMs ?? 30_000,
    cache: new EtagCache(options.cacheEntries ?? 100, options.cacheBytes ?? 4_000_000),
    random: options.random ?? chance,
  };
}

/**
 * Reads one address and returns the body of its 200 answer, or of the cached answer that a 304 confirms.
 * @param member a key that every valid body of this address has
 * @param posted is sent as JSON in a POST, whose answer is not cached. Default: a GET
 * @throws CrawldexError, or the signal's reason
 */
export async function readBody(
  settings: Settings,
  url: string,
  member: string,
  options: RequestOptions,
  posted?: object,
): Promise<object> {
  const { backoffMs, maxBackoffMs, random } = settings;
  const retries = options.retries ?? settings.retries;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOf(settings, url, member, options, posted);
    } catch (error) {
      if (attempt >= retries || !isRetried(error)) throw error;
      const asked = error.retryAfterMs ?? 0;
      if (asked > maxBackoffMs) throw error;
      const bound = Math.min(maxBackoffMs, backoffMs * 2 ** attempt);
      await sleep(asked + random() * bound, options.signal);
    }
  }
}

function isRetried(error: unknown): error is CrawldexError {
  return error instanceof CrawldexError && RETRIED.includes(error.status ?? 0);
}

function checkedBody(url: string, member: string, text: string): object {
  const body = parsed(text);
  if (typeof body === "object" && body !== null && member in body) return body;
  throw new CrawldexError("The answer does not come from this API", {
    kind: "body",
    url,
    status: 200,
  });
}

/** Sends one request, without retries. */
async function attemptOf(
  settings: Settings,
  url: string,
  member: string,
  options: RequestOptions,
  posted: object | undefined,
): Promise<object> {
  const { cache } = settings;
  // This reference stays valid even if the cache evicts the answer during the request.
  const cached = posted === undefined ? cache.get(url) : undefined;
  const sent: Parameters<typeof exchange>[2] =
    posted === undefined
      ? { headers: cached === undefined ? {} : { "If-None-Match": cached.etag } }
      : {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(posted),
        };
  const { response, text } = await exchange(settings, url, sent, options);
  const { status, headers } = response;
  if (status === 304 && cached !== undefined) return checkedBody(url, member, cached.text);
  if (status !== 200) {
    // Other statuses below 500 say that the cached answer is no longer available; a 429 and a 5xx say nothing about it.
    if (status < 500 && status !== TOO_MANY_REQUESTS) cache.delete(url);
    throw statusError(url, status, text, retryAfterMs(headers.get("retry-after")));
  }
  const body = checkedBody(url, member, text);
  const etag = headers.get("etag");
  if (etag === null || posted !== undefined) cache.delete(url);
  else cache.set(url, { etag, text });
  return body;
}

async function exchange(
  { send, timeoutMs }: Settings,
  url: string,
  sent: RequestInit & { readonly headers: Readonly<Record<string, string>> },
  options: RequestOptions,
): Promise<{ readonly response: Response; readonly text: string }> {
  const headers = { Accept: "application/json", ...sent.headers };
  const task = async (signal: AbortSignal) => {
    try {
      const response = await send(url, { ...sent, headers, signal });
      const text = response.text();
      // For an error, the status is enough if the body breaks off.
      return { response, text: await (response.status === 200 ? text : text.catch(() => "")) };
    } catch (cause) {
      throw new CrawldexError("No answer arrived", { kind: "network", url, cause });
    }
  };
  const late = () => new CrawldexError("No answer arrived in time", { kind: "timeout", url });
  return withTimeout(options.signal, options.timeoutMs ?? timeoutMs, task, late);
}

/** Milliseconds of a `Retry-After`, given in seconds or as an HTTP date (RFC 9110, 10.2.3); null if it is neither. */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const instant = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, instant - now());
}

/** An answer that can be revalidated with its `ETag`. */
interface CachedAnswer {
  readonly etag: string;
  /** The unparsed body. Each read parses it again, so that callers never share objects. */
  readonly text: string;
}

/** Engines store a character in one or two bytes; counting two never underestimates. */
const BYTES_PER_CHARACTER = 2;

/**
 * A cache of a number of answers and of bytes in total. It evicts the least recently used answers first, and does not
 * store an answer that is larger than all of it.
 */
export class EtagCache {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** A Map iterates its keys in insertion order, so the first key is the least recently used. */
  readonly #entries = new Map<string, CachedAnswer>();
  #bytes = 0;

  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Returns the cached answer for an address and marks it as the most recently used. */
  get(url: string): CachedAnswer | undefined {
    const answer = this.delete(url);
    if (answer !== undefined) this.set(url, answer);
    return answer;
  }

  set(url: string, answer: CachedAnswer): void {
    this.delete(url);
    const bytes = entryBytes(url, answer);
    if (this.#maxEntries < 1 || bytes > this.#maxBytes) return;
    this.#entries.set(url, answer);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(url: string): CachedAnswer | undefined {
    const answer = this.#entries.get(url);
    if (answer === undefined) return undefined;
    this.#entries.delete(url);
    this.#bytes -= entryBytes(url, answer);
    return answer;
  }
}

function entryBytes(url: string, { etag, text }: CachedAnswer): number {
  return (url.length + etag.length + text.length) * BYTES_PER_CHARACTER;
}
