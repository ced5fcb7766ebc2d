import type { Enrichment } from "./answers.js";
import { CrawldexError } from "./error.js";
import type { RequestOptions } from "./request.js";
import { now, sleep, untilPresent } from "./timing.js";

/** Options for watching an enrichment. */
export interface WatchOptions {
  /** Ends the watch immediately: the iteration rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The last known state, as in a report. The watch does not yield it again, and sends no request if nothing in it is
   * pending.
   */
  readonly known?: Enrichment | null | undefined;
  /** The time-out of each request in milliseconds; overrides the client's. */
  readonly timeoutMs?: number | undefined;
  /** The minimum milliseconds between an answer and the next request; default 5,000. Doubles while nothing changes. */
  readonly intervalMs?: number | undefined;
  /** The maximum milliseconds between them, unless the API asks for a longer wait; default 60,000. */
  readonly maxIntervalMs?: number | undefined;
  /** Called for every failure that does not end the watch. */
  readonly onError?: ((error: CrawldexError) => void) | undefined;
}

/** Reads the enrichment once. The caller sets `retries` to 0, because the watch has its own backoff. */
export type ReadEnrichment = (
  options: RequestOptions,
) => Promise<{ readonly data: Enrichment | null }>;

const PENDING = ["queued", "generating", "delayed"];
/** Temporary statuses below 500, from the API or a proxy in front of it. All statuses from 500 on are temporary too. */
const PASSING = [408, 429];
/** The maximum random addition to an interval, as a share of it. It spreads the requests of clients on one site. */
const JITTER = 0.25;

/**
 * Yields the states of an enrichment as they change, the first immediately. Ends after the first state with nothing
 * pending (docs/contract.md#10-polling-enrichment). Backs off after temporary failures; throws others, such as a 404.
 */
export function watch(
  readEnrichment: ReadEnrichment,
  random: () => number,
  options: WatchOptions,
): AsyncIterableIterator<Enrichment | null> {
  const ended = new AbortController();
  const states = changes(readEnrichment, random, options, ended);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => states.next(),
    // Without the abort, a generator's `return` would wait for the current sleep or request.
    return() {
      ended.abort(ended);
      return states.return(undefined);
    },
  };
}

async function* changes(
  readEnrichment: ReadEnrichment,
  random: () => number,
  { signal, known, timeoutMs, onError, ...given }: WatchOptions,
  ended: AbortController,
): AsyncGenerator<Enrichment | null, undefined, undefined> {
  const stop = ended.signal;
  const onAbort = () => ended.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  const pace = pollingPaceOf(given, random);
  let shown = "";
  try {
    if (known !== undefined) {
      shown = JSON.stringify(known);
      const pending = pendingOf(known);
      if (pending.length === 0) return;
      await sleep(pace.afterAnswer(true, msUntilRetry(pending)), stop);
    }
    for (;;) {
      await untilPresent(stop);
      let state: Enrichment | null;
      try {
        state = (await readEnrichment({ signal: stop, timeoutMs, retries: 0 })).data;
      } catch (error) {
        if (!mayPass(error)) throw error;
        onError?.(error);
        await sleep(pace.afterFailure(error.retryAfterMs ?? 0), stop);
        continue;
      }
      // Reads everything needed from the state before the `yield`, because the caller may modify it.
      const text = JSON.stringify(state);
      const pending = pendingOf(state);
      const wait = pace.afterAnswer(text !== shown, msUntilRetry(pending));
      if (text !== shown) yield state;
      shown = text;
      if (pending.length === 0) return;
      await sleep(wait, stop);
    }
  } catch (error) {
    if (stop.reason !== ended) throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

function mayPass(error: unknown): error is CrawldexError {
  if (!(error instanceof CrawldexError) || error.kind === "host") return false;
  const { kind, status } = error;
  return kind !== "status" || status === null || status >= 500 || PASSING.includes(status);
}

type State = Enrichment["copy"];

function pendingOf(enrichment: Enrichment | null): readonly State[] {
  return [enrichment?.copy, enrichment?.starterFiles].filter((state): state is State =>
    PENDING.includes(state?.state ?? ""),
  );
}

/** Milliseconds until the earliest retry of pending work; 0 or less if work may finish at any time. */
function msUntilRetry(pending: readonly State[]): number {
  const instant = now();
  // A missing or invalid date parses to NaN, which counts as 0.
  const waits = pending.map(({ nextRetryAt }) => Date.parse(nextRetryAt ?? "") - instant || 0);
  return Math.min(...waits);
}

interface PollingPace {
  /** Milliseconds until the next request after an answer. `retryMs` is the minimum that the answer asks for. */
  afterAnswer(changed: boolean, retryMs: number): number;
  /** Milliseconds until the next request after a failure. `askedMs` is the failure's `Retry-After`. */
  afterFailure(askedMs: number): number;
}

function pollingPaceOf(
  {
    intervalMs = 5_000,
    maxIntervalMs = 60_000,
  }: Pick<WatchOptions, "intervalMs" | "maxIntervalMs">,
  random: () => number,
): PollingPace {
  const max = Math.max(intervalMs, maxIntervalMs);
  let interval = intervalMs;
  let failures = 0;
  return {
    afterAnswer(changed, retryMs) {
      failures = 0;
      interval = changed ? intervalMs : Math.min(max, interval * 2);
      return Math.max(interval, retryMs) + random() * interval * JITTER;
    },
    afterFailure(askedMs) {
      failures += 1;
      const bound = Math.min(max, intervalMs * 2 ** failures);
      // Half of the bound is random. A failure never shortens the wait, and each one lengthens it, up to the maximum.
      return Math.max(interval, askedMs, (bound / 2) * (1 + random()));
    },
  };
}
