import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { whyUnready } from "../../../src/extras/remote/mirror.js";
import type { ServeOptions } from "../../../src/server/options.js";
import { serve } from "../../../src/server/serve.js";
import { temporaryFolder } from "../../fixtures.js";
import { readMetrics, valueNamed } from "../../server/prometheus.js";
import { allNamed, TestOrigin } from "./origin.js";

const pulled = (ageSeconds: number) => ({ ageSeconds, succeeded: 1, failed: 0 });

async function aReplica(origin: TestOrigin, store: string, options: ServeOptions = {}) {
  const mirroring = { mirror: true, cacheDir: store };
  const server = await serve(origin.url, { port: 0, ...mirroring, metrics: true, ...options });
  onTestFinished(() => server.close());
  const ready = async () => {
    const reply = await fetch(`${server.url}/readyz`);
    return { status: reply.status, ...((await reply.json()) as { trouble?: string }) };
  };
  const metric = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return valueNamed(readMetrics(text), "crawldex_ready");
  };
  return { server, ready, metric };
}

it("a replica is ready until pulls have failed for longer than they may, with any store that it can make", async () => {
  const folder = await temporaryFolder();
  for (const store of [folder, join(folder, "not", "yet")]) {
    expect(await whyUnready(store, pulled(60), 60_000)).toBeUndefined();
    expect(await whyUnready(store, pulled(1e9), Infinity)).toBeUndefined();
    expect(await whyUnready(store, pulled(61.5), 60_000)).toBe(
      "no pull has succeeded for 61 seconds",
    );
  }
});

it("a replica that cannot write to its store is not ready, and says why", async () => {
  const origin = await TestOrigin.start();
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const { ready, metric } = await aReplica(origin, join(file, "store"));
  const trouble = "the store cannot be written (ENOTDIR)";
  expect(await ready()).toEqual({ status: 503, ready: false, trouble });
  expect(await metric()).toBe(0);
});

it(
  "a replica whose pulls have failed for --max-age is not ready, still answers, and is ready after " +
    "a pull",
  async () => {
    const origin = await TestOrigin.start();
    const id = await origin.push(allNamed("One"));
    const store = join(await temporaryFolder(), "store");
    const { server, ready, metric } = await aReplica(origin, store, { maxAge: "60s" });
    await expect.poll(ready).toMatchObject({ status: 200, ready: true, snapshot: id });
    await origin.down();
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
    onTestFinished(() => clock.mockRestore());
    expect(await ready()).toMatchObject({
      status: 503,
      ready: false,
      snapshot: id,
      generation: 1,
      trouble: expect.stringMatching(/^no pull has succeeded for 6\d seconds$/),
    });
    expect(await metric()).toBe(0);
    expect((await fetch(`${server.url}/api/sites`)).status).toBe(200);
    await origin.up();
    server.reload();
    await expect.poll(ready).toMatchObject({ status: 200, ready: true });
    await expect.poll(metric).toBe(1);
  },
);

it("a wrong --max-age is a mistake of the caller", async () => {
  await expect(serve("store", { maxAge: "1s" })).rejects.toThrow(
    'serve: "maxAge" must be a time such as 90s, 10m, 1h or 7d, from 60s to 366d, found "1s"',
  );
});
