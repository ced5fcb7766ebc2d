import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { randomShare } from "../files/random-name.js";
import {
  type HttpRequest,
  PassingFailure,
  type Reply,
  ReplyLimitError,
  withReply,
} from "../lib/http.js";

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

/** Sends a request. @throws PassingFailure if another try may succeed; RemoteError; the signal's reason */
export async function send<T>(request: HttpRequest, use: (reply: Reply) => Promise<T>): Promise<T> {
  // One listener for each request that is under way. Node warns about more than ten.
  if (request.signal !== undefined) setMaxListeners(0, request.signal);
  // Without the header, servers may compress what we would only decompress again.
  const headers = { ...request.headers, "accept-encoding": "identity" };
  try {
    return await withReply({ ...request, headers, idleMs: PATIENCE.idleMs }, use);
  } catch (error) {
    throw error instanceof ReplyLimitError ? new RemoteError(error.message) : error;
  }
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
