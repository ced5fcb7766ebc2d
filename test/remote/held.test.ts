import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RemoteBusyError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { keyFilesOf } from "../../src/signing/sign.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { anImitation, BUCKET, type Imitation, type Received } from "./imitation.js";

const MINUTE = 60_000;
const MARK = /^deleting-[0-9a-f]{32}$/;

/** Holds the requests of a kind from now on. */
function hold(bucket: Imitation, isHeld: (request: Received) => boolean) {
  let [reach, release] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  bucket.fault = async (request) => {
    if (!isHeld(request)) return null;
    reach();
    await released;
    return null;
  };
  onTestFinished(release);
  return { reached, release };
}

describe("a push whose commit is held until another push with the shortest grace time has deleted its files", () => {
  it.each([
    ["and has taken its generation", "three", 3],
    ["and had nothing new to publish", "one", 2],
  ])("%s: readers find the whole snapshot, and its signature", async (_, name, generation) => {
    const bucket = await anImitation();
    const other = await aStore(named("one"));
    await push(BUCKET, { store: other.store });
    const { store, builds } = await aStore(named("two"));
    const { privateKey } = generateKeyPairSync("ed25519");
    const { publicKey, secretText: signingKey } = keyFilesOf(privateKey, new Uint8Array(8));
    const isCommit = ({ method, path }: Received) =>
      method === "PUT" && path === "generations/2.json";
    const { reached, release } = hold(bucket, isCommit);
    const pushing = push(BUCKET, { store, signingKey });
    await reached;
    bucket.fault = () => null;
    bucket.ahead += 2 * MINUTE;
    await other.publish(named(name));
    expect((await push(BUCKET, { store: other.store, keep: 1, grace: "60s" })).deleted).not.toBe(0);
    release();
    expect(await pushing).toMatchObject({ generation, id: builds[0], warnings: [] });
    const copy = join(await temporaryFolder(), "copy");
    expect(await pull(BUCKET, { store: copy, publicKeys: [publicKey] })).toMatchObject({
      generation,
    });
    expect((await verify(copy)).bad).toEqual([]);
  });
});

describe("the mark of a push that deletes files", () => {
  /** A push that is held while it deletes files. */
  async function deleting(bucket: Imitation) {
    const first = await aStore(named("one"));
    await push(BUCKET, { store: first.store, keep: 1 });
    for (let i = 0; i < 40; i += 1) {
      bucket.put(`index/${i}-${"0123456789abcdef".repeat(2)}.json`, "left by a push");
    }
    bucket.ahead += 120 * MINUTE;
    const { reached, release } = hold(
      bucket,
      ({ method, path }) => method === "DELETE" && path?.startsWith("index/") === true,
    );
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await first.publish(named("two"));
    const pushing = push(BUCKET, { store: first.store, keep: 1 });
    await reached;
    const marks = () => bucket.received.filter(({ path }) => MARK.test(path ?? "")).length;
    /** Lets time pass, in which the push can renew its mark. */
    const tick = async () => {
      const before = marks();
      bucket.ahead += MINUTE / 6;
      vi.advanceTimersByTime(MINUTE / 6);
      await vi.waitFor(() => expect(marks()).toBe(before + 1));
    };
    return { pushing, release, tick };
  }

  it("is heeded for as long as it is renewed, and for a minute after", async () => {
    const bucket = await anImitation();
    const { pushing, release, tick } = await deleting(bucket);
    for (let i = 0; i < 9; i += 1) await tick();
    // Another push that needs files: it must wait, as this one may be about to delete them.
    const { store } = await aStore(named("three"));
    await expect(push(BUCKET, { store })).rejects.toThrow(RemoteBusyError);
    bucket.ahead += MINUTE + 1_000;
    expect(await push(BUCKET, { store })).toMatchObject({ changed: true });
    release();
    await pushing;
  });

  it("ends the push's work if it cannot be renewed", async () => {
    const bucket = await anImitation();
    const { pushing, release } = await deleting(bucket);
    bucket.ahead += MINUTE / 2;
    release();
    const { warnings } = await pushing;
    expect(warnings).toEqual([expect.stringMatching(/the mark of this push could not be renewed/)]);
    // Sixteen requests were under way.
    const left = bucket.paths().filter((path) => path.startsWith("index/"));
    expect(left.length).toBeGreaterThanOrEqual(40 - 16);
  });
});
