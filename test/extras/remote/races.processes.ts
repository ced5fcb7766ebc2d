import { describe, expect, it } from "vitest";
import { pull } from "../../../src/extras/remote/pull.js";
import { push as pushTo } from "../../../src/extras/remote/push.js";
import { anImitation, BUCKET, type Imitation, type Received } from "./imitation.js";
import { aPusher, hold, newStore, pointerOf, pulledFrom } from "./pusher.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORPHAN = `segments/${"ab".repeat(16)}.pack`;

const isCommit = ({ method, path }: Received) => method === "PUT" && path === "current.json";
const isDeletion = ({ method }: Received) => method === "DELETE";

/** A bucket with snapshot 0, and a file that no snapshot needs any more. */
async function aBucketWithAnOldFile() {
  const bucket = await anImitation();
  const one = await aPusher();
  const other = await aPusher();
  await one.push(0);
  bucket.put(ORPHAN, "old");
  bucket.ahead += 2 * HOUR;
  return { bucket, one, other };
}

describe("two pushes of one snapshot", () => {
  it("succeed, and only the one that has set the mark deletes", async () => {
    const { bucket, one, other } = await aBucketWithAnOldFile();
    const { reached, release } = hold(bucket, isCommit);
    const late = other.push(1);
    await reached;
    const during = hold(bucket, (request) => isDeletion(request));
    const early = one.push(1);
    await during.reached;
    release();
    expect(await late).toMatchObject({ id: one.ids[1], changed: false, deleted: 0, warnings: [] });
    expect(bucket.json("current.json")).toMatchObject({ id: one.ids[1], deleting: true });
    during.release();
    expect(await early).toMatchObject({ id: one.ids[1], changed: true, deleted: 1 });
  });
});

describe("a push whose commit", () => {
  it("was answered late deletes nothing: others count it as killed", async () => {
    const { bucket, one } = await aBucketWithAnOldFile();
    bucket.fault = (request) => {
      if (!isCommit(request)) return null;
      bucket.fault = (next) => {
        if (next.path === "current.json" && next.method === "GET") bucket.ahead += MINUTE;
        return null;
      };
      return { status: 500, code: "InternalError", after: true };
    };
    expect(await one.push(1)).toMatchObject({ id: one.ids[1], changed: true, deleted: 0 });
    expect(bucket.text(ORPHAN)).toBe("old");
  });

  it("was replaced at once by another one has published all the same", async () => {
    const bucket = await anImitation();
    const one = await aPusher();
    const other = await aPusher();
    await one.push(0);
    let isNext = false;
    bucket.fault = async (request) => {
      if (isCommit(request)) isNext = true;
      else if (isNext && request.path === "current.json") {
        bucket.fault = () => null;
        await other.push(2);
      }
      return null;
    };
    expect(await one.push(1)).toMatchObject({ id: one.ids[1], generation: 2, changed: true });
  });
});

it(
  "a push that was killed after it had sent the manifest takes no files from readers of the former " +
    "snapshot",
  async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0, { keep: 1 });
    bucket.fault = (request) => (isCommit(request) ? { status: 403, code: "AccessDenied" } : null);
    await expect(push(1, { keep: 1 })).rejects.toThrow(/s3:PutObject/);
    bucket.fault = () => null;
    bucket.ahead += 2 * HOUR;
    expect(await push(1, { keep: 1 })).toMatchObject({ id: ids[1], changed: true, deleted: 0 });
    expect(bucket.paths()).toContain(`${ids[0]}/manifest.json`);
    bucket.ahead += HOUR / 2;
    expect((await push(1, { keep: 1 })).deleted).toBe(0);
    bucket.ahead += HOUR;
    expect((await push(1, { keep: 1 })).deleted).toBeGreaterThan(0);
  },
);

it("a pull does not set back what another one has published while it looked for the newest", async () => {
  const bucket = await anImitation();
  const { push, ids } = await aPusher();
  const store = await newStore();
  await push(0);
  await pull(BUCKET, { store });
  await push(1);
  const { reached, release } = hold(bucket, ({ path }) => path === `${ids[1]}/manifest.json`);
  const late = pull(BUCKET, { store });
  await reached;
  bucket.fault = () => null;
  await push(2);
  await pull(BUCKET, { store });
  release();
  expect(await late).toMatchObject({ id: ids[2], generation: 3, changed: false });
  expect(await pointerOf(store)).toMatchObject({ generation: 3 });
});

describe("the pointer in a bucket", () => {
  it.each([
    [{ format: 1, id: "0".repeat(32) }, /delete it there, then push again/],
    [{ format: 3 }, /push with the version that wrote it/],
  ])("of another format is not replaced: %o", async (pointer, message) => {
    const bucket = await anImitation();
    const { push, store } = await aPusher();
    await push(0);
    bucket.put("current.json", JSON.stringify(pointer));
    await expect(pushTo(BUCKET, { store })).rejects.toThrow(message);
    expect(bucket.json("current.json")).toEqual(pointer);
  });

  it("that has a wrong number for the snapshot to push is repaired", async () => {
    const bucket = await anImitation();
    const { push, ids, texts } = await aPusher();
    await push(0);
    const wrong = { ...JSON.parse(texts[0] ?? ""), generation: 99 };
    bucket.put("current.json", JSON.stringify(wrong));
    expect(await push(0)).toMatchObject({ id: ids[0], generation: 1, changed: true });
    expect(await pulledFrom()).toBe(ids[0]);
  });
});

/** A random number below `most`, the same in each run. */
function randomly(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

/** The files of the snapshot that is current, which the bucket does not have. */
function lost(bucket: Imitation, filesOf: ReadonlyMap<string, readonly string[]>): string[] {
  const there = new Set(bucket.paths());
  return (filesOf.get(bucket.currentId() ?? "") ?? []).filter((path) => !there.has(path));
}

it(
  "after each step of three pushes at the same time, some of them killed, all files of the current " +
    "snapshot are there",
  async () => {
    const bucket = await anImitation();
    const pushers = [await aPusher(), await aPusher(), await aPusher()];
    const [{ ids, push }] = pushers as [(typeof pushers)[0]];
    const filesOf = new Map<string, readonly string[]>();
    for (const [index, id] of ids.entries()) {
      const before = new Set(bucket.paths());
      await push(index);
      const isOwn = (path: string) => path !== "current.json" && !before.has(path);
      // Segments that two snapshots share are in the first one's list.
      filesOf.set(id, bucket.paths().filter(isOwn));
    }
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = randomly(seed);
      bucket.objects.clear();
      const current: (string | null)[] = [];
      const published: string[] = [];
      bucket.fault = async ({ method }) => {
        await new Promise((resolve) => setTimeout(resolve, random(4)));
        current.push(bucket.currentId());
        expect(lost(bucket, filesOf)).toEqual([]);
        // No request of a deletion takes longer than others wait for it.
        if (method !== "DELETE" && bucket.ahead < 40 * HOUR) bucket.ahead += random(3) * 1_000;
        const what = random(25);
        if (what === 0) return { status: 500, code: "InternalError", after: true };
        return what === 1 ? "cut before" : null;
      };
      for (let round = 0; round < 4; round += 1) {
        const attempts = pushers.map(async ({ push }) => {
          const stop = new AbortController();
          if (random(4) === 0) setTimeout(() => stop.abort(new Error("killed")), random(60));
          const options = { keep: 1, grace: "60s", signal: stop.signal };
          const done = await push(random(ids.length), options).catch((error: unknown) => {
            expect(String(error)).toMatch(/killed|push again|is an older one|tried 4 times/);
          });
          if (done !== undefined) published.push(done.id);
        });
        await Promise.all(attempts);
        bucket.ahead += 2 * MINUTE;
      }
      current.push(bucket.currentId());
      for (const id of published) expect(current).toContain(id);
      bucket.fault = () => null;
      expect(await pulledFrom()).toBe(bucket.currentId());
    }
  },
);
