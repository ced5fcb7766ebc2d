import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Readiness } from "../answer/answer.js";
import type { ProcessState } from "./current-snapshot.js";
import type { PullState, SeenAnswer } from "./observer.js";

/** Upper bounds of the latency buckets, in seconds. An answer from memory takes about 10 microseconds. */
export const LATENCY_BOUNDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1,
];

/** The route label of requests to unknown addresses. */
const NO_ROUTE = "none";

/** The sources of the metrics besides the counted answers. */
export interface MetricSources {
  readonly state: () => ProcessState;
  readonly readiness: () => Promise<Readiness>;
  /** The state of the pulls into the store; undefined if nothing is pulled. */
  readonly pulls?: (() => PullState) | undefined;
}

type GaugeValue = number | undefined;

/** Counts the answers of a server for Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter("requests_total", "Requests answered, by route and status.", [
    "route",
    "status",
  ]);
  readonly #latency = new Histogram({
    name: "crawldex_request_duration_seconds",
    help: "Seconds from receiving a request's head to answering it.",
    buckets: LATENCY_BOUNDS,
    registers: [this.#registry],
  });
  readonly #bytes = this.#counter("response_bytes_total", "Bytes of response bodies sent.");
  readonly #hits = this.#counter("cache_hits_total", "Answers from the cache.");
  readonly #reloads = this.#counter("reloads_total", "Snapshots loaded and refused.", ["outcome"]);

  constructor({ state, readiness, pulls }: MetricSources) {
    for (const outcome of ["loaded", "refused"]) this.#reloads.inc({ outcome }, 0);
    this.#gauge("crawldex_snapshot_info", "The snapshot that answers.", ["id"], (gauge) => {
      gauge.reset();
      gauge.set({ id: state().snapshot ?? "" }, 1);
    });
    const gauge = (name: string, help: string, value: () => GaugeValue | Promise<GaugeValue>) =>
      this.#gauge(name, help, [], async (made) => {
        const now = await value();
        if (now === undefined) made.remove();
        else made.set(now);
      });
    const generated = "The number of its publication; 0 before the first.";
    gauge("crawldex_snapshot_generation", generated, () => state().generation ?? 0);
    const aged = "Seconds since it was published here; absent before the first snapshot.";
    gauge("crawldex_snapshot_age_seconds", aged, async () => {
      const { publishedAt } = await readiness();
      return publishedAt && Math.max(0, Date.now() - publishedAt.getTime()) / 1_000;
    });
    const refused = "1 while the store's current snapshot is refused.";
    gauge("crawldex_snapshot_refused", refused, () => Number(state().isRefused));
    gauge("crawldex_ready", "1 if /readyz answers 200.", async () => {
      const { unready } = await readiness();
      return Number(state().snapshot !== null && unready === undefined);
    });
    gauge("crawldex_listings", "Listings in search.", () => state().listings);
    gauge("crawldex_cache_bytes", "Bytes of the cached answers.", () => state().cacheBytes);
    const rss = () => process.memoryUsage.rss();
    gauge("process_resident_memory_bytes", "Resident memory of the process, in bytes.", rss);
    const start = () => Math.round(performance.timeOrigin) / 1000;
    gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", start);
    if (pulls === undefined) return;
    const age = "Seconds since the last pull that succeeded, or since the start.";
    gauge("crawldex_pull_age_seconds", age, () => pulls().ageSeconds);
    this.#counter("pulls_total", "Pulls that succeeded and failed.", ["outcome"], (counter) => {
      const { succeeded, failed } = pulls();
      counter.reset();
      counter.inc({ outcome: "succeeded" }, succeeded);
      counter.inc({ outcome: "failed" }, failed);
    });
  }

  answered(answer: Pick<SeenAnswer, "route" | "status" | "bytes" | "ms" | "wasKept">): void {
    this.#requests.inc({ route: answer.route ?? NO_ROUTE, status: answer.status });
    this.#latency.observe(answer.ms / 1000);
    this.#bytes.inc(answer.bytes);
    if (answer.wasKept) this.#hits.inc();
  }

  reloaded(outcome: "loaded" | "refused"): void {
    this.#reloads.inc({ outcome });
  }

  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** @param collect sets the values when the metrics are read */
  #counter(
    name: string,
    help: string,
    labelNames: string[] = [],
    collect: (counter: Counter) => void = () => {},
  ): Counter {
    return new Counter({
      name: `crawldex_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        collect(this);
      },
    });
  }

  /** @param collect sets the values when the metrics are read */
  #gauge(
    name: string,
    help: string,
    labelNames: string[],
    collect: (gauge: Gauge) => void | Promise<void>,
  ): Gauge {
    return new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        return collect(this);
      },
    });
  }
}
