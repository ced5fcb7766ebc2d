/*
 * The client's access to the page or process that it runs in. No other file of the client uses the clock or random
 * numbers. Both affect only when a request is sent, never the content of an answer.
 */

/** Milliseconds until a date, less than 0 if it has passed; NaN if the text is no date. */
export function msUntil(date: string): number {
  return Date.parse(date) - Date.now();
}

/** A random number from 0 to less than 1. It spreads the retries of clients that failed at the same time. */
export function chance(): number {
  return Math.random();
}

/**
 * A promise that an abort rejects immediately with the signal's reason.
 * @param start begins the operation and returns a function that stops it; that function is called however the operation
 *   ends
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  signal?.throwIfAborted();
  let onAbort = () => {};
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort);
      stop = start(resolve, reject);
    });
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop();
  }
}

/** The maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls a function after `ms` milliseconds, even beyond the maximum delay of a timer. Infinity means never.
 * @returns a function that prevents it
 */
export function after(ms: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (left: number) => {
    const rest = left - MAX_TIMER_MS;
    timer = rest > 0 ? setTimeout(run, MAX_TIMER_MS, rest) : setTimeout(call, left);
  };
  if (ms < Number.POSITIVE_INFINITY) run(ms);
  return () => clearTimeout(timer);
}

/** Waits for `ms` milliseconds. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return abortable(signal, (resolve) => after(ms, resolve));
}

/** The browser globals that the client reads. Workers have no document; Node has none of them, or only a navigator. */
interface PageGlobals extends EventTarget {
  readonly document?: EventTarget & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
}

/** Waits until the page may be visible and the network available (docs/contract.md#10-polling-enrichment). */
export async function untilPresent(signal: AbortSignal): Promise<void> {
  const page = globalThis as unknown as PageGlobals;
  const { document } = page;
  const isPresent = () =>
    document?.visibilityState !== "hidden" && page.navigator?.onLine !== false;
  if (isPresent()) return;
  await abortable<void>(signal, (resolve) => {
    const look = () => {
      if (isPresent()) resolve();
    };
    document?.addEventListener("visibilitychange", look);
    for (const type of ["online", "offline"]) page.addEventListener(type, look);
    return () => {
      document?.removeEventListener("visibilitychange", look);
      for (const type of ["online", "offline"]) page.removeEventListener(type, look);
    };
  });
}
