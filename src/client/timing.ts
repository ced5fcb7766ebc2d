/*
 * The client's access to the page or process that it runs in. No other file of the client uses the clock or random
 * numbers. Both affect only when a request is sent, never the content of an answer.
 */

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The browser globals that the client reads. Workers have no document; Node has none of them, or only a navigator. */
interface PageGlobals extends EventSource {
  readonly document?: EventSource & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
}

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** A random number from 0 to less than 1. It spreads the retries of clients that failed at the same time. */
export function chance(): number {
  return Math.random();
}

/** The maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A promise that an abort rejects immediately with the signal's reason.
 * @param start begins the operation and returns a function that stops it; that function is called exactly once, however
 *   the operation ends
 */
function abortable<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let stop: (() => void) | undefined;
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      signal?.removeEventListener("abort", onAbort);
      stop?.();
    };
    const onAbort = () => {
      reject(signal?.reason);
      end();
    };
    signal?.addEventListener("abort", onAbort);
    stop = start(
      (value) => {
        resolve(value);
        end();
      },
      (error) => {
        reject(error);
        end();
      },
    );
    // If `start` settled the promise before it returned, `end` could not call `stop` yet.
    if (ended) stop();
  });
}

/** Waits for `ms` milliseconds, even beyond the maximum delay of a timer. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return abortable(signal, (resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    const run = (left: number) => {
      const step = Math.min(left, MAX_TIMER_MS);
      timer = setTimeout(() => (left > step ? run(left - step) : resolve()), step);
    };
    run(ms);
    return () => clearTimeout(timer);
  });
}

/**
 * Runs a task until it settles, the signal aborts or the time-out expires, even if the task ignores the signal that it
 * receives. Rejects with the signal's reason, or with the error that `late` makes.
 */
export function withTimeout<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number,
  task: (signal: AbortSignal) => Promise<T>,
  late: () => unknown,
): Promise<T> {
  return abortable(signal, (resolve, reject) => {
    const controller = new AbortController();
    const timer =
      timeoutMs <= MAX_TIMER_MS ? setTimeout(() => reject(late()), timeoutMs) : undefined;
    task(controller.signal).then(resolve, reject);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });
}

/** Waits until the page may be visible and the network available (docs/contract.md#10-polling-enrichment). */
export async function untilPresent(signal: AbortSignal): Promise<void> {
  const page = globalThis as unknown as PageGlobals;
  const { document } = page;
  const isPresent = () =>
    document?.visibilityState !== "hidden" && page.navigator?.onLine !== false;
  if (isPresent() && !signal.aborted) return;
  await abortable<void>(signal, (resolve) => {
    const look = () => {
      if (isPresent()) resolve();
    };
    const changes = [
      [document, "visibilitychange"],
      [page, "online"],
      [page, "offline"],
    ] as const;
    for (const [source, type] of changes) source?.addEventListener(type, look);
    return () => {
      for (const [source, type] of changes) source?.removeEventListener(type, look);
    };
  });
}
