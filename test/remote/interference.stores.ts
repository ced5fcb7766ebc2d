import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { RemoteSnapshotError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { currentId } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { treeOf } from "../store/trees.js";
import type { Interference } from "./passage.js";
import { behindPassage, generationsIn, pulledFrom } from "./real-bucket.js";

/** A pushed snapshot, a local copy of it, and a second snapshot that was built, but not pushed. */
async function aNewSnapshot(context: TestContext) {
  const { bucket, passage } = await behindPassage(context);
  const { store, builds, publish } = await aStore(named("one"));
  await push(bucket.url, { store });
  const copy = join(await temporaryFolder(), "copy");
  await pull(bucket.url, { store: copy });
  const id = await publish(named("two"));
  return { bucket, passage, store, old: builds[0] ?? "", id, copy, url: bucket.url, publish };
}

const FAULTS: [string, Interference][] = [
  ["is throttled (503 SlowDown)", { status: 503, code: "SlowDown" }],
  ["fails (500)", { status: 500, code: "InternalError" }],
  ["is cut before it has begun", "cut before"],
  ["is cut in the middle of its body", "cut in the request"],
  ["is cut in the middle of its answer", "cut in the answer"],
  ["is done, but its answer is lost", "answer lost"],
];

describe("through a network that fails, on Ceph RGW", () => {
  it.for(FAULTS)(
    "each request of a push and a pull works in the second try if the first one %s",
    async ([, fault], context) => {
      const { bucket, passage, store, old, id, copy, url } = await aNewSnapshot(context);
      const failed = new Set<string>();
      let passed = 0;
      passage.interfere = ({ method, path }) => {
        const request = `${method} ${path}`;
        // The store's own answer to a second create is not the first one's.
        if (failed.has(request)) return null;
        failed.add(request);
        passed += 1;
        return fault;
      };
      expect(await push(url, { store })).toMatchObject({ id, generation: 2, warnings: [] });
      failed.clear();
      expect(await pull(url, { store: copy })).toMatchObject({ id, generation: 2 });
      expect(passed).toBeGreaterThan(15);
      passage.interfere = () => null;
      expect(await generationsIn(bucket)).toEqual([old, id]);
      expect((await verify(copy)).bad).toEqual([]);
      expect(await pulledFrom(url)).toBe(id);
    },
  );

  it.for(FAULTS)(
    "a pull whose every request of a file %s ends with an error and changes no local file",
    async ([, fault], context) => {
      const { passage, store, old, id, copy, url } = await aNewSnapshot(context);
      await push(url, { store });
      const before = await treeOf(copy);
      passage.interfere = ({ path }) => (path.includes("/reports/") ? fault : null);
      await expect(pull(url, { store: copy })).rejects.toThrow(/reports\/\S+ ?.*\(tried 6 times\)/);
      expect(await currentId(copy)).toBe(old);
      expect((await verify(copy)).bad).toEqual([]);
      const after = await treeOf(copy);
      expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)));
      passage.interfere = () => null;
      expect(await pull(url, { store: copy })).toMatchObject({ id });
      expect((await verify(copy)).bad).toEqual([]);
    },
  );
});

describe("a file of the newest snapshot that was changed in the bucket of Ceph RGW", () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ["shorter", (bytes) => bytes.subarray(0, -1)],
    ["one bit", (bytes) => Buffer.from(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)))],
  ];

  it.for(damages)(
    "(%s) is named by a pull, which leaves the local snapshot as it was; deleting it there and pushing repairs it",
    async ([, damage], context) => {
      const { bucket, store, old, id, copy, url } = await aNewSnapshot(context);
      await push(url, { store });
      const before = new Set(Object.keys(await treeOf(copy)));
      const paths = await bucket.paths();
      const fresh = paths.filter(
        (path) => !before.has(path) && !/^(generations|current)/.test(path),
      );
      const kinds = ["reports/", "index/", "search/", "/public/", "/manifest.json"];
      for (const kind of kinds) {
        const path = fresh.find((one) => one.includes(kind));
        if (path === undefined) throw new Error(`no new file is of the kind ${kind}`);
        const whole = await bucket.read(path);
        await bucket.write(path, damage(whole));
        // An earlier pull has kept the good files that it had downloaded.
        const local = join(await temporaryFolder(), "local");
        await cp(copy, local, { recursive: true });
        const failure = await pull(url, { store: local }).catch((error: unknown) => error);
        expect(failure, path).toBeInstanceOf(RemoteSnapshotError);
        expect(String(failure)).toContain(path);
        expect(await currentId(local)).toBe(old);
        expect((await verify(local)).bad).toEqual([]);
        await bucket.remove(path);
        expect(await push(url, { store })).toMatchObject({ changed: false, uploaded: 1 });
        expect(await bucket.read(path)).toEqual(whole);
      }
      expect(await pull(url, { store: copy })).toMatchObject({ id });
      expect((await verify(copy)).bad).toEqual([]);
    },
  );
});

describe("a pull that is held in its middle while other pushes with --keep 1 run, on Ceph RGW", () => {
  /** Holds a pull at its first pack until three generations more were pushed. @returns what the pull came to */
  async function heldPull(context: TestContext, grace: string | undefined) {
    const { bucket, passage, store, id, copy, url, publish } = await aNewSnapshot(context);
    await push(url, { store });
    let [reached, release] = [() => {}, () => {}];
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    passage.interfere = async ({ path }) => {
      if (!path.includes("/reports/")) return null;
      reached();
      await released;
      return null;
    };
    const pulling = pull(url, { store: copy });
    await isReached;
    passage.interfere = () => null;
    let deleted = 0;
    const pushed: string[] = [];
    for (const name of ["three", "four", "five"]) {
      pushed.push(await publish(named(name)));
      deleted += (await push(url, { store, keep: 1, grace })).deleted;
    }
    release();
    const pulled = await pulling;
    expect((await verify(copy)).bad).toEqual([]);
    expect(await currentId(copy)).toBe(pulled.id);
    expect(await pulledFrom(bucket.url)).toBe(pushed[2]);
    return { pulled, deleted, held: id, newest: pushed[2] };
  }

  it("brings the whole snapshot that it has begun with, as the grace time keeps its files", async (context) => {
    const { pulled, deleted, held } = await heldPull(context, undefined);
    expect([pulled.id, pulled.generation, deleted]).toEqual([held, 2, 0]);
  });

  it("begins again with the newest snapshot if there is no grace time and its files are gone", async (context) => {
    const { pulled, deleted, newest } = await heldPull(context, "0s");
    expect(deleted).toBeGreaterThan(10);
    expect([pulled.id, pulled.generation]).toEqual([newest, 5]);
  });
});
