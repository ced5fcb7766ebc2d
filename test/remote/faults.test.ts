import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { RemoteError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import {
  ACCESS_KEY,
  anImitation,
  BUCKET,
  type Fault,
  type Imitation,
  SECRET_KEY,
  SESSION_TOKEN,
} from "./imitation.js";

const SLOW_DOWN: Fault = { status: 503, code: "SlowDown" };
const LOST_ANSWER: Fault = { status: 500, code: "InternalError", after: true };

/** Pulls into a new store. @returns the id of its snapshot, of which every byte was verified; null if there is none */
async function pulledId(): Promise<string | null> {
  const copy = join(await temporaryFolder(), "copy");
  try {
    const { id } = await pull(BUCKET, { store: copy });
    expect((await verify(copy)).bad).toEqual([]);
    return id;
  } catch (error) {
    expect(String(error)).toContain("nothing can be read at s3://bucket/some/prefix");
    return null;
  }
}

/** How many requests a push sends without faults. */
async function requestsOf(bucket: Imitation, store: string): Promise<number> {
  const before = bucket.count();
  await push(BUCKET, { store });
  return bucket.count() - before;
}

describe("each request of a push", () => {
  it.each<[string, Fault]>([
    ["is throttled (503 SlowDown)", SLOW_DOWN],
    ["is cut before the store has done it", "cut before"],
    ["is done, but its answer is cut", "cut after"],
    ["is done, but answered with 500", LOST_ANSWER],
  ])("may fail once: %s", async (_name, fault) => {
    const bucket = await anImitation();
    const { store, builds, publish } = await aStore(named("one"));
    await push(BUCKET, { store });
    const first = new Map(bucket.objects);
    const id = await publish(named("two"));
    const requests = await requestsOf(bucket, store);
    expect(requests).toBeGreaterThan(10);
    for (let failing = 1; failing <= requests; failing += 1) {
      bucket.objects.clear();
      for (const [key, object] of first) bucket.objects.set(key, object);
      const base = bucket.count();
      bucket.fault = ({ number }) => (number === base + failing ? fault : null);
      const result = await push(BUCKET, { store });
      expect(result, `request ${failing}`).toMatchObject({ id, generation: 2, warnings: [] });
      expect(bucket.generations()).toEqual({ 1: builds[0], 2: id });
      bucket.fault = () => null;
    }
    expect(await pulledId()).toBe(id);
  });

  it("may be the last one: a reader sees the old snapshot or the new one, and the next push completes", async () => {
    const bucket = await anImitation();
    const { store, builds, publish } = await aStore(named("one"));
    await push(BUCKET, { store });
    const first = new Map(bucket.objects);
    const id = await publish(named("two"));
    const requests = await requestsOf(bucket, store);
    const seen: (string | null)[] = [];
    for (let last = 0; last < requests; last += 1) {
      bucket.objects.clear();
      for (const [key, object] of first) bucket.objects.set(key, object);
      const base = bucket.count();
      bucket.fault = ({ number }) => (number > base + last ? "cut before" : null);
      await push(BUCKET, { store }).catch(() => {});
      bucket.fault = () => null;
      seen.push(await pulledId());
      expect(await push(BUCKET, { store })).toMatchObject({ id, generation: 2, warnings: [] });
      expect(bucket.generations()).toEqual({ 1: builds[0], 2: id });
      expect(bucket.json("current.json")).toMatchObject({ generation: 2 });
    }
    const turn = seen.indexOf(id);
    expect(turn).toBeGreaterThan(0);
    expect(new Set(seen.slice(0, turn))).toEqual(new Set(builds.slice(0, 1)));
    expect(new Set(seen.slice(turn))).toEqual(new Set([id]));
  });
});

describe("a store that cannot be used", () => {
  it.each<[string, Fault, RegExp]>([
    ["does not stop throttling", SLOW_DOWN, /answered 503 SlowDown for its list \(tried 4 times\)/],
    ["cuts every connection", "cut before", /the connection was cut \(tried 4 times\)/],
    [
      "does not know the access key",
      { status: 403, code: "InvalidAccessKeyId" },
      /check AWS_ACCESS_KEY_ID/,
    ],
    [
      "refuses the signature",
      { status: 403, code: "SignatureDoesNotMatch" },
      /check AWS_SECRET_ACCESS_KEY/,
    ],
    ["has no such bucket", { status: 404, code: "NoSuchBucket" }, /there is no bucket/],
    ["has ended the session", { status: 400, code: "ExpiredToken" }, /get new credentials/],
    ["is in another region", { status: 301, code: "PermanentRedirect" }, /set AWS_REGION/],
    ["forbids the list", { status: 403, code: "AccessDenied" }, /permission s3:ListBucket/],
  ])("says what to do if it %s", async (_name, fault, message) => {
    const bucket = await anImitation();
    bucket.fault = () => fault;
    const { store } = await aStore(named("one"));
    const failure = await push(BUCKET, { store }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteError);
    expect(String(failure)).toMatch(message);
    expectNoSecrets(failure);
  });

  it("says by how much a clock is wrong", async () => {
    const bucket = await anImitation();
    bucket.ahead = 42 * 60_000;
    bucket.fault = () => ({ status: 403, code: "RequestTimeTooSkewed" });
    const { store } = await aStore(named("one"));
    await expect(push(BUCKET, { store })).rejects.toThrow(/clock is 42 minutes behind the store's/);
  });

  it("says which permission credentials for reading lack", async () => {
    const bucket = await anImitation();
    bucket.fault = ({ method }) =>
      method === "PUT" ? { status: 403, code: "AccessDenied" } : null;
    const { store } = await aStore(named("one"));
    await expect(push(BUCKET, { store })).rejects.toThrow(/permission s3:PutObject/);
    expect(bucket.count("PUT")).toBe(1);
  });

  it("is not there, or the credentials are not", async () => {
    const bucket = await anImitation();
    const { store } = await aStore(named("one"));
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9");
    await expect(push(BUCKET, { store })).rejects.toThrow(/refuses connections/);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://me:hunter2@127.0.0.1:9");
    const failure = await push(BUCKET, { store }).catch((error: unknown) => error);
    expect(String(failure)).toContain("AWS_ENDPOINT_URL_S3 must be an address");
    expect(String(failure)).not.toContain("hunter2");
    vi.stubEnv("AWS_ENDPOINT_URL_S3", bucket.url);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "");
    await expect(push(BUCKET, { store })).rejects.toThrow(/set AWS_ACCESS_KEY_ID and/);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", `${SECRET_KEY}\n`);
    const malformed = await push(BUCKET, { store }).catch((error: unknown) => error);
    expect(String(malformed)).toContain("AWS_SECRET_ACCESS_KEY has a space");
    expectNoSecrets(malformed);
  });
});

/** Looks at everything that an error prints, its causes included. */
function expectNoSecrets(error: unknown): void {
  const printed = inspect(error, { depth: 20, showHidden: true });
  for (const secret of [ACCESS_KEY, SECRET_KEY, SESSION_TOKEN]) {
    expect(printed).not.toContain(secret);
  }
}
