/** Timers take no more; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A promise that an abort ends at once with the signal's reason.
 * `start` begins what is waited for and gives what ends it; that is called exactly once, however it ends.
 */
export function abortable<T>(
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
    // What ended before `start` came back could not be stopped yet.
    if (ended) stop();
  });
}

/** Waits so many milliseconds, however many. */
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
 * Runs a task that the signal or the time-out ends, also where the task does not listen to the signal that it
 * is given. Rejects with the signal's reason, or with what `late` makes.
 */
export function within<T>(
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
