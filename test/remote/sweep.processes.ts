import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { RemoteBusyError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push as pushTo } from "../../src/remote/push.js";
import { PATIENCE } from "../../src/remote/retrying.js";
import { keyFilesOf } from "../../src/signing/sign.js";
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

const isCommitOf =
  (generation: number) =>
  ({ method, path }: Received) =>
    method === "PUT" && path === `generations/${generation}.json`;

function aKey() {
  const { privateKey } = generateKeyPairSync("ed25519");
  return keyFilesOf(privateKey, new Uint8Array(8));
}

describe("old files in a bucket", () => {
  it("stay for the grace time after their generation is no longer kept, then go; its last reader loses nothing", async () => {
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
  });

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

  it("are looked for once in half of the grace time, however often pushes follow each other", async () => {
    const bucket = await anImitation();
    const { push } = await aPusher();
    for (let i = 0; i < 3; i += 1) {
      await push(i, { keep: 1 });
      bucket.ahead += 2 * HOUR;
    }
    const [deleting, lists] = [[] as boolean[], [] as number[]];
    for (let i = 3; i < 6; i += 1) {
      const before = bucket.count();
      deleting.push((await push(i, { keep: 1 })).deleted > 0);
      lists.push(bucket.received.slice(before).filter(({ path }) => path === null).length);
    }
    expect(deleting).toEqual([true, false, false]);
    // A push that looks for them lists the bucket again.
    expect(lists).toEqual([2, 1, 1]);
  });

  it("go without a new snapshot once the grace time has passed, and nothing else in the bucket is touched", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    const foreign = [
      ...[
        "notes.txt",
        "segments/readme.md",
        `segments/${DIGEST}.json`,
        `${DIGEST}/manifest.json.bak`,
      ],
      ...[`${DIGEST}/public/../../other`, `${DIGEST}/public/..`, "generations/01.json"],
      ...["generations/latest.json", `other/segments/${DIGEST}.pack`],
    ];
    for (const path of foreign) bucket.put(path, "not ours");
    const orphans = [orphanOf(0), `segments/${DIGEST}.brief`, `${DIGEST}/public/a.json`];
    for (const path of orphans) bucket.put(path, "left by a push that was killed");
    const options = { keep: 1, grace: "60s" };
    for (const index of [0, 1]) await push(index, options);
    bucket.ahead += 2 * MINUTE;
    // A generation of its own allows it to delete: no other push can commit what it relied on before.
    expect(await push(1, options)).toMatchObject({ id: ids[1], generation: 3, changed: false });
    expect(manifests(bucket)).toEqual([ids[1]]);
    for (const path of foreign) expect(bucket.text(path), path).toBe("not ours");
    for (const path of orphans) expect(bucket.text(path), path).toBe(null);
    expect(await pulledFrom()).toBe(ids[1]);
    bucket.ahead += 2 * MINUTE;
    expect(await push(1, options)).toMatchObject({ generation: 3, deleted: 0 });
  });

  it("stay, with a warning, if deleting them needs a generation that the build has not signed", async () => {
    const bucket = await anImitation();
    const { push, store, ids } = await aPusher();
    const { secretText: signingKey, publicKey } = aKey();
    await push(0, { signingKey });
    const signature = bucket.text(`${ids[0]}/manifest.json.minisig`) ?? "";
    await writeFile(`${store}/${ids[0]}/manifest.json.minisig`, signature);
    const orphan = orphanOf(0);
    bucket.put(orphan, "left by a push that was killed");
    bucket.ahead += 2 * HOUR;
    const { warnings, generation } = await push(0);
    expect(warnings).toEqual([expect.stringMatching(/^old files were not deleted: .*SIGNING_KEY/)]);
    expect([generation, bucket.text(orphan) === null]).toEqual([1, false]);
    expect(await push(0, { signingKey })).toMatchObject({ generation: 2, deleted: 1 });
    const pulled = await pull(BUCKET, { store: await newStore(), publicKeys: [publicKey] });
    expect(pulled).toMatchObject({ id: ids[0], generation: 2 });
  });

  it("stay if the manifest of a kept generation is lost, with a warning", async () => {
    const bucket = await anImitation();
    const pusher = await aPusher();
    for (const index of [0, 1]) await pusher.push(index);
    bucket.delete(`${pusher.ids[0]}/manifest.json`);
    // The local store does not have it either.
    const copy = await newStore();
    await pull(BUCKET, { store: copy });
    bucket.ahead += 2 * HOUR;
    const { deleted, warnings } = await pushTo(BUCKET, { store: copy });
    expect([deleted, warnings]).toEqual([
      0,
      ["no old files were deleted: the manifest of a kept generation is lost"],
    ]);
    expect(await pulledFrom()).toBe(pusher.ids[1]);
  });

  it("include generations beyond the newest hundred, the oldest first, unless they were replaced within the grace time", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    for (const index of [0, 1]) await push(index);
    for (let generation = 3; generation <= 120; generation += 1) {
      const text = JSON.stringify({ format: 1, generation, id: ids[generation % 2] });
      bucket.put(`generations/${generation}.json`, text);
    }
    const gone: number[] = [];
    bucket.fault = ({ method, path }) => {
      const [, number] = /^generations\/(\d+)/.exec(path ?? "") ?? [];
      if (method === "DELETE" && number !== undefined) gone.push(Number(number));
      return null;
    };
    bucket.ahead += 40 * MINUTE;
    expect(await push(2)).toMatchObject({ generation: 121 });
    expect(gone).toEqual([]);
    bucket.ahead += 2 * HOUR;
    expect(await push(3)).toMatchObject({ generation: 122 });
    expect(gone).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
    expect(Object.keys(bucket.generations())).toHaveLength(100);
  });
});

describe("a push whose commit is held", () => {
  it.each([
    ["has published another snapshot", 2],
    ["has published the same snapshot again", 0],
  ])("is refused if another push meanwhile %s and has deleted its files", async (_, index) => {
    const bucket = await anImitation();
    const [other, held] = [await aPusher(), await aPusher()];
    await other.push(0);
    const { reached, release } = hold(bucket, isCommitOf(2));
    const pushing = held.push(1, { signingKey: aKey().secretText });
    await reached;
    bucket.fault = () => null;
    bucket.ahead += 2 * MINUTE;
    const { deleted, id } = await other.push(index, { keep: 1, grace: "60s" });
    expect(deleted).not.toBe(0);
    expect(manifests(bucket)).not.toContain(held.ids[1]);
    release();
    await expect(pushing).rejects.toThrow(RemoteBusyError);
    expect(await pulledFrom()).toBe(id);
    // Run again, it sends what is missing.
    bucket.ahead += MINUTE;
    expect(await held.push(1)).toMatchObject({ generation: 3 });
    expect(await pulledFrom()).toBe(held.ids[1]);
  });
});

describe("a push whose generation another push has created, with the same snapshot", () => {
  it("deletes nothing: the other one may be deleting", async () => {
    const bucket = await anImitation();
    const [first, other] = [await aPusher(), await aPusher()];
    for (const index of [0, 1]) await first.push(index, { keep: 1 });
    bucket.ahead += 2 * HOUR;
    const { reached, release } = hold(bucket, isCommitOf(3));
    const pushing = first.push(2, { keep: 1 });
    await reached;
    bucket.fault = () => null;
    expect(await other.push(2, { keep: 9 })).toMatchObject({ generation: 3, deleted: 0 });
    release();
    expect(await pushing).toMatchObject({ generation: 3, deleted: 0 });
    expect(manifests(bucket)).toHaveLength(3);
  });
});

const isDeletion = ({ method }: Received) => method === "DELETE";

describe("while a push deletes files", () => {
  /** A push of snapshot 2 that is held while it deletes the files of snapshot 0, and forty others. */
  async function deleting(sweepMs = PATIENCE.sweepMs) {
    const bucket = await anImitation();
    const first = await aPusher();
    for (const index of [0, 1]) await first.push(index, { keep: 1 });
    for (let i = 0; i < 40; i += 1) bucket.put(orphanOf(i), "left by a push");
    bucket.ahead += 2 * HOUR;
    PATIENCE.sweepMs = sweepMs;
    const { reached, release } = hold(bucket, isDeletion);
    const pushing = first.push(2, { keep: 1 });
    await reached;
    const left = () => bucket.paths().filter((path) => path.includes(DIGEST.slice(2))).length;
    return { bucket, pushing, release, left, other: await aPusher() };
  }

  it("another one waits for its end, and then sends again what it has deleted", async () => {
    const { bucket, pushing, release, left, other } = await deleting();
    expect(bucket.json("current.json")).toMatchObject({ generation: 2 });
    const before = bucket.count();
    const waiting = other.push(0, { keep: 1 });
    const lists = () => bucket.received.slice(before).filter(({ path }) => path === null).length;
    await vi.waitUntil(() => lists() > 2);
    expect(bucket.generations()[4]).toBe(undefined);
    release();
    expect((await pushing).deleted).toBeGreaterThan(40);
    expect(left()).toBe(0);
    expect(await waiting).toMatchObject({ id: other.ids[0], generation: 4 });
    expect(await pulledFrom()).toBe(other.ids[0]);
  });

  it("another one lists again, if the deletion ends after its list", async () => {
    const { bucket, pushing, release, other } = await deleting();
    let isListed = false;
    bucket.fault = async ({ method, path }) => {
      isListed ||= path === null;
      if (isListed && method === "GET" && path === "current.json") {
        release();
        await pushing;
      }
      return null;
    };
    await other.push(0, { keep: 1 });
    expect(await pulledFrom()).toBe(other.ids[0]);
  });

  it("another one gives up after many looks, but not once the generation is a minute old", async () => {
    const { bucket, other } = await deleting();
    await expect(other.push(0)).rejects.toThrow(RemoteBusyError);
    bucket.ahead += 40 * SECOND;
    await expect(other.push(0)).rejects.toThrow(/a minute after one was killed/);
    bucket.ahead += 20 * SECOND;
    expect(await other.push(0)).toMatchObject({ generation: 4 });
  });

  it("it stops after a third of that time, and leaves the rest to a later one", async () => {
    const { bucket, pushing, release, left } = await deleting();
    bucket.ahead += 21 * SECOND;
    release();
    expect(await pushing).toMatchObject({ generation: 3, warnings: [] });
    // Sixteen requests were under way.
    expect(left()).toBeGreaterThanOrEqual(40 - 16);
    expect(bucket.json("current.json")).toMatchObject({ generation: 3 });
  });

  it("it leaves the hint behind if a deletion has no answer in time, so that others wait", async () => {
    const { bucket, pushing } = await deleting(300);
    expect(await pushing).toMatchObject({
      generation: 3,
      warnings: [expect.stringMatching(/^old files were not deleted: .* takes too long/)],
    });
    expect(bucket.json("current.json")).toMatchObject({ generation: 2 });
  });
});
