import { readdir, readFile, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/build/build.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { readMetrics, requestsOf, valueNamed } from "../runtime/prometheus.js";
import { lives, type Serving, startServing } from "./serving.js";
import { crawldexProcess } from "./spawned.js";

const SOON = { timeout: 20_000, interval: 50 };

async function aStore() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  let built = 0;
  const publish = async () => {
    built += 1;
    const listings = [aListing({ name: `Number ${built}` })];
    const files = aPublishedDirectory({ listings });
    const published = await writePublished(join(folder, `published-${built}`), files);
    return (await build(published, { store, jobs: 1, keep: 3 })).id;
  };
  await publish();
  return { store, publish };
}

interface Got {
  readonly status: number;
  readonly text: string;
}

/**
 * Asks once, for five seconds at most: node:cluster never closes a connection that it hands over in the very
 * instant in which that worker is killed.
 */
function ask({ host, port }: Serving, path: string, agent: Agent | false = false): Promise<Got> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(5_000);
    const req = get({ host, port, path, agent, signal }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("error", reject);
      res.on("end", () => {
        resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    req.on("error", reject);
  });
}

async function metricsOf(serving: Serving) {
  return readMetrics((await ask(serving, "/metrics")).text);
}

/** Processes that serve each snapshot. */
async function snapshotsOf(serving: Serving) {
  const { samples = [] } = (await metricsOf(serving)).get("crawldex_snapshot_info") ?? {};
  return samples.map(({ labels, value }) => [labels.id, value]);
}

/** Clients that ask one thing after the other over a connection each until they are told to stop. */
function load(serving: Serving, path: string, clients: number) {
  const answers: { got: Got | null }[] = [];
  let isOver = false;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      answers.push({ got: await ask(serving, path, agent).catch(() => null) });
      // The processors are the workers', which must start meanwhile.
      await sleep(10);
    }
    agent.destroy();
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    answers,
    stop: async () => {
      isOver = true;
      await all;
    },
  };
}

describe("serve --workers: several processes on one port", () => {
  it("count together; a killed worker is replaced while the others serve, and no count falls", async () => {
    const { store } = await aStore();
    const options = ["--workers", "3", "--metrics", "--log", "json"];
    const serving = await startServing(store, options);
    const before = await serving.workers();
    expect(before).toHaveLength(3);
    for (let i = 0; i < 30; i += 1) expect((await ask(serving, "/api/tags")).status).toBe(200);
    const families = await metricsOf(serving);
    expect(requestsOf(families)).toEqual({ "tags 200": 30 });
    expect(valueNamed(families, "crawldex_workers")).toBe(3);
    await expect.poll(() => serving.out.length, SOON).toBe(31);
    const routes = serving.out.map((line) => (JSON.parse(line) as { route: string }).route);
    expect(routes.filter((route) => route === "tags")).toHaveLength(30);

    const { answers, stop } = load(serving, "/api/sites", 6);
    await expect.poll(() => answers.length, SOON).toBeGreaterThan(50);
    process.kill(before[0] ?? 0, "SIGKILL");
    await expect.poll(() => serving.workers(), SOON).not.toContain(before[0]);
    await expect
      .poll(async () => (await serving.workers()).filter((pid) => !before.includes(pid)), SOON)
      .toHaveLength(1);
    await expect
      .poll(async () => valueNamed(await metricsOf(serving), "crawldex_workers"), SOON)
      .toBe(3);
    await stop();
    // Requests that the dead one had are lost, at most one a client.
    expect(answers.filter(({ got }) => got === null).length).toBeLessThanOrEqual(6);
    expect(answers.filter(({ got }) => got !== null && got.status !== 200)).toEqual([]);
    expect(requestsOf(await metricsOf(serving))["tags 200"]).toBe(30);
    expect(serving.said().match(/was killed by SIGKILL/g)).toHaveLength(1);
    const fresh = await Promise.all(Array.from({ length: 6 }, () => ask(serving, "/readyz")));
    expect(new Set(fresh.map(({ text }) => text)).size).toBe(1);

    serving.kill("SIGTERM");
    expect((await serving.ended).code).toBe(0);
  });

  it("each follow the store, and no request fails while they take new snapshots", async () => {
    const { store, publish } = await aStore();
    const serving = await startServing(store, ["--workers", "2", "--metrics"]);
    const { answers, stop } = load(serving, "/api/sites", 8);
    for (const name of ["Number 2", "Number 3"]) {
      const id = await publish();
      serving.kill("SIGHUP");
      await expect.poll(() => snapshotsOf(serving), SOON).toEqual([[id, 2]]);
      expect((await ask(serving, "/api/sites")).text).toContain(name);
    }
    await stop();
    expect(answers.filter(({ got }) => got?.status !== 200)).toEqual([]);
    const names = answers.flatMap(({ got }) => /"Number \d"/.exec(got?.text ?? "")?.[0] ?? []);
    expect(new Set(names).size).toBe(3);
    const { samples = [] } = (await metricsOf(serving)).get("crawldex_reloads_total") ?? {};
    expect(samples.map(({ value }) => value)).toEqual([6, 0]);
    expect(serving.said().match(/snapshot \w+ loaded/g)).toHaveLength(3);
    serving.kill("SIGINT");
    expect((await serving.ended).code).toBe(0);
  });

  it("do not answer from a worker that cannot load the snapshot yet, and all end with the first process", async () => {
    const { store, publish } = await aStore();
    const serving = await startServing(store, ["--workers", "2", "--metrics"]);
    const [columns = ""] = (await readdir(join(store, "index"))).filter((one) => /bin$/.test(one));
    const path = join(store, "index", columns);
    const good = await readFile(path);
    await writeFile(path, good.fill(0));
    const [first = 0] = await serving.workers();
    process.kill(first, "SIGKILL");
    const { said } = serving;
    await expect.poll(said, SOON).toContain("snapshot refused");
    const got = await Promise.all(Array.from({ length: 10 }, () => ask(serving, "/api/sites")));
    expect(got.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const id = await publish();
    await expect.poll(() => snapshotsOf(serving), SOON).toEqual([[id, 2]]);
    const [one = 0] = await serving.workers();
    process.kill(one, "SIGKILL");
    await expect.poll(async () => (await ask(serving, "/api/sites")).status, SOON).toBe(200);

    const workers = await serving.workers();
    serving.kill("SIGKILL");
    await expect.poll(() => workers.filter(lives), SOON).toEqual([]);
  });

  it("exit 1 with one line if the port is taken", async () => {
    const { store } = await aStore();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as { port: number };
    const args = ["serve", store, "--workers", "2", "--port", String(port), "--quiet"];
    const { code, stdout, stderr } = await crawldexProcess(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: .*EADDRINUSE.*\n$/);
  });
});
