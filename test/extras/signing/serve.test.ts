import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Snapshot } from "../../../src/answer/snapshot.js";
import { build } from "../../../src/publish/build.js";
import { serve } from "../../../src/server/serve.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { expectError, send } from "../../server/http.js";
import { manifestOf } from "../../store/forge.js";
import { named } from "../../store/stores.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

/** A signed store of a few listings, and a function that serves it with the public key. */
async function aSignedStore(files = manyListings(3)) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const { secretText, publicKey } = await aKeyPair(folder);
  const publish = async (next: typeof files) => {
    const published = await writePublished(await temporaryFolder(), next);
    return (await build(published, { store, jobs: 1, keep: 9, signingKey: secretText })).id;
  };
  const served = async (options = {}) => {
    const log: string[] = [];
    const server = await serve(store, {
      port: 0,
      ...NO_PICTURES,
      publicKeys: [publicKey],
      log: (line: string) => log.push(line),
      ...options,
    });
    onTestFinished(() => server.close());
    return { server, log };
  };
  return { store, id: await publish(files), publish, served };
}

const FOLLOWED = { timeout: 20_000, interval: 25 };
const reportOf = (host: string) => `/api/sites/${host}/report`;

describe("a server with a public key", () => {
  it("never answers a report that was changed in its pack", async () => {
    const { store, served } = await aSignedStore();
    const before = await served();
    const path = join(store, (await manifestOf(store)).segments[0]!.pack.file);
    const pack = await readFile(path);
    const good = await send(before.server, reportOf("site-1.example"));
    const at = pack.indexOf(good.bytes);
    const forged = Buffer.from(good.text.replace('"score":1', '"score":9'));
    await writeFile(
      path,
      Buffer.concat([pack.subarray(0, at), forged, pack.subarray(at + forged.length)]),
    );
    for (const { server } of [before, await served()]) {
      expectError(await send(server, reportOf("site-1.example")), 502);
      for (const host of ["site-0.example", "site-2.example"]) {
        expect((await send(server, reportOf(host))).status).toBe(200);
      }
    }
  });

  it("never sends a public document that was changed while it was checked", async () => {
    const { store, id, served } = await aSignedStore();
    const { server } = await served({ cacheMb: 0 });
    const path = join(store, id, "public/api/standards.json");
    const good = await readFile(path);
    const forged = Buffer.from(`${good}`.replace('"data"', '"date"'));
    // The same bytes in another file are accepted once they are checked.
    await writeFile(`${path}.copy`, good);
    await rename(`${path}.copy`, path);
    const read = Snapshot.prototype.readDocument;
    const reading = vi.spyOn(Snapshot.prototype, "readDocument");
    onTestFinished(() => reading.mockRestore());
    reading.mockImplementationOnce(async function (this: Snapshot, document) {
      const bytes = await read.call(this, document);
      await writeFile(path, forged);
      return bytes;
    });
    expect((await send(server, "/api/standards")).text).not.toContain('"date"');
    expectError(await send(server, "/api/standards"), 502);
  });

  it("refuses a pointer that states another number than the signed manifest", async () => {
    const { store, id, served } = await aSignedStore();
    const good = await readFile(join(store, "current.json"), "utf8");
    const poisoned = JSON.stringify({ ...JSON.parse(good), generation: Number.MAX_SAFE_INTEGER });
    await writeFile(join(store, "current.json"), poisoned);
    const { server } = await served();
    const ready = async () => JSON.parse((await send(server, "/readyz")).text);
    const trouble = expect.stringContaining("states another generation than");
    expect(await ready()).toEqual({ ready: false, trouble });
    await writeFile(join(store, "current.json"), good);
    await expect.poll(ready, FOLLOWED).toMatchObject({ ready: true, snapshot: id, generation: 1 });
  });

  it("refuses an older signed snapshot than its store has", async () => {
    const { store, id: old, publish, served } = await aSignedStore(named("Old"));
    const pointer = await readFile(join(store, "current.json"));
    const id = await publish(named("New"));
    const newPointer = await readFile(join(store, "current.json"));
    const running = await served();
    await writeFile(join(store, "current.json"), pointer);
    const refusal = `${old} is signed as generation 1, older than generation 2`;
    await expect.poll(() => running.log.join("\n"), FOLLOWED).toContain(refusal);
    expect((await send(running.server, "/readyz")).text).toContain(id);
    await running.server.close();
    const restarted = await served();
    await expect.poll(() => restarted.log.join("\n"), FOLLOWED).toContain(refusal);
    expectError(await send(restarted.server, reportOf("example.com")), 503);
    const unready = await send(restarted.server, "/readyz");
    expect([unready.status, unready.text]).toEqual([503, expect.stringContaining(refusal)]);
    await writeFile(join(store, "current.json"), newPointer);
    const ready = async () => (await send(restarted.server, "/readyz")).text;
    await expect.poll(ready, FOLLOWED).toContain(id);
    await expect.poll(ready, FOLLOWED).not.toContain("older");
  });
});
