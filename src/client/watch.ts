import type { Enrichment } from "./answers.js";
import { CrawldexError, type RequestOptions } from "./request.js";
import { msUntil, sleep, untilPresent } from "./timing.js";

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

/** Reads the enrichment once. */
type ReadEnrichment = (options: RequestOptions) => Promise<{ readonly data: Enrichment | null }>;

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
  const states = statesOf(readEnrichment, random, options, ended);
  const end = states.return.bind(states, undefined);
  return Object.assign(states, {
    // Without the abort, a generator's `return` would wait for the current sleep or request.
    return() {
      ended.abort(ended);
      return end();
    },
  });
}

async function* statesOf(
  readEnrichment: ReadEnrichment,
  random: () => number,
  options: WatchOptions,
  ended: AbortController,
): AsyncGenerator<Enrichment | null, undefined, undefined> {
  const { signal, known, timeoutMs, onError, intervalMs = 5_000, maxIntervalMs = 60_000 } = options;
  const maxMs = Math.max(intervalMs, maxIntervalMs);
  const stop = ended.signal;
  let interval = intervalMs;

  /** Reads the next state. A failure never shortens the wait, and each one lengthens it, up to the maximum. */
  const next = async () => {
    for (let bound = intervalMs * 2; ; bound *= 2) {
      await untilPresent(stop);
      try {
        return (await readEnrichment({ signal: stop, timeoutMs, retries: 0 })).data;
      } catch (error) {
        if (!mayPass(error)) throw error;
        onError?.(error);
        const backoff = (Math.min(maxMs, bound) / 2) * (1 + random());
        await sleep(Math.max(interval, error.retryAfterMs ?? 0, backoff), stop);
      }
    }
  };

  const onAbort = () => ended.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    let shown: string | undefined;
    for (let state = known === undefined ? await next() : known; ; state = await next()) {
      // Reads everything needed from the state before the `yield`, because the caller may modify it.
      const text = JSON.stringify(state);
      const isNew = text !== shown;
      const retryMs = msUntilRetry(state);
      interval = isNew ? intervalMs : Math.min(maxMs, interval * 2);
      if (isNew && state !== known) yield state;
      if (retryMs === Number.POSITIVE_INFINITY) return;
      shown = text;
      await sleep(Math.max(interval, retryMs) + random() * interval * JITTER, stop);
    }
  } catch (error) {
    if (stop.reason !== ended) throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Temporary statuses below 500, from the API or a proxy in front of it. All statuses from 500 on are temporary too. */
const PASSING = [408, 429];

function mayPass(error: unknown): error is CrawldexError {
  if (!(error instanceof CrawldexError) || error.kind === "host") return false;
  const status = error.status ?? 0;
  return error.kind !== "status" || status >= 500 || PASSING.includes(status);
}

const PENDING = ["queued", "generating", "delayed"];

/**
 * Milliseconds until the earliest retry of pending work: 0 or less if it may finish at any time, Infinity if nothing is
 * pending.
 */
function msUntilRetry(enrichment: Enrichment | null): number {
  const pending = [enrichment?.copy, enrichment?.starterFiles].filter((part) =>
    PENDING.includes(part?.state ?? ""),
  );
  // A missing or invalid date counts as 0.
  return Math.min(...pending.map((part) => msUntil(part?.nextRetryAt ?? "") || 0));
}
