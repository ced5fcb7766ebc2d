import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ProcessState } from "../snapshot/current-snapshot.js";
import type { SeenAnswer } from "./observer.js";
import type { PullState } from "./pull-state.js";

/** Upper bounds of the latency buckets, in seconds. An answer from memory takes about 10 microseconds. */
export const LATENCY_BOUNDS = [
  ...[0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005],
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
];

/** The metrics of one process with their values, as plain data that prom-client adds up. */
export type CountedMetrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The route label of requests to unknown addresses. */
const NO_ROUTE = "none";

/**
 * Counts the answers of a process. Only the histogram uses prom-client for each answer. A counter's `inc` with labels
 * takes about a microsecond, so counters are plain numbers that prom-client reads when it collects metrics.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Map<string, number>();
  readonly #latency: Histogram;
  readonly #reloads = { loaded: 0, refused: 0 };
  #bytes = 0;
  #cacheHits = 0;

  constructor(state: () => ProcessState) {
    const registers = [this.#registry];
    this.#count(
      "crawldex_requests_total",
      "Requests answered, by route and status.",
      ["route", "status"],
      () =>
        [...this.#requests]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, count]) => {
            const [route = "", status = ""] = key.split(" ");
            return [{ route, status }, count];
          }),
    );
    this.#latency = new Histogram({
      name: "crawldex_request_duration_seconds",
      help: "Seconds from receiving a request's head to answering it.",
      buckets: LATENCY_BOUNDS,
      registers,
    });
    this.#count("crawldex_response_bytes_total", "Bytes of response bodies sent.", [], () => [
      [{}, this.#bytes],
    ]);
    this.#count("crawldex_cache_hits_total", "Answers from the cache.", [], () => [
      [{}, this.#cacheHits],
    ]);
    this.#count("crawldex_reloads_total", "Snapshots loaded and refused.", ["outcome"], () => [
      [{ outcome: "loaded" }, this.#reloads.loaded],
      [{ outcome: "refused" }, this.#reloads.refused],
    ]);
    new Gauge({
      name: "crawldex_snapshot_info",
      help: "Processes that serve each snapshot.",
      labelNames: ["id"],
      registers,
      collect() {
        this.reset();
        this.set({ id: state().snapshot ?? "" }, 1);
      },
    });
    const gauge = gaugeIn(this.#registry);
    gauge("crawldex_listings", "Listings in search.", () => state().listings, "max");
    gauge("crawldex_workers", "Processes that answer requests.", () => 1);
    gauge("crawldex_cache_bytes", "Bytes of the cached answers.", () => state().cacheBytes);
    addProcessGauges(this.#registry);
  }

  answered(answer: Pick<SeenAnswer, "route" | "status" | "bytes" | "ms" | "wasKept">): void {
    const key = `${answer.route ?? NO_ROUTE} ${answer.status}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    this.#latency.observe(answer.ms / 1000);
    this.#bytes += answer.bytes;
    if (answer.wasKept) this.#cacheHits += 1;
  }

  reloaded(outcome: "loaded" | "refused"): void {
    this.#reloads[outcome] += 1;
  }

  counted(): Promise<CountedMetrics> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Adds a counter. `values` gives its current values, each with its labels. */
  #count(
    name: string,
    help: string,
    labelNames: string[],
    values: () => [labels: Record<string, string>, count: number][],
  ): void {
    new Counter({
      ...{ name, help, labelNames, registers: [this.#registry] },
      collect() {
        this.reset();
        for (const [labels, count] of values()) this.inc(labels, count);
      },
    });
  }
}

/**
 * Returns the metrics of a server in Prometheus' text format.
 * @param all the metrics of each of its processes
 */
export function metricsText(all: readonly CountedMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** Returns the metrics of a process that does not answer: its memory and the start time of the server. */
export function firstProcess(): Promise<CountedMetrics> {
  const registry = new Registry();
  addProcessGauges(registry);
  return registry.getMetricsAsJSON();
}

/** Returns the metrics of the pulls; none if nothing is pulled. */
export async function pullMetrics(state: PullState | undefined): Promise<CountedMetrics> {
  if (state === undefined) return [];
  const registry = new Registry();
  const { ageSeconds, generation, succeeded, failed } = state;
  const gauge = gaugeIn(registry);
  const age = "Seconds since the last pull that succeeded, or since the start.";
  gauge("crawldex_pull_age_seconds", age, () => ageSeconds);
  if (generation !== null) {
    gauge("crawldex_pulled_generation", "The generation that was pulled last.", () => generation);
  }
  const pulls = new Counter({
    ...{ name: "crawldex_pulls_total", help: "Pulls that succeeded and failed." },
    ...{ labelNames: ["outcome"], registers: [registry] },
  });
  pulls.inc({ outcome: "succeeded" }, succeeded);
  pulls.inc({ outcome: "failed" }, failed);
  return registry.getMetricsAsJSON();
}

/**
 * Adds the counters and histograms of a process that has ended to those of earlier ones. Drops its gauges: the memory
 * that they measured is free.
 */
export function withEnded(before: CountedMetrics, ended: CountedMetrics): Promise<CountedMetrics> {
  // prom-client's types declare numbers here, but the values are names.
  const counts = ended.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
  return AggregatorRegistry.aggregate([before, counts]).getMetricsAsJSON();
}

function addProcessGauges(registry: Registry): void {
  const gauge = gaugeIn(registry);
  const rss = () => process.memoryUsage.rss();
  gauge("process_resident_memory_bytes", "Resident memory of all processes, in bytes.", rss);
  const start = () => Math.round(performance.timeOrigin) / 1000;
  gauge(
    "process_start_time_seconds",
    "Start time of the server, in seconds since 1970.",
    start,
    "min",
  );
}

/** @returns a function that adds a gauge; its `aggregator` says how to combine the values of several processes */
function gaugeIn(registry: Registry) {
  return (
    name: string,
    help: string,
    value: () => number,
    aggregator: "sum" | "max" | "min" = "sum",
  ) => {
    new Gauge({
      ...{ name, help, aggregator, registers: [registry] },
      collect() {
        this.set(value());
      },
    });
  };
}
