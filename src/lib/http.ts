/*
 * The one client of HTTP, for every platform: it uses only web standards. Its callers limit time, bytes and redirects.
 * Errors carry no cause: the system's errors may hold headers, and headers hold credentials.
 */

/** A failure that another try may not meet: a cut connection, an overloaded server. */
export class PassingFailure extends Error {}

/** A reply exceeds a limit. */
export class ReplyLimitError extends Error {}

/** What the platform's `fetch` gets. */
interface SentRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: "manual" | "follow";
  readonly signal: AbortSignal;
  readonly cache?: "no-cache";
}

export interface HttpRequest {
  /** The target, as messages name it. */
  readonly name: string;
  readonly url: URL;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The body, which calls `onByte` whenever a part of it is sent. The headers state its length. */
  readonly body?: ((onByte: () => void) => ReadableStream<Uint8Array>) | undefined;
  /** Makes a browser ask the server, whatever its cache has. */
  readonly cache?: "no-cache" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The request fails if no byte moves for so many milliseconds. Default: it may take any time. */
  readonly idleMs?: number;
  /**
   * Called with the address to which a reply redirects, or null if that is not an address. It throws if the redirect
   * must not be followed. Default: a redirect is a reply like any other.
   */
  readonly onRedirect?: (to: URL | null) => void;
  /** Default: the platform's `fetch`. */
  readonly fetch?: ((url: string, request: SentRequest) => Promise<Response>) | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;
/** Bytes of a body that nobody needs which are read, so that the connection can be used again. Most have less. */
const DISCARDED_MAX = 64 * 1024;
/** The reason with which a connection ends on which no byte moves. */
const IDLE = Symbol("idle");

/** Waits for a step of the connection. @throws PassingFailure if it fails; the signal's reason */
type Wait = <T>(step: Promise<T>) => Promise<T>;

/**
 * Sends a request and hands the reply to `use`. If `use` leaves a part of the body unread, the connection is closed.
 * @throws PassingFailure if the connection fails; ReplyLimitError for too many redirects; the signal's reason
 */
export async function withReply<T>(
  request: HttpRequest,
  use: (reply: Reply) => Promise<T>,
): Promise<T> {
  const { name, signal, idleMs } = request;
  signal?.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort(signal?.reason);
  signal?.addEventListener("abort", end);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onByte = () => {
    clearTimeout(timer);
    if (idleMs !== undefined) timer = setTimeout(() => ended.abort(IDLE), idleMs);
  };
  const wait: Wait = async (step) => {
    onByte();
    try {
      return await step;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const isIdle = idleMs !== undefined && ended.signal.reason === IDLE;
      const problem = isIdle
        ? `no byte has moved for ${idleMs / 1_000} seconds`
        : connectionProblem(error);
      throw new PassingFailure(`${name}: ${problem}`);
    }
  };
  try {
    const send: Send = (url, redirect) => wait(sent(request, url, redirect, ended.signal, onByte));
    return await use(new Reply(name, await followed(request, send), wait));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    end();
  }
}

/** Sends the request to an address, and tells the platform what to do with a redirect. */
type Send = (url: URL, redirect: "manual" | "follow") => Promise<Response>;

/** Sends a request, again for each redirect. @returns the first response that is none */
async function followed({ name, url, onRedirect }: HttpRequest, send: Send): Promise<Response> {
  let from = url;
  for (let hops = 0; ; hops += 1) {
    let response = await send(from, "manual");
    if (onRedirect === undefined) return response;
    if (response.type === "opaqueredirect") {
      // Browsers hide where a redirect leads. They follow it themselves, or not at all.
      onRedirect(from);
      response = await send(from, "follow");
      onRedirect(new URL(response.url));
    }
    const location = response.headers.get("location");
    if (location === null || !REDIRECTS.includes(response.status)) return response;
    if (hops === REDIRECTS_MAX) {
      throw new ReplyLimitError(`${name} redirects more than ${hops} times, the limit`);
    }
    if (response.body !== null) await readStart(response.body, DISCARDED_MAX).catch(() => {});
    const to = addressIn(location, from);
    onRedirect(to);
    from = to ?? from;
  }
}

async function sent(
  { method = "GET", headers = {}, body, cache, fetch = globalThis.fetch }: HttpRequest,
  url: URL,
  redirect: "manual" | "follow",
  signal: AbortSignal,
  onByte: () => void,
): Promise<Response> {
  const request = {
    method,
    headers,
    redirect,
    signal,
    ...(cache !== undefined && { cache }),
    ...(body !== undefined && { body: body(onByte), duplex: "half" }),
  };
  return fetch(url.href, request);
}

function addressIn(location: string, from: URL): URL | null {
  try {
    return new URL(location, from);
  } catch {
    return null;
  }
}

/** A reply whose head has arrived. Its methods throw PassingFailure if the connection is cut; the signal's reason. */
export class Reply {
  readonly status: number;
  readonly #name: string;
  readonly #response: Response;
  readonly #wait: Wait;

  constructor(name: string, response: Response, wait: Wait) {
    this.status = response.status;
    this.#name = name;
    this.#response = response;
    this.#wait = wait;
  }

  /** The value of a header; "" if the reply does not have it. */
  header(name: string): string {
    return this.#response.headers.get(name) ?? "";
  }

  /** Reads the body piece by piece until `onChunk` returns false. @throws what `onChunk` throws */
  async read(onChunk: (chunk: Uint8Array) => boolean): Promise<void> {
    const { body } = this.#response;
    if (body !== null) await readChunks(body, onChunk, this.#wait);
  }

  /** Reads at most `max` bytes of the body, after the first `skip` ones. */
  start(max: number, skip = 0): Promise<Uint8Array> {
    return firstBytes((onChunk) => this.read(onChunk), max, skip);
  }

  /** The first `max` bytes of the body, as text. */
  async text(max: number): Promise<string> {
    return new TextDecoder().decode(await this.start(max));
  }

  /** Reads the whole body. @throws ReplyLimitError if it has more than `max` bytes */
  async bytes(max: number): Promise<Uint8Array> {
    const bytes = await this.start(max + 1);
    if (bytes.length > max) throw tooLarge(this.#name, max);
    return bytes;
  }

  /**
   * Reads the part of a file that was requested with `rangeHeader`, or the whole file. A server that ignores ranges
   * sends the whole file with status 200.
   * @throws ReplyLimitError if the whole file has more than `max` bytes
   */
  async file(range: ByteRange | undefined, max: number): Promise<Uint8Array> {
    if (range === undefined) return this.bytes(max);
    if (this.status === 200) return this.start(range.length, range.offset);
    // Reads to the end, so that the connection can be used again.
    return (await this.start(range.length + 1)).subarray(0, range.length);
  }

  /** Ends a reply whose body is of no use. */
  async discard(): Promise<void> {
    await this.start(DISCARDED_MAX);
  }
}

/** The error for a body that is longer than its kind may be. */
export function tooLarge(name: string, max: number): ReplyLimitError {
  return new ReplyLimitError(`${name} has more than ${max} bytes, the limit for such a file`);
}

/** A part of a file. */
interface ByteRange {
  /** Bytes before the part. */
  readonly offset: number;
  /** Bytes of the part. */
  readonly length: number;
}

/** The header that asks for a part of a file; none for a whole file. */
export function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  if (range === undefined) return {};
  return { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
}

/** Reads at most `max` bytes of a stream, and then cancels it. */
export function readStart(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array> {
  return firstBytes((onChunk) => readChunks(stream, onChunk, (step) => step), max, 0);
}

/** Reads a stream until `onChunk` returns false, and then cancels it. */
async function readChunks(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => boolean,
  wait: Wait,
): Promise<void> {
  // Not all browsers can iterate over a stream.
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await wait(reader.read());
    if (done) return;
    if (onChunk(value)) continue;
    reader.cancel().catch(() => {});
    return;
  }
}

async function firstBytes(
  read: (onChunk: (chunk: Uint8Array) => boolean) => Promise<void>,
  max: number,
  skip: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let left = skip;
  await read((bytes) => {
    const chunk = bytes.subarray(left);
    left -= bytes.length - chunk.length;
    chunks.push(chunk);
    length += chunk.length;
    return length < max;
  });
  const whole = new Uint8Array(Math.min(length, max));
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk.subarray(0, whole.length - end), end);
    end += chunk.length;
  }
  return whole;
}

const PROBLEMS: Record<string, string> = {
  ECONNREFUSED: "the server refuses connections",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "there is no server with this name",
  EAI_AGAIN: "the server's name cannot be resolved",
  ETIMEDOUT: "the server does not answer",
  UND_ERR_CONNECT_TIMEOUT: "the server does not answer",
};

/** Describes a failed connection. Only Node says which failure it was. */
function connectionProblem(error: unknown): string {
  const { code } = Object(error instanceof Error ? error.cause : error);
  if (typeof code !== "string") return "the connection failed";
  return PROBLEMS[code] ?? `the connection failed: ${code}`;
}
