import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServeOptions } from "../../../src/server/options.js";
import { serve } from "../../../src/server/serve.js";
import { layout } from "../../../src/store/layout.js";
import { temporaryFolder } from "../../fixtures.js";
import { allNamed, TestOrigin } from "./origin.js";
import { withSeals } from "./sealing.js";

withSeals();

/** A server that mirrors an origin, with its local store and its log. */
async function aReplica(origin: TestOrigin, options: ServeOptions = {}, given?: string) {
  const store = given ?? join(await temporaryFolder(), "store");
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const mirroring = { mirror: true, cacheDir: store, refreshSeconds: 1 };
  const server = await serve(origin.url, { port: 0, ...mirroring, log, ...options });
  onTestFinished(() => server.close());
  const ready = async () => (await fetch(`${server.url}/readyz`)).json();
  const generation = async () => ((await ready()) as { generation?: number }).generation;
  const name = async () => {
    const answer = await fetch(`${server.url}/api/sites?limit=1`);
    const body = (await answer.json()) as { data?: { name: string }[] };
    return body.data?.[0]?.name ?? answer.status;
  };
  return { server, store, logged, ready, generation, name };
}

const WAIT = { timeout: 30_000, interval: 20 };

describe("a server that mirrors a remote store", () => {
  it(
    "answers 503 until the first pull is done, then serves the snapshot and each new one, with its " +
      "generation",
    async () => {
      const origin = await TestOrigin.start();
      const id = await origin.push(allNamed("One"));
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      origin.onRequest = () => held;
      const { ready, name, generation, logged } = await aReplica(origin);
      expect(await ready()).toEqual({ ready: false });
      expect(await name()).toBe(503);
      letGo();
      await expect
        .poll(ready, WAIT)
        .toEqual({ ready: true, snapshot: id, generation: 1, publishedAt: expect.any(String) });
      expect(await name()).toBe("One");
      const next = await origin.push(allNamed("Two"));
      await expect.poll(generation, WAIT).toBe(2);
      expect(await name()).toBe("Two");
      expect(logged).toEqual([
        `snapshot ${id}, generation 1, loaded: 12 listings in search`,
        `snapshot ${next}, generation 2, loaded: 12 listings in search`,
      ]);
    },
  );

  it(
    "serves what it has while the origin is down, and catches up when it comes back three " +
      "generations later",
    async () => {
      const origin = await TestOrigin.start();
      await origin.push(allNamed("One"));
      const { name, generation, logged } = await aReplica(origin);
      await expect.poll(generation, WAIT).toBe(1);
      await origin.down();
      await expect.poll(() => logged.length, WAIT).toBe(2);
      for (const next of ["Two", "Three", "Four"]) await origin.push(allNamed(next));
      expect(await name()).toBe("One");
      await origin.up();
      await expect.poll(generation, WAIT).toBe(4);
      expect(await name()).toBe("Four");
      expect(logged).toEqual([
        expect.stringContaining("generation 1, loaded"),
        `cannot pull from ${origin.url}, and keeps trying: ${origin.url}/current.json: the server ` +
          "refuses connections (tried 3 times)",
        expect.stringMatching(/^pulls from http:\S+ succeed again, after \d+ that failed$/),
        expect.stringContaining("generation 4, loaded"),
      ]);
    },
  );

  it("ends a pull that hangs when it is closed, and leaves no file that is half there", async () => {
    const origin = await TestOrigin.start();
    await origin.push(allNamed("One"));
    const { server, store, generation } = await aReplica(origin);
    await expect.poll(generation, WAIT).toBe(1);
    let hangs = false;
    origin.onRequest = (path) => {
      if (!path.endsWith(".pack")) return true;
      hangs = true;
      return false;
    };
    await origin.push(allNamed("Two"));
    await expect.poll(() => hangs, WAIT).toBe(true);
    await server.close();
    const names = (await readdir(store, { recursive: true })).filter((one) => /\.new-/.test(one));
    expect(names).toEqual([]);
    expect((await readdir(store)).filter((one) => one.startsWith(".lock"))).toEqual([]);
  });
});

describe("a server that mirrors a signed remote store", () => {
  /** An origin, who signs its snapshots, and the options of a replica that checks it. */
  async function aSignedOrigin() {
    const origin = await TestOrigin.start();
    return { origin, key: "owner", options: { sealedWith: "owner" } };
  }

  it("follows it, and keeps serving when it goes back to an older generation, which is logged once", async () => {
    const { origin, key, options } = await aSignedOrigin();
    const old = await origin.push(allNamed("One"), key);
    await origin.push(allNamed("Two"), key);
    const { name, generation, logged } = await aReplica(origin, options);
    await expect.poll(generation, WAIT).toBe(2);
    // An attacker replays the old snapshot, as it is, then under a new number.
    await origin.commit(old);
    await expect.poll(() => logged.length, WAIT).toBe(2);
    expect(logged[1]).toContain("offers generation 1, but the local store has had generation 2");
    const pointer = JSON.parse(await readFile(join(origin.folder, "current.json"), "utf8"));
    await origin.write("current.json", JSON.stringify({ ...pointer, generation: 3 }));
    // The same message is not logged again, so the signature's second fetch shows that the number was tried.
    const fetched = () =>
      origin.asked.filter((path) => path.endsWith(`${old}/manifest.json.minisig`));
    await expect.poll(() => fetched().length, WAIT).toBeGreaterThan(1);
    expect(logged).toHaveLength(2);
    expect([await name(), await generation()]).toEqual(["Two", 2]);
    await origin.push(allNamed("Three"), key);
    await expect.poll(generation, WAIT).toBe(3);
    expect(await name()).toBe("Three");
  });

  it("does not serve an unsigned local snapshot, and pulls the signature of a signed one that lacks it", async () => {
    const { origin, key, options } = await aSignedOrigin();
    const id = await origin.push(allNamed("One"), key);
    const store = join(await temporaryFolder(), "store");
    await cp(origin.folder, store, { recursive: true });
    await rm(layout.signature(store, id));
    await origin.down();
    const { ready, generation, logged } = await aReplica(origin, options, store);
    const trouble = expect.stringContaining(`${id} is not sealed`);
    expect(await ready()).toEqual({ ready: false, trouble });
    expect(logged).toContainEqual(expect.stringMatching(/^snapshot refused: .* is not sealed/));
    await origin.up();
    await expect.poll(generation, WAIT).toBe(1);
    expect(await readFile(layout.signature(store, id), "utf8")).toContain("generation:1 ");
  });
});
