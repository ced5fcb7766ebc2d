import { describe, expect, it, vi } from "vitest";
import { RemoteBusyError } from "../../src/remote/errors.js";
import { PATIENCE } from "../../src/remote/retrying.js";
import { anImitation, type Received } from "./imitation.js";
import { aPusher, hold, pulledFrom } from "./pusher.js";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DIGEST = "0123456789abcdef".repeat(2);

/** One of up to a hundred files of segments that no snapshot has. */
const orphanOf = (number: number) =>
  `segments/${String(number).padStart(2, "0")}${DIGEST.slice(2)}.pack`;

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
