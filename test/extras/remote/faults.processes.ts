import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { PATIENCE, RemoteError } from "../../../src/extras/remote/failures.js";
import { repeated } from "../../slow.js";
import { ACCESS_KEY, anImitation, type Fault, SECRET_KEY, SESSION_TOKEN } from "./imitation.js";
import { aPusher, pulledFrom } from "./pusher.js";

const SLOW_DOWN: Fault = { status: 503, code: "SlowDown" };
const LOST_ANSWER: Fault = { status: 500, code: "InternalError", after: true };

describe("each request of a push", () => {
  it.each<[string, Fault]>([
    ["is cut before the store has done it", "cut before"],
    ["is done, but answered with 500", LOST_ANSWER],
  ])("may fail once: %s", async (_name, fault) => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0);
    const failed = new Set<string>();
    bucket.fault = ({ method, path }) => {
      const request = `${method} ${path}`;
      if (failed.has(request)) return null;
      failed.add(request);
      return fault;
    };
    expect(await push(1)).toMatchObject({ id: ids[1], generation: 2, warnings: [] });
    expect(failed.size).toBeGreaterThan(10);
    expect(await pulledFrom()).toBe(ids[1]);
  });

  it("may be the last one: a reader sees the old snapshot or the new one, and the next push completes", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0);
    const first = new Map(bucket.objects);
    const seen: (string | null)[] = [];
    for (let last = 0, isOver = false; !isOver; last += repeated(4, 1)) {
      bucket.objects.clear();
      for (const [key, object] of first) bucket.objects.set(key, object);
      const base = bucket.count();
      bucket.fault = ({ number }) => (number > base + last ? "cut before" : null);
      await push(1).catch(() => {});
      isOver = bucket.count() <= base + last;
      bucket.fault = () => null;
      seen.push(await pulledFrom());
      // The push that was killed may have been deleting files: the next one waits for this long.
      bucket.ahead += PATIENCE.deletingMs + 1_000;
      expect(await push(1)).toMatchObject({ id: ids[1], generation: 2, warnings: [] });
      expect(bucket.json("current.json")).toMatchObject({ id: ids[1], generation: 2 });
    }
    expect(seen.length).toBeGreaterThan(repeated(3, 10));
    const turn = seen.indexOf(ids[1] ?? "");
    expect(seen).toEqual(seen.map((_, i) => (i < turn ? ids[0] : ids[1])));
  });
});

describe("a store that cannot be used", () => {
  it.each<[string, Fault, RegExp]>([
    ["does not stop throttling", SLOW_DOWN, /503 SlowDown for current.json \(tried 4 times\)/],
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
    ["is in another region", { status: 301, code: "PermanentRedirect" }, /set AWS_REGION/],
    ["forbids the list", { status: 403, code: "AccessDenied" }, /permission s3:ListBucket/],
  ])("says what to do if it %s", async (_name, fault, message) => {
    const bucket = await anImitation();
    bucket.fault = () => fault;
    const { push } = await aPusher();
    const failure = await push(0).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteError);
    expect(String(failure)).toMatch(message);
    expectNoSecrets(failure);
  });

  it("says by how much a clock is wrong, and which permission credentials for reading lack", async () => {
    const bucket = await anImitation();
    const { push } = await aPusher();
    bucket.fault = ({ method }) =>
      method === "PUT" ? { status: 403, code: "AccessDenied" } : null;
    await expect(push(0)).rejects.toThrow(/permission s3:PutObject/);
    expect(bucket.count("PUT")).toBe(1);
    bucket.ahead = 42 * 60_000;
    bucket.fault = () => ({ status: 403, code: "RequestTimeTooSkewed" });
    await expect(push(0)).rejects.toThrow(/clock is 42 minutes behind the store's/);
  });

  it("is not there, or the credentials are not", async () => {
    const bucket = await anImitation();
    const { push } = await aPusher();
    bucket.stop();
    await expect(push(0)).rejects.toThrow(/refuses connections/);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", bucket.url.replace("//", "//me:hunter2@"));
    const failure = await push(0).catch((error: unknown) => error);
    expect(String(failure)).toContain("AWS_ENDPOINT_URL_S3 must be an address");
    expect(String(failure)).not.toContain("hunter2");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "");
    await expect(push(0)).rejects.toThrow(/set AWS_ACCESS_KEY_ID and/);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", `${SECRET_KEY}\n`);
    const malformed = await push(0).catch((error: unknown) => error);
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
