import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RemoteBusyError, RemoteRefusedError } from "../../../src/extras/remote/failures.js";
import { push as pushTo } from "../../../src/extras/remote/push.js";
import { BadSnapshotError, NoSnapshotError } from "../../../src/store/bad-snapshot.js";
import { temporaryFolder } from "../../fixtures.js";
import { repeated } from "../../slow.js";
import { aStore, named } from "../../store/stores.js";
import { anImitation, BUCKET } from "./imitation.js";
import { aPusher, pulledFrom } from "./pusher.js";
import { withSeals } from "./sealing.js";

withSeals();

/** The most requests of a push beyond one for each file that it uploads. */
const REQUESTS_MAX = 12;

describe("a push", () => {
  it("copies the current snapshot, makes it current, and does nothing the second time", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    const [id] = ids;
    const first = await push(0);
    expect(first).toMatchObject({ id, generation: 1, changed: true, deleted: 0, warnings: [] });
    expect(first.uploaded).toBe(first.files);
    expect(bucket.json("current.json")).toMatchObject({
      format: 2,
      id,
      generation: 1,
      revision: 1,
    });
    expect(bucket.paths()).toHaveLength(first.files + 1);
    // A list has any number of pages.
    bucket.pageSize = 2;
    const second = await push(0);
    expect(second).toMatchObject({ id, generation: 1, changed: false, uploaded: 0, bytes: 0 });
    expect(bucket.json("current.json")).toMatchObject({ id, revision: 1 });
  });

  it("sends only what changed, with few requests beyond", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher(60);
    await push(0);
    const before = bucket.count();
    const there = new Set(bucket.paths());
    const { uploaded, files, generation } = await push(1);
    expect(generation).toBe(2);
    const fresh = bucket.paths().filter((path) => !there.has(path));
    expect(uploaded).toBe(fresh.length);
    expect(uploaded).toBeLessThan(files);
    expect(bucket.count() - before - uploaded).toBeLessThanOrEqual(REQUESTS_MAX);
    expect(bucket.json("current.json")).toMatchObject({ id: ids[1], generation: 2, revision: 2 });
  });

  it("uploads the signature before the commit, as readers may ask for both at once", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    const signed: boolean[] = [];
    bucket.fault = ({ method, path }) => {
      if (method === "PUT" && path === "current.json")
        signed.push(bucket.text(`${ids[0]}/manifest.json.minisig`) !== null);
      return null;
    };
    await push(0, { sealedBy: "owner" });
    expect(signed).toEqual([true]);
  });

  it("lets caches keep the files that never change, and no others", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0);
    const [pack = "", table = ""] = [".pack", ".brief"].map((ending) =>
      bucket.paths().find((path) => path.endsWith(ending)),
    );
    const cached = "public, max-age=31536000, immutable";
    const expected: Record<string, string[]> = {
      "current.json": ["application/json", "no-cache"],
      [`${ids[0]}/manifest.json`]: ["application/json", cached],
      [`${ids[0]}/public/.well-known/api-catalog`]: ["application/linkset+json", cached],
      [pack]: ["application/octet-stream", cached],
      [table]: ["application/octet-stream", cached],
    };
    for (const [path, values] of Object.entries(expected)) {
      expect(Object.values(bucket.headers(path) ?? {}), path).toEqual(values);
    }
  });

  it("ends before its commit if a local file is damaged, and stores nothing in its place", async () => {
    const bucket = await anImitation();
    const { push, store, ids } = await aPusher();
    const manifest = JSON.parse(await readFile(join(store, `${ids[0]}/manifest.json`), "utf8"));
    const { file } = manifest.segments[0].pack;
    const path = join(store, file);
    const whole = await readFile(path);
    const changed = Buffer.from(whole);
    changed[0] = 0;
    const damages = {
      longer: () => appendFile(path, "x"),
      shorter: () => writeFile(path, whole.subarray(1)),
      changed: () => writeFile(path, changed),
      missing: () => rm(path),
    };
    for (const [name, damage] of Object.entries(damages)) {
      await damage();
      const failure = await push(0).catch((error: unknown) => error);
      expect(failure, name).toBeInstanceOf(BadSnapshotError);
      expect(String(failure)).toContain(file);
      expect(bucket.currentId()).toBe(null);
      expect(bucket.text(file), name).toBe(null);
      await writeFile(path, whole);
    }
    expect(await push(0)).toMatchObject({ changed: true });
  });

  it("refuses a store that was never published to, and a wrong address, which may hold a password", async () => {
    await anImitation();
    const store = await temporaryFolder();
    await expect(pushTo(BUCKET, { store })).rejects.toThrow(NoSnapshotError);
    for (const url of ["https://me:hunter2@example.com", "s3://B/x", "s3://bucket/../x", ""]) {
      const failure = await pushTo(url, { store }).catch((error: unknown) => error);
      expect(failure, url).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain("hunter2");
    }
    for (const grace of ["1 hour", "0s", "59s"]) {
      await expect(pushTo(BUCKET, { store, grace })).rejects.toThrow(/"grace" must be .* from 60s/);
    }
  });

  it.each(["ignored", "refused"] as const)(
    "refuses a store where conditions are %s before it sends much, and uses it if that is allowed",
    async (conditions) => {
      const bucket = await anImitation();
      bucket.conditions = conditions;
      const { push, ids } = await aPusher();
      const failure = await push(0).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RemoteRefusedError);
      expect(String(failure)).toContain("--allow-unconditional");
      // One small file was needed to find out.
      expect(bucket.paths()).toHaveLength(1);
      for (const index of [0, 1]) await push(index, { allowUnconditional: true });
      expect(bucket.currentId()).toBe(ids[1]);
      await expect(push(2)).rejects.toThrow(RemoteRefusedError);
      expect(bucket.currentId()).toBe(ids[1]);
    },
  );

  it("works with a store that compares entity tags without their quotes", async () => {
    const bucket = await anImitation();
    bucket.wantsBareTags = true;
    const { push, ids } = await aPusher();
    for (const index of [0, 1, 2]) await push(index);
    expect(bucket.currentId()).toBe(ids[2]);
  });

  it("of an older publication is refused, and so is another one with the same number", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(1);
    await expect(push(0)).rejects.toThrow(RemoteRefusedError);
    await expect(push(0)).rejects.toThrow(
      /has generation 2, and this snapshot, generation 1, is an older one, .*run crawldex pull/,
    );
    const elsewhere = await aStore(named("name 0", {}, 3), named("another second", {}, 3));
    await expect(pushTo(BUCKET, { store: elsewhere.store })).rejects.toThrow(
      /this snapshot, generation 2, is another one/,
    );
    expect(bucket.currentId()).toBe(ids[1]);
  });

  it("of a store with a history of its own is published with a warning, unless its number is lower", async () => {
    await anImitation();
    const { push, ids } = await aPusher();
    const own = await aStore(named("own", {}, 3));
    await push(0);
    const { warnings, generation } = await pushTo(BUCKET, { store: own.store });
    expect([generation, warnings]).toEqual([1, [expect.stringMatching(/the bucket's history/)]]);
    expect(await push(1)).toMatchObject({ id: ids[1], generation: 2 });
    await expect(pushTo(BUCKET, { store: own.store })).rejects.toThrow(/into an empty store/);
  });

  it("of many at the same time publishes alone, and those that it overtakes are refused", async () => {
    const bucket = await anImitation();
    const pushers = await Promise.all(Array.from({ length: repeated(3, 8) }, () => aPusher()));
    let published = 0;
    for (let round = 0; round < 4; round += 1) {
      const index = (i: number) => round + (i % 3);
      const results = await Promise.allSettled(
        pushers.map(({ push }, i) => push(index(i), { keep: 1 })),
      );
      for (const result of results) {
        if (result.status === "rejected") {
          expect([RemoteBusyError, RemoteRefusedError]).toContain(result.reason.constructor);
          expect(`${result.reason}`).toMatch(/meanwhile.*push again|is an older one/);
        } else if (result.value.changed) published += 1;
      }
      expect(await pulledFrom()).toBe(bucket.currentId());
      expect(bucket.json("current.json")).toMatchObject({ revision: published });
    }
    expect(published).toBeGreaterThanOrEqual(2);
  });
});
