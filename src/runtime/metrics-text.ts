import { ERROR_TEXTS } from "../contract/error.js";
import { CACHE_CONTROL } from "../contract/routes.js";
import type { Answer } from "./answer.js";
import { errorAnswer } from "./error-answers.js";
import { type Gathered, LATENCY_BOUNDS } from "./metrics.js";

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const METHODS = "GET, HEAD";

/**
 * The answer at `/metrics` (decisions, HTTP, extra addresses). It is for whoever runs the server, not for the pages
 * of other origins: it has no CORS, and no preflight.
 */
export function metricsAnswer(method: string, gathered: Gathered): Answer {
  if (method !== "GET") {
    const refusal = errorAnswer(405, ERROR_TEXTS.badMethod, [], { Allow: METHODS });
    return { ...refusal, route: "metrics" };
  }
  const body = new TextEncoder().encode(metricsText(gathered));
  const headers = {
    "Content-Type": CONTENT_TYPE,
    "Content-Length": String(body.length),
    "Cache-Control": CACHE_CONTROL.error,
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body, route: "metrics" };
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** The metrics of all processes together, as Prometheus reads them. */
export function metricsText(gathered: Gathered): string {
  const { counters, processes } = gathered;
  const { reloads } = counters;
  const sum = (pick: (process: Gathered["processes"][number]) => number) =>
    processes.reduce((total, process) => total + pick(process), 0);
  const requests = Object.entries(counters.requests).sort(([a], [b]) => (a < b ? -1 : 1));
  const ids = [...new Set(processes.map(({ snapshot }) => snapshot ?? ""))].sort();
  const listings = Math.max(0, ...processes.map((process) => process.listings));
  const total = (id: string) => processes.filter(({ snapshot }) => (snapshot ?? "") === id).length;
  return [
    metric(
      "crawldex_requests_total",
      "counter",
      "Requests answered, by address and status.",
      requests.map(([key, count]) => {
        const [route = "", status = ""] = key.split(" ");
        return [{ route, status }, count];
      }),
    ),
    latencies(counters),
    one("crawldex_response_bytes_total", "counter", "Bytes of bodies sent.", counters.bytes),
    one("crawldex_cache_hits_total", "counter", "Answers from memory.", counters.cacheHits),
    metric("crawldex_reloads_total", "counter", "Snapshots taken and refused.", [
      [{ outcome: "loaded" }, reloads.loaded],
      [{ outcome: "refused" }, reloads.refused],
    ]),
    metric(
      "crawldex_snapshot_info",
      "gauge",
      "Processes by the snapshot that they answer from.",
      ids.map((id) => [{ id }, total(id)]),
    ),
    one("crawldex_listings", "gauge", "Listings in search.", listings),
    one("crawldex_workers", "gauge", "Processes that answer.", processes.length),
    one(
      "crawldex_cache_bytes",
      "gauge",
      "Memory of the answers that are kept.",
      sum(({ cacheBytes }) => cacheBytes),
    ),
    one(
      "process_resident_memory_bytes",
      "gauge",
      "Memory of all processes.",
      gathered.residentBytes,
    ),
    one(
      "process_start_time_seconds",
      "gauge",
      "When the server was started, since 1970.",
      gathered.startTime,
    ),
  ].join("");
}

function latencies({ latencies: counts, latencySum }: Gathered["counters"]): string {
  const name = "crawldex_request_duration_seconds";
  let below = 0;
  const buckets = [...LATENCY_BOUNDS, Number.POSITIVE_INFINITY].map((bound, place) => {
    below += counts[place] ?? 0;
    return line(`${name}_bucket`, { le: numberText(bound) }, below);
  });
  return [
    head(name, "histogram", "Time from a request's head to its answer."),
    ...buckets,
    line(`${name}_sum`, {}, latencySum),
    line(`${name}_count`, {}, below),
  ].join("");
}

function one(name: string, type: string, help: string, value: number): string {
  return metric(name, type, help, [[{}, value]]);
}

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => line(name, labels, value));
  return head(name, type, help) + lines.join("");
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
