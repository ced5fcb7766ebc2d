/*
 * What the runtime counts, as numbers that add up: each worker has its own, and all of them together are
 * what is shown, in Prometheus' text format 0.0.4.
 */

export const METRICS_PATH = "/metrics";

/** Upper bounds of the latency histogram's buckets, seconds. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** What one process has counted; plain data, to be sent to another. */
export interface Counted {
  /** Requests, by `<route> <status>`. */
  requests: Record<string, number>;
  /** Requests by bucket of BOUNDS, and those beyond all. */
  latencies: number[];
  /** Seconds, all requests together. */
  latencySum: number;
  /** Bytes of bodies that were handed to connections. */
  bytes: number;
  /** Answers that were kept and sent again. */
  cacheHits: number;
  /** Snapshots that were loaded and taken, and those that were refused. */
  reloads: { loaded: number; refused: number };
  /** Bytes that the process holds, and those of its kept answers. */
  residentBytes: number;
  cacheBytes: number;
  /** The snapshot that answers; null while there is none. */
  snapshot: string | null;
  /** Listings in search. */
  listings: number;
}

/** A route's name where a request was none of the contract's reads. */
const NO_ROUTE = "none";

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #latencies: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  #latencySum = 0;
  #bytes = 0;
  #cacheHits = 0;
  readonly #reloads = { loaded: 0, refused: 0 };

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
    while (place < BOUNDS.length && seconds > BOUNDS[place]!) place += 1;
    this.#latencies[place]! += 1;
    this.#latencySum += seconds;
    this.#bytes += answer.bytes;
    if (answer.wasKept) this.#cacheHits += 1;
  }

  reloaded(outcome: "loaded" | "refused"): void {
    this.#reloads[outcome] += 1;
  }

  counted(now: Pick<Counted, "residentBytes" | "cacheBytes" | "snapshot" | "listings">): Counted {
    return {
      requests: Object.fromEntries(this.#requests),
      latencies: [...this.#latencies],
      latencySum: this.#latencySum,
      bytes: this.#bytes,
      cacheHits: this.#cacheHits,
      reloads: { ...this.#reloads },
      ...now,
    };
  }
}

/** The metrics of all processes together, as Prometheus reads them. */
export function metricsText(processes: readonly Counted[]): string {
  const sum = (pick: (counted: Counted) => number) =>
    processes.reduce((total, counted) => total + pick(counted), 0);
  const requests = new Map<string, number>();
  for (const counted of processes) {
    for (const [key, count] of Object.entries(counted.requests)) {
      requests.set(key, (requests.get(key) ?? 0) + count);
    }
  }
  const lines: string[] = [];
  const metric = (name: string, type: string, help: string, samples: readonly string[]) => {
    lines.push(`# HELP crawldex_${name} ${help}`, `# TYPE crawldex_${name} ${type}`);
    lines.push(...samples.map((sample) => `crawldex_${name}${sample}`));
  };
  metric(
    "requests_total",
    "counter",
    "Requests answered, by read and status.",
    [...requests].sort().map(([key, count]) => {
      const [route, status] = key.split(" ");
      return `{route="${route}",status="${status}"} ${count}`;
    }),
  );
  metric("request_seconds", "histogram", "Time from a request's head to its answer.", [
    ...histogram(BOUNDS.map((_, place) => sum(({ latencies }) => latencies[place] ?? 0))),
    `_bucket{le="+Inf"} ${sum(({ latencies }) => latencies.reduce((a, b) => a + b, 0))}`,
    `_sum ${sum(({ latencySum }) => latencySum)}`,
    `_count ${sum(({ latencies }) => latencies.reduce((a, b) => a + b, 0))}`,
  ]);
  const count = (name: string, help: string, pick: (counted: Counted) => number) =>
    metric(name, "counter", help, [` ${sum(pick)}`]);
  const gauge = (name: string, help: string, pick: (counted: Counted) => number) =>
    metric(name, "gauge", help, [` ${sum(pick)}`]);
  count("response_bytes_total", "Bytes of bodies sent.", ({ bytes }) => bytes);
  count("cache_hits_total", "Answers sent from memory.", ({ cacheHits }) => cacheHits);
  metric("reloads_total", "counter", "Snapshots taken and refused.", [
    `{outcome="loaded"} ${sum(({ reloads }) => reloads.loaded)}`,
    `{outcome="refused"} ${sum(({ reloads }) => reloads.refused)}`,
  ]);
  gauge("resident_bytes", "Memory of all processes.", ({ residentBytes }) => residentBytes);
  gauge("cache_bytes", "Memory of answers that are kept.", ({ cacheBytes }) => cacheBytes);
  metric("workers", "gauge", "Processes that answer.", [` ${processes.length}`]);
  const [first] = processes;
  metric("listings", "gauge", "Listings in search.", [` ${first?.listings ?? 0}`]);
  const ids = [...new Set(processes.map(({ snapshot }) => snapshot ?? ""))].sort();
  metric(
    "snapshot_info",
    "gauge",
    "Processes by the snapshot that they answer from.",
    ids.map(
      (id) => `{id="${id}"} ${processes.filter(({ snapshot }) => (snapshot ?? "") === id).length}`,
    ),
  );
  return `${lines.join("\n")}\n`;
}

/** Cumulated, as the format has it. */
function histogram(counts: readonly number[]): string[] {
  let below = 0;
  return counts.map((count, place) => {
    below += count;
    return `_bucket{le="${BOUNDS[place]}"} ${below}`;
  });
}
