import { describe, expect, it } from "vitest";
import { PATIENCE, RemoteBusyError } from "../../../src/extras/remote/failures.js";
import { pull } from "../../../src/extras/remote/pull.js";
import { push as pushTo } from "../../../src/extras/remote/push.js";
import { anImitation, BUCKET, type Imitation, type Received } from "./imitation.js";
import { aPusher, hold, newStore, pulledFrom } from "./pusher.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DIGEST = "0123456789abcdef".repeat(2);
/** One of up to a hundred files of segments that no snapshot has. */
const orphanOf = (number: number) =>
  `segments/${String(number).padStart(2, "0")}${DIGEST.slice(2)}.pack`;

/** The ids of the snapshots whose manifests are in the bucket, sorted. */
function manifests(bucket: Imitation): string[] {
  const found = bucket.paths().filter((path) => path.endsWith("/manifest.json"));
  return found.map((path) => path.split("/")[0] ?? "").sort();
}

const isCommit = ({ method, path }: Received) => method === "PUT" && path === "current.json";

describe("old files in a bucket", () => {
  it(
    "stay for the grace time after their snapshot is no longer kept, then go; its last reader loses " +
      "nothing",
    async () => {
      const bucket = await anImitation();
      const { push, ids } = await aPusher();
      for (const index of [0, 1]) await push(index);
      bucket.ahead += 10 * HOUR;
      // The first one's files are old, but it was among the newest two until just now.
      expect((await push(2, { keep: 2 })).deleted).toBe(0);
      bucket.ahead += 59 * MINUTE;
      expect((await push(3, { keep: 2 })).deleted).toBe(0);
      expect(manifests(bucket)).toContain(ids[0]);
      bucket.ahead += 2 * MINUTE;
      const fifth = await push(4, { keep: 2 });
      bucket.ahead += 31 * MINUTE;
      const sixth = await push(5, { keep: 2 });
      expect(fifth.deleted + sixth.deleted).toBeGreaterThan(0);
      expect(manifests(bucket)).toEqual(ids.slice(1, 6).sort());
      expect(await pulledFrom()).toBe(ids[5]);
    },
  );

  it("stay for the grace time after their upload, too: a push that was refused may be run again", async () => {
    const bucket = await anImitation();
    const { push } = await aPusher();
    for (const index of [0, 1]) await push(index, { keep: 1 });
    bucket.ahead += 40 * MINUTE;
    const before = bucket.count();
    await push(2, { keep: 1 });
    // As no file is old, the bucket is listed once, to find the missing ones.
    const lists = bucket.received.slice(before).filter(({ path }) => path === null);
    expect(lists).toHaveLength(1);
    bucket.ahead += 2 * HOUR;
    const young = orphanOf(0);
    bucket.put(young, "uploaded by a push that was refused");
    expect((await push(3, { keep: 1 })).deleted).toBeGreaterThan(0);
    expect(bucket.text(young)).not.toBe(null);
    bucket.ahead += HOUR + MINUTE;
    expect((await push(4, { keep: 1 })).deleted).toBeGreaterThan(0);
    expect(bucket.text(young)).toBe(null);
  });

  it(
    "go without a new snapshot once the grace time has passed, and nothing else in the bucket is " +
      "touched",
    async () => {
      const bucket = await anImitation();
      const { push, ids } = await aPusher();
      const foreign = [
        "notes.txt",
        "segments/readme.md",
        `segments/${DIGEST}.json`,
        `${DIGEST}/manifest.json.bak`,
        `${DIGEST}/public/../../other`,
        `${DIGEST}/public/..`,
        "generations/1.json",
        `other/segments/${DIGEST}.pack`,
      ];
      for (const path of foreign) bucket.put(path, "not ours");
      const orphans = [orphanOf(0), `segments/${DIGEST}.brief`, `${DIGEST}/public/a.json`];
      for (const path of orphans) bucket.put(path, "left by a push that was killed");
      const options = { keep: 1, grace: "60s" };
      for (const index of [0, 1]) await push(index, options);
      bucket.ahead += 2 * MINUTE;
      expect(await push(1, options)).toMatchObject({ id: ids[1], generation: 2, changed: false });
      expect(manifests(bucket)).toEqual([ids[1]]);
      for (const path of foreign) expect(bucket.text(path), path).toBe("not ours");
      for (const path of orphans) expect(bucket.text(path), path).toBe(null);
      expect(await pulledFrom()).toBe(ids[1]);
      bucket.ahead += 2 * MINUTE;
      expect(await push(1, options)).toMatchObject({ generation: 2, deleted: 0 });
    },
  );

  it("stay if the manifest of a kept snapshot is lost, with a warning", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    for (const index of [0, 1]) await pusher.push(index);
    bucket.put(`${pusher.ids[0]}/manifest.json`, "damaged");
    // The local store does not have it either.
    const copy = await newStore();
    await pull(BUCKET, { store: copy });
    bucket.ahead += 2 * HOUR;
    const { deleted, warnings } = await pushTo(BUCKET, { store: copy });
    expect([deleted, warnings]).toEqual([
      0,
      ["no old files were deleted: the manifest of a kept snapshot is lost"],
    ]);
    expect(await pulledFrom()).toBe(pusher.ids[1]);
  });
});

describe("a push whose commit is held", () => {
  it.each([
    ["has published another snapshot", 2],
    // Among them are those that the held push relies on.
    ["has only deleted old files", 0],
  ])("is refused if another push meanwhile %s", async (_, index) => {
    const bucket = await anImitation();
    const other = await aPusher();
    const held = await aPusher();
    await other.push(0);
    const { reached, release } = hold(bucket, isCommit);
    const pushing = held.push(1);
    await reached;
    bucket.fault = () => null;
    bucket.ahead += 2 * MINUTE;
    const { deleted, id } = await other.push(index, { keep: 1, grace: "60s" });
    expect(deleted).not.toBe(0);
    expect(manifests(bucket).includes(held.ids[1] ?? "")).toBe(index !== 0);
    release();
    await expect(pushing).rejects.toThrow(RemoteBusyError);
    expect(await pulledFrom()).toBe(id);
    // Run again, it sends what is missing.
    bucket.ahead += MINUTE;
    expect(await held.push(3)).toMatchObject({ generation: 4 });
    expect(await pulledFrom()).toBe(held.ids[3]);
  });
});

const isDeletion = ({ method }: Received) => method === "DELETE";

describe("while a push deletes files", () => {
  /** A push of snapshot 2 that is held while it deletes the files of snapshot 0, and forty others. */
  async function deleting(deletingMs = PATIENCE.deletingMs) {
    const bucket = await anImitation();
    const first = await aPusher();
    for (const index of [0, 1]) await first.push(index, { keep: 1 });
    for (let i = 0; i < 40; i += 1) bucket.put(orphanOf(i), "left by a push");
    bucket.ahead += 2 * HOUR;
    PATIENCE.deletingMs = deletingMs;
    const { reached, release } = hold(bucket, isDeletion);
    const pushing = first.push(2, { keep: 1 });
    await reached;
    const left = () => bucket.paths().filter((path) => path.includes(DIGEST.slice(2))).length;
    return { bucket, pushing, release, left, first, other: await aPusher() };
  }

  it("readers have the new snapshot already, and another push is refused until its end", async () => {
    const { bucket, pushing, release, left, first, other } = await deleting();
    expect(bucket.json("current.json")).toMatchObject({ id: first.ids[2], deleting: true });
    expect(await pulledFrom()).toBe(first.ids[2]);
    await expect(other.push(3)).rejects.toThrow(RemoteBusyError);
    release();
    expect((await pushing).deleted).toBeGreaterThan(40);
    expect(left()).toBe(0);
    expect(bucket.json("current.json")).not.toHaveProperty("deleting");
    expect(await other.push(3)).toMatchObject({ id: other.ids[3], generation: 4 });
    expect(await pulledFrom()).toBe(other.ids[3]);
  });

  it("another one is refused for a minute, in case it was killed", async () => {
    const { bucket, other } = await deleting();
    await expect(other.push(3)).rejects.toThrow(/was killed while it did; push again in a minute/);
    // The time that the pushes take counts, too: a busy machine has 20 s for them.
    bucket.ahead += 40 * SECOND;
    await expect(other.push(3)).rejects.toThrow(RemoteBusyError);
    bucket.ahead += 20 * SECOND;
    expect(await other.push(3)).toMatchObject({ generation: 4 });
  });

  it("it stops after a third of that time, and leaves the rest to a later one", async () => {
    const { bucket, pushing, release, left } = await deleting();
    bucket.ahead += 21 * SECOND;
    release();
    expect(await pushing).toMatchObject({ generation: 3, warnings: [] });
    // Sixteen requests were under way.
    expect(left()).toBeGreaterThanOrEqual(40 - 16);
    expect(bucket.json("current.json")).not.toHaveProperty("deleting");
  });

  it("it leaves its mark if a deletion has no answer in time, so that others wait", async () => {
    const { bucket, pushing, first } = await deleting(300);
    expect(await pushing).toMatchObject({
      generation: 3,
      warnings: [expect.stringMatching(/^not all old files were deleted: .* takes too long/)],
    });
    expect(bucket.json("current.json")).toMatchObject({ id: first.ids[2], deleting: true });
  });
});
