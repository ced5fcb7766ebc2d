import { expect, it, onTestFinished, vi } from "vitest";
import { push } from "../../../src/extras/remote/push.js";
import { median, percentile } from "../../bench/kit.js";
import { startServing } from "../../cli/served.js";
import { buildSample } from "../../fetch/directory.js";
import { temporaryFolder } from "../../fixtures.js";
import { pick, seeded } from "../../oracle/random.js";
import { Unavailable } from "../../stores/servers/processes.js";
import { startRgw } from "../../stores/servers/rgw.js";

const REQUESTS = process.env.STORES_RUN === "ci" ? 600 : 10_000;
/** Clients at a time. */
const CLIENTS = 4;
const HOT = 20;

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function reportAt(url: string, host: string): Promise<Answered> {
  const began = performance.now();
  const response = await fetch(`${url}/api/sites/${host}/report`);
  const body = await response.text();
  const ms = performance.now() - began;
  return { status: response.status, body, retryAfter: response.headers.get("retry-after"), ms };
}

it("reports by range from Ceph RGW: the bytes of local packs, while it is away 503 or what is " +
  "cached, then all again", async (context) => {
  const rgw = await startRgw().catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`SKIPPED, no rgw (${error.message}): ${context.task.name}\n`);
    return context.skip(error.message);
  });
  onTestFinished(rgw.stop);
  for (const [name, value] of Object.entries(rgw.env)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { store, records } = await buildSample(await temporaryFolder(), 1_500);
  const bucket = `s3://${await rgw.bucket()}/directory`;
  await push(bucket, { store });
  const cache = ["--cache-dir", await temporaryFolder()];
  const local = await startServing(store, ["--cache-mb", "0"]);
  const remote = await startServing(bucket, ["--cache-mb", "0", ...cache]);
  const caching = await startServing(bucket, cache);

  const hosts: string[] = [];
  const expected = new Map<string, string>();
  for (const host of records.listings.keys()) {
    const { status, body } = await reportAt(local.url, host);
    if (status === 200) hosts.push(host);
    expected.set(host, body);
  }
  const random = seeded(30);
  const measure = async (url: string, count: number) => {
    const times: number[] = [];
    const client = async () => {
      while (times.length < count) {
        const host = pick(random, hosts);
        const { status, body, ms } = await reportAt(url, host);
        expect([status, body === expected.get(host)], host).toEqual([200, true]);
        times.push(ms);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return times;
  };
  const half = REQUESTS / 2;
  const times = { local: await measure(local.url, half), remote: await measure(remote.url, half) };

  const hot = hosts.slice(0, HOT);
  for (const host of [...hot, ...hot]) await reportAt(caching.url, host);
  await rgw.leave();
  const away: Answered[] = [];
  for (let asked = 0; asked < HOT; asked += 1) {
    const cached = await reportAt(caching.url, hot[asked]!);
    expect([cached.status, cached.body === expected.get(hot[asked]!)]).toEqual([200, true]);
    away.push(await reportAt(remote.url, pick(random, hosts)));
    expect((await fetch(`${remote.url}/api/sites?q=a`)).status).toBe(200);
  }
  expect(new Set(away.map(({ status }) => status))).toEqual(new Set([503]));
  for (const { retryAfter } of away) expect(Number(retryAfter)).toBeGreaterThan(0);
  await rgw.comeBack();
  const began = performance.now();
  const isBack = async () => (await reportAt(remote.url, hosts[0]!)).status;
  await expect.poll(isBack, { timeout: 30_000, interval: 100 }).toBe(200);
  const back = performance.now() - began;
  times.local.push(...(await measure(local.url, half)));
  times.remote.push(...(await measure(remote.url, half)));

  const shown = (all: number[]) =>
    `p50 ${median(all).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`;
  process.stderr.write(
    `${times.remote.length} reports, ${CLIENTS} at a time: by range from RGW ${shown(times.remote)}; ` +
      `from local packs ${shown(times.local)}; 200 again after ${back.toFixed(0)} ms\n`,
  );
  expect(times.remote.length).toBeGreaterThanOrEqual(REQUESTS);
}, 1_800_000);
