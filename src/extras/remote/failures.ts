import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { randomShare } from "../../files/random-name.js";
import {
  type HttpTarget,
  type Reply,
  ReplyLimitError,
  replyTo,
  type Send,
  type Wait,
} from "../../lib/http.js";

/** A failure that another try may not meet: a cut connection, an overloaded server. */
export class PassingFailure extends Error {}

/**
 * A store or an origin cannot be used: it is unreachable, or it refuses these credentials. The message says what to
 * do.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** A snapshot at an origin is damaged or incomplete, or in a format that this version does not read. */
export class RemoteSnapshotError extends Error {
  override readonly name = "RemoteSnapshotError";
}

/** Another push to the same store has published meanwhile, or is deleting files. Pushing again helps. */
export class RemoteBusyError extends Error {
  override readonly name = "RemoteBusyError";
}

/** A safety check refused: the store ignores conditions, or its snapshot is not trusted. */
export class RemoteRefusedError extends Error {
  override readonly name = "RemoteRefusedError";
}

/** How long requests wait, and how often they are made. The product never changes a value; tests set lower ones. */
export const PATIENCE = {
  /** Tries of one request. */
  tries: 6,
  /** The longest wait after the first try, in milliseconds. It doubles after each further try. */
  firstWaitMs: 200,
  longestWaitMs: 10_000,
  /** A request fails if no byte moves for this long, in milliseconds. */
  idleMs: 60_000,
  /** The longest time of a step of a pull that downloads no file, in milliseconds: more than all tries of a request. */
  stepMs: 600_000,
  /** A step may take one more second for each of this many bytes of files: the speed of a slow telephone line. */
  bytesASecond: 16 * 1024,
  /** The most pages of a bucket's list: ten million objects. */
  listPages: 10_000,
  /** After its commit, a push may delete old files for a third of this time, in milliseconds */
  deletingMs: 60_000,
};

/** The longest time that a timer of Node can wait, in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The bytes that arrived are not the expected ones. Another try may bring the right ones. */
export class WrongBytes extends PassingFailure {}

/** Statuses of a server that is overloaded or fails for a while. */
export const PASSING_STATUS: readonly number[] = [408, 429, 500, 502, 503, 504];

/** A request to a store or an origin. */
export interface HttpRequest extends HttpTarget {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The body, which calls `onByte` whenever a part of it is sent. The headers state its length. */
  readonly body?: ((onByte: () => void) => ReadableStream<Uint8Array>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The reason with which a connection ends on which no byte moves. */
const IDLE = Symbol("idle");

/**
 * Sends a request and hands the reply to `use`. If `use` leaves a part of the body unread, the connection is closed.
 * Errors carry no cause: the system's errors may hold headers, and headers hold credentials.
 * @throws PassingFailure if another try may succeed; RemoteError; the signal's reason
 */
export async function send<T>(request: HttpRequest, use: (reply: Reply) => Promise<T>): Promise<T> {
  const { name, method = "GET", body, signal } = request;
  signal?.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort(signal?.reason);
  // One listener for each request that is under way. Node warns about more than ten.
  if (signal !== undefined) setMaxListeners(0, signal);
  signal?.addEventListener("abort", end);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { idleMs } = PATIENCE;
  const onByte = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ended.abort(IDLE), idleMs);
  };
  const wait: Wait = async (step) => {
    onByte();
    try {
      return await step;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const isIdle = ended.signal.reason === IDLE;
      const problem = isIdle
        ? `no byte has moved for ${idleMs / 1_000} seconds`
        : connectionProblem(error);
      throw new PassingFailure(`${name}: ${problem}`);
    }
  };
  // Without the header, servers may compress what we would only decompress again.
  const headers = { ...request.headers, "accept-encoding": "identity" };
  const sendTo: Send = async (url, redirect) => {
    const streamed = body !== undefined && { body: body(onByte), duplex: "half" as const };
    return fetch(url.href, { method, headers, redirect, signal: ended.signal, ...streamed });
  };
  try {
    return await use(await replyTo(request, sendTo, wait));
  } catch (error) {
    throw error instanceof ReplyLimitError ? new RemoteError(error.message) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    end();
  }
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

/** Describes a failed connection. */
function connectionProblem(error: unknown): string {
  const { code } = Object(error instanceof Error ? error.cause : error);
  if (typeof code !== "string") return "the connection failed";
  return PROBLEMS[code] ?? `the connection failed: ${code}`;
}

/**
 * Runs an action until it succeeds, with growing random waits after failures that may pass.
 * @throws RemoteError when the tries are used up, RemoteSnapshotError if the last one brought wrong bytes
 */
export async function retrying<T>(
  signal: AbortSignal | undefined,
  action: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action(tries);
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      if (tries >= PATIENCE.tries) {
        const message = `${error.message} (tried ${tries} times)`;
        throw error instanceof WrongBytes
          ? new RemoteSnapshotError(message)
          : new RemoteError(message);
      }
      await waitAfter(tries, signal);
    }
  }
}

/**
 * Runs a step of a pull. It ends after `PATIENCE.stepMs` and the time that `bytes` bytes take on a slow line, so that
 * no origin can hold it for ever by sending a byte now and then.
 * @param name the origin, for the message
 * @param bytes of the files to download; 0 for the search for the newest snapshot
 * @param step gets a signal for all its requests
 * @throws RemoteError if the step takes longer; the signal's reason
 */
export function inTime<T>(
  name: string,
  bytes: number,
  signal: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = Math.min(PATIENCE.stepMs + (bytes / PATIENCE.bytesASecond) * 1_000, TIMER_MAX_MS);
  const what = bytes === 0 ? "finding its newest snapshot" : `downloading ${bytes} bytes`;
  const seconds = Math.ceil(ms / 1_000);
  const message = `${name} is too slow: ${what} took ${seconds} seconds, the limit`;
  return within(ms, message, signal, step);
}

/** @param message of the RemoteError that is thrown if the step takes longer than `ms` milliseconds */
export async function within<T>(
  ms: number,
  message: string,
  signal: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const stop = () => ended.abort(signal?.reason);
  const timer = setTimeout(() => ended.abort(new RemoteError(message)), ms);
  signal?.addEventListener("abort", stop);
  try {
    return await step(ended.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Waits a random time, so that many writers do not come back at the same moment. @throws the signal's reason */
export async function waitAfter(tries: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(PATIENCE.firstWaitMs * 2 ** (tries - 1), PATIENCE.longestWaitMs);
  try {
    await sleep((0.5 + 0.5 * randomShare()) * longest, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
