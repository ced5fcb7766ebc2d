import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RemoteRefusedError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { BadSnapshotError, NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { currentId } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { crawldex } from "../cli/spawned.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { anImitation, BUCKET } from "./imitation.js";

/** The most requests of a push beyond one for each file that it uploads. */
const REQUESTS_MAX = 12;

describe("a push", () => {
  it("copies the current snapshot, commits it as generation 1, and does nothing the second time", async () => {
    const bucket = await anImitation();
    const { store, builds } = await aStore(named("one"));
    const [id = ""] = builds;
    const first = await push(BUCKET, { store });
    expect(first).toMatchObject({ id, generation: 1, changed: true, deleted: 0, warnings: [] });
    expect(first.uploaded).toBe(first.files);
    expect(bucket.json("generations/1.json")).toEqual({ format: 1, generation: 1, id });
    expect(bucket.json("current.json")).toEqual({ format: 1, id, generation: 1 });
    expect(bucket.paths()).toHaveLength(first.files + 2);
    const second = await push(BUCKET, { store });
    expect(second).toMatchObject({ id, generation: 1, changed: false, uploaded: 0, bytes: 0 });
    expect(bucket.generations()).toEqual({ 1: id });
  });

  it("sends only what changed, with few requests beyond", async () => {
    const bucket = await anImitation();
    const { store, publish } = await aStore(named("one", {}, 60));
    await push(BUCKET, { store });
    const id = await publish(named("two", {}, 60));
    const [before, there] = [bucket.count(), new Set(bucket.paths())];
    const { uploaded, files, generation } = await push(BUCKET, { store });
    expect(generation).toBe(2);
    const fresh = bucket.paths().filter((path) => !there.has(path));
    expect(uploaded).toBe(fresh.length - 1);
    expect(uploaded).toBeLessThan(files);
    expect(bucket.count() - before - uploaded).toBeLessThanOrEqual(REQUESTS_MAX);
    expect(bucket.json("current.json")).toEqual({ format: 1, id, generation: 2 });
  });

  it("lists a bucket of any number of pages", async () => {
    const bucket = await anImitation();
    bucket.pageSize = 2;
    const { store } = await aStore(named("one"));
    await push(BUCKET, { store });
    expect(await push(BUCKET, { store })).toMatchObject({ uploaded: 0, changed: false });
  });

  it("lets caches keep the files that never change, and no others", async () => {
    const bucket = await anImitation();
    const { store, builds } = await aStore(named("one"));
    await push(BUCKET, { store });
    const found = Object.fromEntries(
      bucket.paths().map((path) => [path, Object.values(bucket.headers(path) ?? {})]),
    );
    const cached = "public, max-age=31536000, immutable";
    expect(found["current.json"]).toEqual(["application/json", "no-cache"]);
    expect(found["generations/1.json"]).toEqual(["application/json", "no-cache"]);
    expect(found[`${builds[0]}/manifest.json`]).toEqual(["application/json", cached]);
    expect(found[`${builds[0]}/public/.well-known/api-catalog`]).toEqual([
      "application/linkset+json",
      cached,
    ]);
    const pack = Object.keys(found).find((path) => path.startsWith("reports/"));
    expect(found[pack ?? ""]).toEqual(["application/x-ndjson", cached]);
  });

  it("ends before its commit if a local file is damaged, and stores nothing in its place", async () => {
    const bucket = await anImitation();
    const { store } = await aStore(named("one"));
    const manifest = JSON.parse(
      await readFile(join(store, `${await currentId(store)}/manifest.json`), "utf8"),
    );
    const { file } = manifest.buckets[0].pack;
    const whole = await readFile(join(store, file));
    for (const damage of ["longer", "shorter", "changed", "missing"]) {
      const changed = Buffer.from(whole);
      changed[0] = 0;
      if (damage === "longer") await appendFile(join(store, file), "x");
      if (damage === "shorter") await writeFile(join(store, file), whole.subarray(1));
      if (damage === "changed") await writeFile(join(store, file), changed);
      if (damage === "missing") await rm(join(store, file));
      const failure = await push(BUCKET, { store }).catch((error: unknown) => error);
      expect(failure, damage).toBeInstanceOf(BadSnapshotError);
      expect(String(failure)).toContain(file);
      expect(bucket.generations()).toEqual({});
      expect(bucket.text(file), damage).toBe(null);
      await writeFile(join(store, file), whole);
    }
    expect(await push(BUCKET, { store })).toMatchObject({ changed: true });
  });

  it("refuses a store that was never published to, and a wrong address, which may hold a password", async () => {
    await anImitation();
    const store = await temporaryFolder();
    await expect(push(BUCKET, { store })).rejects.toThrow(NoSnapshotError);
    for (const url of ["https://me:hunter2@example.com", "s3://B/x", "s3://bucket/../x", ""]) {
      const failure = await push(url, { store }).catch((error: unknown) => error);
      expect(failure, url).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain("hunter2");
    }
    for (const grace of ["1 hour", "0s", "59s"]) {
      await expect(push(BUCKET, { store, grace })).rejects.toThrow(/"grace" must be .* from 60s/);
    }
    const words = ["push", BUCKET, "--store", store, "--grace", "30s"];
    expect(await crawldex(words)).toMatchObject({ code: 2, stderr: /from 60s to 366d/ });
  });

  it.each(["ignored", "refused"] as const)(
    "refuses a store where conditions are %s, leaves nothing there, and uses it if that is allowed",
    async (conditions) => {
      const bucket = await anImitation();
      bucket.conditions = conditions;
      const { store, builds, publish } = await aStore(named("one"));
      const failure = await push(BUCKET, { store }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RemoteRefusedError);
      expect(String(failure)).toContain("--allow-unconditional");
      expect(bucket.paths()).toEqual([]);
      await push(BUCKET, { store, allowUnconditional: true });
      const second = await publish(named("two"));
      await push(BUCKET, { store, allowUnconditional: true });
      expect(bucket.generations()).toEqual({ 1: builds[0], 2: second });
      const before = bucket.paths();
      await publish(named("three"));
      await expect(push(BUCKET, { store })).rejects.toThrow(RemoteRefusedError);
      expect(bucket.paths()).toEqual(before);
    },
  );

  it("of many at the same time creates gapless generations, each of them once", async () => {
    const bucket = await anImitation();
    const stores = await Promise.all(
      Array.from({ length: 8 }, (_, i) => aStore(named(`name ${i}`))),
    );
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.all(stores.map(({ store }) => push(BUCKET, { store })));
      const taken = results.filter(({ changed }) => changed).map(({ generation }) => generation);
      expect(new Set(taken).size).toBe(taken.length);
      for (const { id, generation } of results) expect(bucket.generations()[generation]).toBe(id);
    }
    const numbers = Object.keys(bucket.generations()).map(Number);
    expect(numbers).toEqual(Array.from(numbers, (_, i) => i + 1));
    const copy = join(await temporaryFolder(), "copy");
    const newest = bucket.generations()[numbers.length];
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ id: newest });
    expect((await verify(copy)).bad).toEqual([]);
  });
});
