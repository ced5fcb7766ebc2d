import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { anImitation, BUCKET, type Imitation } from "./imitation.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A store that pushes a new snapshot each time. */
async function aPusher() {
  const { store, publish } = await aStore(named("name 0"));
  let names = 0;
  return {
    store,
    /** Builds a snapshot with a name, and pushes it. @returns its id */
    push: async (options: { keep?: number; grace?: string; name?: string } = {}) => {
      names += 1;
      const { name = `name ${names}`, ...rest } = options;
      await publish(named(name));
      return push(BUCKET, { store, ...rest });
    },
  };
}

/** The ids of the snapshots whose manifests are in the bucket. */
function manifests(bucket: Imitation): string[] {
  const found = bucket.paths().filter((path) => path.endsWith("/manifest.json"));
  return found.map((path) => path.split("/")[0] ?? "");
}

async function expectWhole(id: string): Promise<void> {
  const copy = join(await temporaryFolder(), "copy");
  expect(await pull(BUCKET, { store: copy })).toMatchObject({ id });
  expect((await verify(copy)).bad).toEqual([]);
}

describe("old files in a bucket", () => {
  it("stay for the grace time after their generation is no longer kept, then go; its last reader loses nothing", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    const [first, second] = [await pusher.push(), await pusher.push()];
    bucket.ahead += 10 * HOUR;
    const third = await pusher.push({ keep: 2 });
    // The first one's files are old, but it was among the newest two until just now.
    expect(third.deleted).toBe(0);
    bucket.ahead += 59 * MINUTE;
    const fourth = await pusher.push({ keep: 2 });
    expect(fourth.deleted).toBe(0);
    bucket.ahead += 2 * MINUTE;
    const fifth = await pusher.push({ keep: 2 });
    bucket.ahead += 31 * MINUTE;
    const sixth = await pusher.push({ keep: 2 });
    expect(fifth.deleted + sixth.deleted).toBeGreaterThan(0);
    expect(manifests(bucket).sort()).toEqual(
      [second, third, fourth, fifth, sixth].map(({ id }) => id).sort(),
    );
    expect(manifests(bucket)).not.toContain(first.id);
    await expectWhole(sixth.id);
    expect(bucket.paths().filter((path) => path.startsWith("deleting-"))).toEqual([]);
  });

  it("are swept once in half of the grace time, however often pushes follow each other", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    for (let i = 0; i < 5; i += 1) {
      await pusher.push({ keep: 1 });
      bucket.ahead += 2 * HOUR;
    }
    await pusher.push({ keep: 1 });
    let sweeps = 0;
    bucket.fault = ({ method, path }) => {
      if (method === "PUT" && path?.startsWith("deleting-")) sweeps += 1;
      return null;
    };
    bucket.ahead += 2 * HOUR;
    for (let i = 0; i < 5; i += 1) await pusher.push({ keep: 1 });
    expect(sweeps).toBeLessThanOrEqual(2);
    expect(sweeps).toBeGreaterThan(0);
  });

  it("go without a new snapshot once the grace time has passed, and nothing else in the bucket is touched", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    const id = "0123456789abcdef".repeat(2);
    const foreign = [
      "notes.txt",
      "index/readme.md",
      `index/${id}.json`,
      `${id}/manifest.json.bak`,
      `${id}/public/../../other`,
      `${id}/public/..`,
      "generations/01.json",
      "generations/latest.json",
      "deleting-everything",
      "other/index/0-0123456789abcdef0123456789abcdef.json",
    ];
    for (const path of foreign) bucket.put(path, "not ours");
    const orphans = [`index/0-${id}.json`, `search/0-${id}.bin`, `${id}/public/api/x.json`];
    for (const path of orphans) bucket.put(path, "left by a push that was killed");
    await pusher.push({ keep: 1, grace: "60s" });
    const last = await pusher.push({ keep: 1, grace: "60s" });
    bucket.ahead += 2 * MINUTE;
    await push(BUCKET, { store: pusher.store, keep: 1, grace: "60s" });
    expect(manifests(bucket)).toEqual([last.id]);
    for (const path of foreign) expect(bucket.text(path), path).toBe("not ours");
    for (const path of orphans) expect(bucket.text(path), path).toBe(null);
    await expectWhole(last.id);
  });

  it("stay if the manifest of a kept generation is lost, with a warning", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    const first = await pusher.push();
    const second = await pusher.push();
    bucket.delete(`${first.id}/manifest.json`);
    const copy = join(await temporaryFolder(), "copy");
    await pull(BUCKET, { store: copy });
    bucket.ahead += 2 * HOUR;
    const { deleted, warnings } = await push(BUCKET, { store: copy });
    expect([deleted, warnings]).toEqual([
      0,
      ["no old files were deleted: the manifest of a kept generation is lost"],
    ]);
    await expectWhole(second.id);
  });

  it("include the mark of a push that was killed while it deleted", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    await pusher.push();
    const mark = `deleting-${"0123456789abcdef".repeat(2)}`;
    bucket.put(mark, "{}");
    bucket.ahead += 2 * HOUR;
    await pusher.push();
    expect(bucket.paths()).not.toContain(mark);
  });

  it("include generations beyond the newest hundred, the oldest first", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    for (let i = 0; i < 3; i += 1) await pusher.push();
    const { id } = await pusher.push();
    for (let generation = 5; generation <= 120; generation += 1) {
      const text = JSON.stringify({ format: 1, generation, id });
      bucket.put(`generations/${generation}.json`, text);
    }
    bucket.ahead += 2 * HOUR;
    const gone: number[] = [];
    bucket.fault = ({ method, path }) => {
      const [, number] = /^generations\/(\d+)/.exec(path ?? "") ?? [];
      if (method === "DELETE" && number !== undefined) gone.push(Number(number));
      return null;
    };
    const { generation } = await pusher.push();
    expect(generation).toBe(121);
    expect(gone).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    expect(Object.keys(bucket.generations())).toHaveLength(100);
  });
});

describe("a push that finds files which no generation names any more", () => {
  /** Pushes "one", then others until its files are old and unnamed, but still there. */
  async function withOldFiles(bucket: Imitation) {
    const pusher = await aPusher();
    const one = await pusher.push({ name: "one", keep: 1 });
    await pusher.push({ name: "two", keep: 1 });
    bucket.ahead += 3 * HOUR;
    expect(manifests(bucket)).toContain(one.id);
    return { pusher, one };
  }

  it("resets their times before it relies on them", async () => {
    const bucket = await anImitation();
    const { pusher, one } = await withOldFiles(bucket);
    const { id, uploaded } = await pusher.push({ name: "one", keep: 1 });
    expect([id, uploaded]).toEqual([one.id, 0]);
    await expectWhole(one.id);
  });

  it("waits for a push that is deleting them, and sends again what that one has deleted", async () => {
    const bucket = await anImitation();
    const { pusher, one } = await withOldFiles(bucket);
    const other = await aPusher();
    // The other push has listed the bucket and decided. It deletes its first file only after this push has uploaded.
    let [begin, resume] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isHeld = false;
    let lists = 0;
    bucket.fault = async ({ method, path }) => {
      if (method === "DELETE" && !path?.startsWith("deleting-") && !isHeld) {
        isHeld = true;
        begin();
        await resumed;
      }
      if (isHeld && path === null) {
        lists += 1;
        if (lists === 3) resume();
      }
      return null;
    };
    const deleting = other.push({ name: "three", keep: 1 });
    await begun;
    const { id, generation } = await pusher.push({ name: "one", keep: 1 });
    expect(bucket.generations()[generation]).toBe(id);
    expect((await deleting).deleted).toBeGreaterThan(0);
    expect(id).toBe(one.id);
    await expectWhole(one.id);
  });
});
