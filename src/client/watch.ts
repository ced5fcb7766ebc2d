import type { Enrichment } from "../contract/enrichment.js";
import { now, type Presence, pagePresence } from "./environment.js";
import { CrawldexError } from "./error.js";
import type { RequestOptions } from "./reading.js";
import { abortable, sleep } from "./waiting.js";

/** How an enrichment is watched. */
export interface WatchOptions {
  /** Ends the watch at once: the iteration rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What is known already, as a report says it: it is not given again, and where nothing in it is pending nothing
   * is asked.
   */
  readonly known?: Enrichment | null | undefined;
  /** Milliseconds of each request, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between an answer and the next request, at least; default 5,000. They double while nothing changes. */
  readonly intervalMs?: number | undefined;
  /** Milliseconds between them, at most, but for what the API asks for; default 60,000. */
  readonly maxIntervalMs?: number | undefined;
  /** When nothing is sent; default: while the page is hidden or the browser offline. */
  readonly presence?: Presence | undefined;
  /** Told of every failure after which the watch goes on. */
  readonly onError?: ((error: CrawldexError) => void) | undefined;
}

/** Reads the enrichment once, without a further attempt: the watch backs off by itself. */
export type ReadEnrichment = (
  options: RequestOptions,
) => Promise<{ readonly data: Enrichment | null }>;

const PENDING = ["queued", "generating", "delayed"];
/** Statuses of a passing state, from the API or from a proxy before it, besides those from 500 on. */
const PASSING = [408, 429];
/** Share of the interval that chance adds, so that those who watch the same site do not ask together. */
const SPREAD = 0.25;

/**
 * The states of an enrichment as they change, the first at once; ends after the first in which nothing is
 * pending (contract section 3, rule 1). Failures that may pass are backed off from; others, such as a 404, are thrown.
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
    // A generator by itself would end only after what it waits for.
    return() {
      ended.abort(ended);
      return states.return(undefined);
    },
  };
}

async function* changes(
  readEnrichment: ReadEnrichment,
  random: () => number,
  { signal, known, timeoutMs, presence = pagePresence(), onError, ...given }: WatchOptions,
  ended: AbortController,
): AsyncGenerator<Enrichment | null, undefined, undefined> {
  const stop = ended.signal;
  const onAbort = () => ended.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  const pace = paceOf(given, random);
  let shown = "";
  try {
    if (known !== undefined) {
      shown = JSON.stringify(known);
      const pending = pendingOf(known);
      if (pending.length === 0) return;
      await sleep(pace.afterAnswer(true, msUntilRetry(pending)), stop);
    }
    for (;;) {
      await untilPresent(presence, stop);
      let state: Enrichment | null;
      try {
        state = (await readEnrichment({ signal: stop, timeoutMs, retries: 0 })).data;
      } catch (error) {
        if (!mayPass(error)) throw error;
        onError?.(error);
        await sleep(pace.afterFailure(error.retryAfterMs ?? 0), stop);
        continue;
      }
      // All that is needed of the state is taken before the caller has it, who may change it.
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

function untilPresent(presence: Presence, signal: AbortSignal): Promise<void> {
  if (presence.isPresent() && !signal.aborted) return Promise.resolve();
  return abortable(signal, (resolve) =>
    presence.onChange(() => {
      if (presence.isPresent()) resolve();
    }),
  );
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

/** Milliseconds before which no work that is pending is tried again; 0 or less where one may be done at any time. */
function msUntilRetry(pending: readonly State[]): number {
  const instant = now();
  // What is no date says nothing, and is not a number.
  const waits = pending.map(({ nextRetryAt }) => Date.parse(nextRetryAt ?? "") - instant || 0);
  return Math.min(...waits);
}

interface Pace {
  /** Milliseconds until the next request after an answer; `retryMs` is the least that it says itself. */
  afterAnswer(changed: boolean, retryMs: number): number;
  /** The same after a failure; `askedMs` is its `Retry-After`. */
  afterFailure(askedMs: number): number;
}

function paceOf(
  {
    intervalMs = 5_000,
    maxIntervalMs = 60_000,
  }: Pick<WatchOptions, "intervalMs" | "maxIntervalMs">,
  random: () => number,
): Pace {
  const max = Math.max(intervalMs, maxIntervalMs);
  let interval = intervalMs;
  let failures = 0;
  return {
    afterAnswer(changed, retryMs) {
      failures = 0;
      interval = changed ? intervalMs : Math.min(max, interval * 2);
      return Math.max(interval, retryMs) + random() * interval * SPREAD;
    },
    afterFailure(askedMs) {
      failures += 1;
      const bound = Math.min(max, intervalMs * 2 ** failures);
      // Half by chance: never sooner than without the failure, and farther apart with each.
      return Math.max(interval, askedMs, (bound / 2) * (1 + random()));
    },
  };
}
