/*
 * What the runtime counts. Each process has its own counts; they are plain data and add up, so that one
 * process shows those of all (metrics-text.ts).
 */

/** Upper bounds of the latency histogram's buckets, seconds: an answer from memory takes some 10 microseconds. */
export const LATENCY_BOUNDS = [
  ...[0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005],
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
];

/** What only grows while a process lives. */
export interface Counters {
  /** Requests, by `<route> <status>`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Requests by the bucket of LATENCY_BOUNDS, not cumulated, and those beyond all. */
  readonly latencies: readonly number[];
  /** Seconds, all requests together. */
  readonly latencySum: number;
  /** Bytes of bodies that were handed to connections. */
  readonly bytes: number;
  /** Answers that were kept and sent again. */
  readonly cacheHits: number;
  readonly reloads: ReloadCounts;
}

/** How a process is. */
export interface ProcessState {
  /** Bytes that it holds, and those of its kept answers among them. */
  readonly residentBytes: number;
  readonly cacheBytes: number;
  /** The snapshot that it answers from; null while there is none. */
  readonly snapshot: string | null;
  /** Listings in search. */
  readonly listings: number;
}

export interface Counted {
  readonly counters: Counters;
  readonly state: ProcessState;
}

/** Snapshots that were loaded, and those that were refused, each counted once for each reason. */
type ReloadCounts = Record<"loaded" | "refused", number>;

/** What all processes of a server have counted. */
export interface Gathered {
  readonly counters: Counters;
  /** Of those that answer. */
  readonly processes: readonly ProcessState[];
  /** Bytes of all processes, those that do not answer too. */
  readonly residentBytes: number;
  /** When the server was started, seconds since 1970. */
  readonly startTime: number;
}

/** A route's name where a request had no known address. */
const NO_ROUTE = "none";

export const NO_COUNTS: Counters = {
  requests: {},
  latencies: [],
  latencySum: 0,
  bytes: 0,
  cacheHits: 0,
  reloads: { loaded: 0, refused: 0 },
};

/** Seconds since 1970. */
const startTime = Math.round(performance.timeOrigin) / 1000;

/**
 * Adds up the counts of processes.
 * @param dead the counts of processes that have ended
 * @param otherBytes the memory of processes that do not answer
 */
export function gatheredOf(
  counted: readonly Counted[],
  dead: Counters = NO_COUNTS,
  otherBytes = 0,
): Gathered {
  const processes = counted.map(({ state }) => state);
  return {
    counters: counted.reduce((sum, { counters }) => addCounters(sum, counters), dead),
    processes,
    residentBytes: processes.reduce((sum, one) => sum + one.residentBytes, otherBytes),
    startTime,
  };
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #latencies = new Array<number>(LATENCY_BOUNDS.length + 1).fill(0);
  #latencySum = 0;
  #bytes = 0;
  #cacheHits = 0;
  readonly #reloads: ReloadCounts = { loaded: 0, refused: 0 };

  reloaded(outcome: keyof ReloadCounts): void {
    this.#reloads[outcome] += 1;
  }

  answered(answer: {
    readonly route: string | undefined;
    readonly status: number;
    readonly bytes: number;
    readonly ms: number;
    readonly wasKept: boolean;
  }): void {
    const seconds = answer.ms / 1000;
    const key = `${answer.route ?? NO_ROUTE} ${answer.status}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    let place = 0;
    while (place < LATENCY_BOUNDS.length && seconds > LATENCY_BOUNDS[place]!) place += 1;
    this.#latencies[place]! += 1;
    this.#latencySum += seconds;
    this.#bytes += answer.bytes;
    if (answer.wasKept) this.#cacheHits += 1;
  }

  counters(): Counters {
    return {
      requests: Object.fromEntries(this.#requests),
      latencies: [...this.#latencies],
      latencySum: this.#latencySum,
      bytes: this.#bytes,
      cacheHits: this.#cacheHits,
      reloads: { ...this.#reloads },
    };
  }
}

export function addCounters(a: Counters, b: Counters): Counters {
  const requests = { ...a.requests };
  for (const [key, count] of Object.entries(b.requests)) {
    requests[key] = (requests[key] ?? 0) + count;
  }
  const [longer, shorter] =
    a.latencies.length < b.latencies.length
      ? [b.latencies, a.latencies]
      : [a.latencies, b.latencies];
  return {
    requests,
    latencies: longer.map((count, place) => count + (shorter[place] ?? 0)),
    latencySum: a.latencySum + b.latencySum,
    bytes: a.bytes + b.bytes,
    cacheHits: a.cacheHits + b.cacheHits,
    reloads: {
      loaded: a.reloads.loaded + b.reloads.loaded,
      refused: a.reloads.refused + b.reloads.refused,
    },
  };
}
