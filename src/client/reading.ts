import { type AnswerCache, answerCache } from "./cache.js";
import { chance, now } from "./environment.js";
import { CrawldexError, parsed, statusError } from "./error.js";
import { sleep, within } from "./waiting.js";

/** How a client sends its requests. Everything has a default but the address. */
export interface ClientOptions {
  /** Where the API is, an absolute `http:` or `https:` address; a path prefix is kept, a slash at its end is not. */
  readonly baseUrl: string;
  /** Sends the requests; default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Further attempts after a 502 or 503; default 3. Nothing else is tried again. */
  readonly retries?: number | undefined;
  /** Milliseconds of each attempt, its body included; default 30,000. `Infinity`: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /**
   * Before the first further attempt at most so many milliseconds are waited, then twice as many, and so on;
   * how many of them, chance decides (full jitter). Default 500.
   */
  readonly backoffMs?: number | undefined;
  /**
   * The longest of these waits, and the longest `Retry-After` that is waited for; default 30,000. Where the API
   * asks for more, the read ends with its error, whose `retryAfterMs` says how much.
   */
  readonly maxBackoffMs?: number | undefined;
  /**
   * Answers kept to be asked for again by their `ETag`; default 100. 0 keeps none: the requests then carry no
   * header that a browser would ask another origin's leave for, and its own cache sees to them.
   */
  readonly cacheEntries?: number | undefined;
  /** Bytes of these answers, two for each character; default 4,000,000. */
  readonly cacheBytes?: number | undefined;
  /** Gives numbers from 0 to less than 1, as `Math.random` does, which is the default. */
  readonly random?: (() => number) | undefined;
}

/** What every read takes. */
export interface RequestOptions {
  /** Ends the read at once, also while it waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the client's. */
  readonly retries?: number | undefined;
}

/** The options with their defaults. */
export interface Settings {
  readonly send: typeof globalThis.fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  readonly cache: AnswerCache;
  readonly random: () => number;
}

/** Both are temporary (contract section 7); all else would be the same again. */
const RETRIED = [502, 503];

export function settingsOf(options: ClientOptions): Settings {
  return {
    // The global is called as a function of its own: a browser's `fetch` refuses any other `this`.
    send: options.fetch ?? ((input, init) => fetch(input, init)),
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    backoffMs: options.backoffMs ?? 500,
    maxBackoffMs: options.maxBackoffMs ?? 30_000,
    cache: answerCache(options.cacheEntries ?? 100, options.cacheBytes ?? 4_000_000),
    random: options.random ?? chance,
  };
}

/**
 * Reads one address and gives the body of its 200, or of the 200 that a 304 confirms.
 * `member` is what the body of this address has in any case. Throws CrawldexError, or the signal's reason.
 */
export async function read(
  settings: Settings,
  url: string,
  member: string,
  options: RequestOptions,
): Promise<object> {
  const { backoffMs, maxBackoffMs, random } = settings;
  const retries = options.retries ?? settings.retries;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOf(settings, url, member, options);
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

function bodyOf(url: string, member: string, text: string): object {
  const body = parsed(text);
  if (typeof body === "object" && body !== null && member in body) return body;
  throw new CrawldexError("The answer is not one of this API", { kind: "body", url, status: 200 });
}

/** One attempt. */
async function attemptOf(
  settings: Settings,
  url: string,
  member: string,
  options: RequestOptions,
): Promise<object> {
  const { cache } = settings;
  // Held until the answer is there: the cache may let go of it in the meantime.
  const kept = cache.get(url);
  const { response, text } = await exchange(settings, url, kept?.etag, options);
  const { status, headers } = response;
  if (status === 304 && kept !== undefined) return bodyOf(url, member, kept.text);
  if (status !== 200) {
    // What is gone, or not to be had any more, is not to be kept either; a failure says nothing of that.
    if (status < 500) cache.delete(url);
    throw statusError(url, status, text, retryAfterMs(headers.get("retry-after")));
  }
  const body = bodyOf(url, member, text);
  const etag = headers.get("etag");
  if (etag === null) cache.delete(url);
  else cache.set(url, { etag, text });
  return body;
}

async function exchange(
  { send, timeoutMs }: Settings,
  url: string,
  etag: string | undefined,
  options: RequestOptions,
): Promise<{ readonly response: Response; readonly text: string }> {
  const headers = {
    Accept: "application/json",
    ...(etag === undefined ? {} : { "If-None-Match": etag }),
  };
  const task = async (signal: AbortSignal) => {
    try {
      const response = await send(url, { headers, signal });
      const text = response.text();
      // The status of an error tells enough, should its body break off.
      return { response, text: await (response.status === 200 ? text : text.catch(() => "")) };
    } catch (cause) {
      throw new CrawldexError("No answer came", { kind: "network", url, cause });
    }
  };
  const late = () => new CrawldexError("No answer came in time", { kind: "timeout", url });
  return within(options.signal, options.timeoutMs ?? timeoutMs, task, late);
}

/** Milliseconds of a `Retry-After`, in seconds or as an HTTP date (RFC 9110, 10.2.3); null where it is neither. */
function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const instant = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, instant - now());
}
