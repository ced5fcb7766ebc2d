import { describe, expect, it, onTestFinished } from "vitest";
import {
  firstProcess,
  LATENCY_BOUNDS,
  Metrics,
  metricsText,
  withEnded,
} from "../../../src/runtime/observe/metrics.js";
import { aPublishedDirectory } from "../../fixtures.js";
import { aService, expectError, send, sendRaw } from "../http.js";
import { type Family, readMetrics, requestsOf, valueNamed } from "../prometheus.js";

const LATENCY = "crawldex_request_duration_seconds";

const STATE = { cacheBytes: 2, snapshot: "a", listings: 3 };

function metricsOf(state = STATE): Metrics {
  return new Metrics(() => state);
}

async function readTogether(...all: Metrics[]) {
  const counted = await Promise.all(all.map((one) => one.counted()));
  return readMetrics(await metricsText(counted));
}

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
  it("counts a known series of requests exactly, by route and status", async () => {
    const service = await aService(aPublishedDirectory(), onTestFinished, { metrics: true });
    const ask = (target: string, sent = {}) => send(service.server, target, sent);
    const report = "/api/sites/example.com/report";
    const lengths = [];
    for (let i = 0; i < 3; i += 1) lengths.push((await ask(report)).bytes.length);
    const etag = (await ask(report, { method: "HEAD" })).headers.etag ?? "";
    await ask(report, { headers: { "if-none-match": etag } });
    for (const target of [
      ...["/api/sites?limit=1", "/api/sites?limit=0", "/api/sites/none.example/report"],
      ...["/api/tags", "/healthz", "/unknown", `${report}?scan=other`],
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
    const reloads = families.get("crawldex_reloads_total")?.samples ?? [];
    expect(reloads.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ["loaded", 1],
      ["refused", 0],
    ]);
    expect(valueNamed(families, "crawldex_listings")).toBe(1);
    expect(valueNamed(families, "crawldex_workers")).toBe(1);
    expect(valueNamed(families, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    const age = Date.now() / 1000 - (valueNamed(families, "process_start_time_seconds") ?? 0);
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThan(process.uptime() + 10);
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
  it("escapes the values of labels", async () => {
    const id = 'a"b\\c\nd\\n"} 1';
    const state = { ...STATE, snapshot: id };
    const families = await readTogether(metricsOf(state), metricsOf(state));
    expect(families.get("crawldex_snapshot_info")?.samples).toEqual([
      { name: "crawldex_snapshot_info", labels: { id }, value: 2 },
    ]);
    expect(valueNamed(families, "crawldex_cache_bytes")).toBe(4);
    expect(valueNamed(families, "crawldex_listings")).toBe(3);
  });

  it("counts each request in all buckets whose bound it does not exceed, from ten microseconds to a second", async () => {
    const metrics = metricsOf();
    for (const ms of [0.005, 0.01, 0.011, 0.2, 1000, 1001]) metrics.answered(aRequest(ms));
    const families = await readTogether(metrics);
    const buckets = expectHistogram(families);
    expect([...buckets.values()]).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6]);
    expect([...buckets.keys()][0]).toBe("0.00001");
    const sum = families.get(LATENCY)?.samples.find(({ name }) => name.endsWith("_sum"))?.value;
    expect(sum).toBeCloseTo(2.001226, 9);
  });

  it("adds up the counts of all processes, including those without requests", async () => {
    const [a, b] = [metricsOf(), metricsOf({ ...STATE, snapshot: "b", listings: 5 })];
    for (const ms of [0.001, 5]) a.answered(aRequest(ms));
    b.answered({ ...aRequest(5), wasKept: true });
    b.answered({ ...aRequest(2), route: undefined, status: 404 });
    b.reloaded("refused");
    const families = await readTogether(metricsOf(), a, metricsOf(), b);
    expect(requestsOf(families)).toEqual({ "report 200": 3, "none 404": 1 });
    const buckets = expectHistogram(families);
    expect([buckets.get("0.0025"), buckets.get("0.005"), buckets.get("+Inf")]).toEqual([2, 4, 4]);
    const sum = families.get(LATENCY)?.samples.find(({ name }) => name.endsWith("_sum"))?.value;
    expect(sum).toBeCloseTo(0.012001, 9);
    const named = (name: string) => valueNamed(families, name);
    expect(named("crawldex_response_bytes_total")).toBe(40);
    expect(named("crawldex_cache_hits_total")).toBe(1);
    expect(named("crawldex_listings")).toBe(5);
    expect(named("crawldex_workers")).toBe(4);
    const samples = (name: string) =>
      families.get(name)?.samples.map(({ labels, value }) => [labels.outcome ?? labels.id, value]);
    expect(samples("crawldex_reloads_total")).toEqual([
      ["loaded", 0],
      ["refused", 1],
    ]);
    expect(samples("crawldex_snapshot_info")).toEqual([
      ["a", 3],
      ["b", 1],
    ]);
    expect(requestsOf(await readTogether(a))).toEqual({ "report 200": 2 });
  });

  it("keeps the counts of processes that have ended, but not their memory", async () => {
    const [a, b, c] = [metricsOf(), metricsOf(), metricsOf()];
    for (const one of [a, b, c]) one.answered(aRequest(1));
    const ended = await withEnded(await withEnded([], await a.counted()), await b.counted());
    const first = await firstProcess();
    const families = readMetrics(await metricsText([await c.counted(), ended, first]));
    expect(requestsOf(families)).toEqual({ "report 200": 3 });
    expect(expectHistogram(families).get("+Inf")).toBe(3);
    expect(valueNamed(families, "crawldex_workers")).toBe(1);
    expect(valueNamed(families, "crawldex_cache_bytes")).toBe(2);
    const rss = valueNamed(families, "process_resident_memory_bytes") ?? 0;
    expect(rss / process.memoryUsage.rss()).toBeGreaterThan(1.5);
    expect(rss / process.memoryUsage.rss()).toBeLessThan(2.5);
    const start = valueNamed(families, "process_start_time_seconds");
    expect(start).toBeCloseTo(performance.timeOrigin / 1000, 2);
  });

  it("has the promised names, types, help texts and labels", async () => {
    const metrics = metricsOf();
    metrics.answered(aRequest(1));
    const text = await metricsText([await metrics.counted()]);
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
  ["crawldex_snapshot_info", "gauge", "Processes that serve each snapshot."],
  ["crawldex_listings", "gauge", "Listings in search."],
  ["crawldex_workers", "gauge", "Processes that answer requests."],
  ["crawldex_cache_bytes", "gauge", "Bytes of the cached answers."],
  ["process_resident_memory_bytes", "gauge", "Resident memory of all processes, in bytes."],
  ["process_start_time_seconds", "gauge", "Start time of the server, in seconds since 1970."],
];
