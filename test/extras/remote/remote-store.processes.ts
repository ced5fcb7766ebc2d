import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../../src/publish/build.js";
import { serve } from "../../../src/server/serve.js";
import { currentId } from "../../../src/store/reader.js";
import { type Sending, serveFolder } from "../../fetch/file-server.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { expectError, send } from "../../server/http.js";
import { manifestOf } from "../../store/forge.js";
import { aStore } from "../../store/stores.js";
import { copiedStore, manyListings } from "../../store/trees.js";
import { withSeals } from "./sealing.js";

withSeals();

const SOON = { timeout: 20_000, interval: 25 };
const QUIET = { port: 0, ...NO_PICTURES, refreshSeconds: 1 };

/**
 * A store behind a web server, and a server that reads it from there.
 * @param given the store, if something is published into it. Default: a copy of one with 60 listings
 */
async function aRemoteStore(
  spoil: (sending: Sending) => void = () => {},
  options: { sealedWith?: string } = {},
  given?: string,
) {
  const store = given ?? (await copiedStore()).store;
  const cacheDir = await temporaryFolder();
  const origin = await serveFolder(store, spoil);
  onTestFinished(origin.close);
  const log: string[] = [];
  const served = async () => {
    const told = { ...QUIET, cacheDir, log: (line: string) => log.push(line) };
    const server = await serve(origin.url, { ...told, ...options });
    onTestFinished(() => server.close());
    return server;
  };
  return { store, cacheDir, origin, served, log };
}

const reportOf = (n: number) => `/api/sites/site-${n}.example/report`;

describe("a server of a remote store", () => {
  it("reads packs by ranges, and its tables once, also after a restart", async () => {
    const { store, publish } = await aStore(manyListings());
    const { served, origin, cacheDir } = await aRemoteStore(undefined, {}, store);
    const first = await served();
    expect((await send(first, reportOf(7))).status).toBe(200);
    const of = (ending: string) => origin.requests.filter(({ path }) => path.endsWith(ending));
    expect(of(".brief").length).toBe(4);
    expect(of(".pack").length).toBeGreaterThan(1);
    expect(of(".pack").every(({ range }) => range !== undefined)).toBe(true);
    await first.close();
    const server = await served();
    expect(of(".brief").length).toBe(4);
    const before = (await manifestOf(store)).segments.map(({ table }) => table.file);
    const next = manyListings();
    next.listings[0] = { ...next.listings[0]!, name: "Another name" };
    await publish(next);
    server.reload();
    const found = async () => (await send(server, "/api/sites?q=another")).text;
    await expect.poll(found, SOON).toContain('"total":1');
    const after = (await manifestOf(store)).segments.map(({ table }) => table.file);
    const fetched = of(".brief").map(({ path }) => path);
    expect(fetched.slice(4).sort()).toEqual(after.filter((file) => !before.includes(file)).sort());
    const names = after.map((file) => file.slice("segments/".length));
    expect((await readdir(join(cacheDir, "segments"))).sort()).toEqual(names.sort());
  });

  it("answers what it has while the store is away, 503 otherwise, and everything once it is back", async () => {
    let isAway = false;
    const { served, store, log } = await aRemoteStore(() => {
      if (isAway) throw new Error("away");
    });
    const id = await currentId(store);
    const server = await served();
    // The cache keeps what is asked for again.
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await send(server, reportOf(7))).status).toBe(200);
    }
    isAway = true;
    expect((await send(server, reportOf(7))).status).toBe(200);
    expect((await send(server, "/api/sites?q=site")).status).toBe(200);
    const away = await send(server, reportOf(8));
    expectError(away, 503);
    expect(away.headers["retry-after"]).toBe("2");
    expect(away.text).not.toContain("127.0.0.1");
    expect(log.join("\n")).toContain("answered 503: segments/");
    const ready = async () => JSON.parse((await send(server, "/readyz")).text);
    await expect.poll(ready, SOON).toMatchObject({ ready: true, snapshot: id, trouble: /500/ });
    isAway = false;
    expect((await send(server, reportOf(8))).status).toBe(200);
    await expect.poll(async () => (await ready()).trouble, SOON).toBeUndefined();
  });

  it("starts while the store is away, and waits for it", async () => {
    let isAway = true;
    const { served } = await aRemoteStore(() => {
      if (isAway) throw new Error("away");
    });
    const server = await served();
    expectError(await send(server, "/api/sites"), 503);
    isAway = false;
    await expect.poll(async () => (await send(server, "/api/sites")).status, SOON).toBe(200);
  });

  it("that checks signatures refuses what is not signed, and what is older", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const publish = async (count: number, sealedBy?: string) => {
      const published = await writePublished(join(folder, `${count}`), manyListings(count));
      return (await build(published, { store, jobs: 1, sealedBy })).id;
    };
    await publish(2);
    const { served } = await aRemoteStore(undefined, { sealedWith: "owner" }, store);
    const server = await served();
    const ready = async () => JSON.parse((await send(server, "/readyz")).text);
    expect(await ready()).toEqual({
      ready: false,
      trouble: expect.stringContaining("is not sealed"),
    });
    const old = await publish(3, "owner");
    await expect.poll(ready, SOON).toMatchObject({ ready: true, snapshot: old });
    const pointer = await readFile(join(store, "current.json"));
    const id = await publish(4, "owner");
    await expect.poll(ready, SOON).toEqual({ ready: true, snapshot: id, generation: 3 });
    await writeFile(join(store, "current.json"), pointer);
    await expect.poll(ready, SOON).toMatchObject({ snapshot: id, trouble: expect.any(String) });
  });

  it("is needed for a mirror", async () => {
    await expect(serve("store", { mirror: true })).rejects.toThrow(/needs the address of a remote/);
  });
});
