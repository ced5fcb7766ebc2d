import { describe, expect, it, onTestFinished } from "vitest";
import { LATENCY_BOUNDS, type MetricSources, Metrics } from "../../src/server/metrics.js";
import { aPublishedDirectory } from "../fixtures.js";
import { aService, expectError, send, sendRaw } from "./http.js";
import { type Family, readMetrics, requestsOf, valueNamed } from "./prometheus.js";

const LATENCY = "crawldex_request_duration_seconds";

const STATE = { cacheBytes: 2, snapshot: "a", generation: 7, listings: 3, isRefused: false };

function metricsOf(changes: Partial<MetricSources> = {}): Metrics {
  return new Metrics({ state: () => STATE, readiness: async () => ({}), ...changes });
}

const read = async (metrics: Metrics) => readMetrics(await metrics.text());

function aRequest(ms: number) {
  return { route: "report", status: 200, bytes: 10, ms, wasKept: false };
}

/** Asserts that the histogram's buckets rise to its count. @returns them by their bounds */
function expectHistogram(families: ReadonlyMap<string, Family>): Map<string, number> {
  const { samples = [] } = families.get(LATENCY) ?? {};
  const buckets = samples.filter(({ name }) => name === `${LATENCY}_bucket`);
  const bounds = buckets.map(({ labels }) => Number(labels.le?.replace("+Inf", "Infinity")));
  const counts = buckets.map(({ value }) => value);
  const one = (suffix: string) => samples.find(({ name }) => name === LATENCY + suffix)?.value;
  expect(bounds.length).toBe(LATENCY_BOUNDS.length + 1);
  expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
  expect(bounds.at(-1)).toBe(Number.POSITIVE_INFINITY);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(one("_count")).toBe(counts.at(-1));
  expect(one("_sum")).toBeGreaterThanOrEqual(0);
  return new Map(buckets.map(({ labels, value }) => [labels.le ?? "", value]));
}

describe("/metrics, if it is turned on", () => {
  it("counts an answer that its client did not get as cut", async () => {
    const metrics = metricsOf();
    metrics.answered({ ...aRequest(3), status: "cut", bytes: 0 });
    const families = await read(metrics);
    expect(requestsOf(families)).toEqual({ "report cut": 1 });
  });

  it("counts a known series of requests exactly, by route and status", async () => {
    const service = await aService(aPublishedDirectory(), onTestFinished, { metrics: true });
    const ask = (target: string, sent = {}) => send(service.server, target, sent);
    const report = "/api/sites/example.com/report";
    const lengths = [];
    for (let i = 0; i < 3; i += 1) lengths.push((await ask(report)).bytes.length);
    const etag = (await ask(report, { method: "HEAD" })).headers.etag ?? "";
    await ask(report, { headers: { "if-none-match": etag } });
    for (const target of [
      "/api/sites?limit=1",
      "/api/sites?limit=0",
      "/api/sites/none.example/report",
      "/api/tags",
      "/healthz",
      "/unknown",
      `${report}?scan=other`,
    ]) {
      lengths.push((await ask(target)).bytes.length);
    }
    lengths.push((await ask("/api/sites", { method: "DELETE" })).bytes.length);
    await ask("/api/sites", { method: "OPTIONS" });
    const broken = await sendRaw(service.server, "GARBAGE\r\n\r\n");
    lengths.push(Buffer.byteLength(broken.split("\r\n\r\n")[1] ?? ""));
    const families = readMetrics((await ask("/metrics")).text);
    expect(requestsOf(families)).toEqual({
      "report 200": 4,
      "report 304": 1,
      "report 404": 2,
      "search 200": 1,
      "search 400": 1,
      "search 204": 1,
      "search 405": 1,
      "tags 200": 1,
      "healthz 200": 1,
      "none 404": 1,
      "none 400": 1,
    });
    expect(expectHistogram(families).get("+Inf")).toBe(15);
    expect(valueNamed(families, "crawldex_cache_hits_total")).toBe(3);
    const bytes = lengths.reduce((a, b) => a + b);
    expect(valueNamed(families, "crawldex_response_bytes_total")).toBe(bytes);
    expect(requestsOf(readMetrics((await ask("/metrics?again")).text))["metrics 200"]).toBe(1);
  });

  it("says which snapshot is loaded, how reloads have ended, and how the process is", async () => {
    const service = await aService(null, onTestFinished, { metrics: true });
    const read = async () => readMetrics((await send(service.server, "/metrics")).text);
    const snapshots = async () =>
      (await read())
        .get("crawldex_snapshot_info")
        ?.samples.map(({ labels, value }) => [labels.id, value]);
    expect(await snapshots()).toEqual([["", 1]]);
    expect(valueNamed(await read(), "crawldex_listings")).toBe(0);
    const id = await service.publish(aPublishedDirectory());
    await expect.poll(snapshots, { timeout: 10_000 }).toEqual([[id, 1]]);
    const families = await read();
    const age = valueNamed(families, "crawldex_snapshot_age_seconds") ?? -1;
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(100);
    expect(valueNamed(families, "crawldex_ready")).toBe(1);
    const reloads = families.get("crawldex_reloads_total")?.samples ?? [];
    expect(reloads.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ["loaded", 1],
      ["refused", 0],
    ]);
    expect(valueNamed(families, "crawldex_listings")).toBe(1);
    expect(valueNamed(families, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    const uptime = Date.now() / 1000 - (valueNamed(families, "process_start_time_seconds") ?? 0);
    expect(uptime).toBeGreaterThan(0);
    expect(uptime).toBeLessThan(process.uptime() + 10);
  });

  it("is for the operator: no cache stores it, and no page of another origin can read it", async () => {
    const service = await aService(null, onTestFinished, { metrics: true });
    const { status, headers } = await send(service.server, "/metrics");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    const head = await send(service.server, "/metrics", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const method of ["POST", "OPTIONS"]) {
      const refused = await send(service.server, "/metrics", { method });
      expectError(refused, 405);
      expect(refused.headers.allow).toBe("GET, HEAD");
    }
  });

  it("does not exist unless it is turned on", async () => {
    expectError(await send((await aService(null)).server, "/metrics"), 404);
  });
});

describe("the text of the metrics", () => {
  it(
    "counts each request in all buckets whose bound it does not exceed, from ten microseconds to a " +
      "second",
    async () => {
      const metrics = metricsOf();
      for (const ms of [0.005, 0.01, 0.011, 0.2, 1000, 1001]) metrics.answered(aRequest(ms));
      const families = await read(metrics);
      const buckets = expectHistogram(families);
      expect([...buckets.values()]).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6]);
      expect([...buckets.keys()][0]).toBe("0.00001");
      const sum = families.get(LATENCY)?.samples.find(({ name }) => name.endsWith("_sum"))?.value;
      expect(sum).toBeCloseTo(2.001226, 9);
    },
  );

  it("has the promised names, types, help texts and labels", async () => {
    const metrics = metricsOf();
    metrics.answered(aRequest(1));
    const text = await metrics.text();
    const heads = text.split("\n").filter((line) => line.startsWith("#"));
    expect(heads).toEqual(
      PROMISED.flatMap(([name, type, help]) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
      ]),
    );
    expect(text).toContain('crawldex_requests_total{route="report",status="200"} 1\n');
    expect(text).toContain(`${LATENCY}_bucket{le="0.0025"} 1\n`);
    expect(text).toContain(`${LATENCY}_bucket{le="+Inf"} 1\n`);
    expect(text).toContain('crawldex_reloads_total{outcome="loaded"} 0\n');
  });
});

/** Dashboards and alerts of operators rely on these. */
const PROMISED = [
  ["crawldex_requests_total", "counter", "Requests answered, by route and status."],
  [LATENCY, "histogram", "Seconds from receiving a request's head to answering it."],
  ["crawldex_response_bytes_total", "counter", "Bytes of response bodies sent."],
  ["crawldex_cache_hits_total", "counter", "Answers from the cache."],
  ["crawldex_reloads_total", "counter", "Snapshots loaded and refused."],
  ["crawldex_snapshot_info", "gauge", "The snapshot that answers."],
  ["crawldex_snapshot_generation", "gauge", "The number of its publication; 0 before the first."],
  [
    "crawldex_snapshot_age_seconds",
    "gauge",
    "Seconds since it was published here; absent before the first snapshot.",
  ],
  ["crawldex_snapshot_refused", "gauge", "1 while the store's current snapshot is refused."],
  ["crawldex_ready", "gauge", "1 if /readyz answers 200."],
  ["crawldex_listings", "gauge", "Listings in search."],
  ["crawldex_cache_bytes", "gauge", "Bytes of the cached answers."],
  ["process_resident_memory_bytes", "gauge", "Resident memory of the process, in bytes."],
  ["process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970."],
];
