import { join } from "node:path";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { push } from "../../src/remote/push.js";
import { PATIENCE } from "../../src/remote/retrying.js";
import { serve } from "../../src/replica/serve.js";
import { temporaryFolder } from "../fixtures.js";
import { behindPassage } from "../remote/real-bucket.js";
import { aKeyPair } from "../signing/keys.js";
import { aStore, named } from "../store/stores.js";

const WAIT = { timeout: 30_000, interval: 20 };

/** A replica of a bucket of Ceph RGW, and a publisher whose pushes it follows through a passage. */
async function aReplica(context: TestContext, isSigned: boolean) {
  const { bucket, passage } = await behindPassage(context);
  const keys = isSigned ? await aKeyPair(await temporaryFolder()) : null;
  const { store, publish } = await aStore();
  // The publisher reaches the store by itself, also while the passage is closed.
  const direct = bucket.store.endpoint;
  const pushed = async (name: string) => {
    const id = await publish(named(name));
    const through = process.env.AWS_ENDPOINT_URL_S3;
    process.env.AWS_ENDPOINT_URL_S3 = direct;
    const result = push(bucket.url, { store, signingKey: keys?.secretText });
    process.env.AWS_ENDPOINT_URL_S3 = through;
    await result;
    return id;
  };
  const first = await pushed("One");
  const logged: string[] = [];
  const server = await serve(join(await temporaryFolder(), "replica"), {
    ...{ port: 0, follow: bucket.url, refreshSeconds: 1, log: (line) => logged.push(line) },
    ...(keys === null ? {} : { publicKeys: [keys.publicKey] }),
  });
  onTestFinished(() => server.close());
  const ready = async () => (await fetch(`${server.url}/readyz`)).json();
  const name = async () => {
    const answer = await fetch(`${server.url}/api/sites?q=name&limit=1`);
    const body = (await answer.json()) as { data?: { name: string }[] };
    return body.data?.[0]?.name ?? answer.status;
  };
  await expect.poll(ready, WAIT).toMatchObject({ ready: true, snapshot: first, generation: 1 });
  return { bucket, passage, pushed, logged, ready, name, first };
}

describe("a server that follows a bucket of Ceph RGW", () => {
  it("serves on while the bucket is gone, and catches up when it is back with three generations more", async (context) => {
    const { bucket, passage, pushed, logged, ready, name } = await aReplica(context, false);
    await passage.down();
    await expect.poll(() => logged.length, WAIT).toBe(2);
    expect(logged[1]).toContain(`cannot pull from ${bucket.url}, and keeps trying`);
    expect(logged[1]).toContain("the server refuses connections");
    await pushed("Name two");
    await pushed("Name three");
    const last = await pushed("Name four");
    expect(await ready()).toMatchObject({ generation: 1 });
    await passage.up();
    await expect.poll(ready, WAIT).toMatchObject({ ready: true, snapshot: last, generation: 4 });
    expect(await name()).toBe("Name four");
  });

  it("refuses an older generation of a signed bucket, serves on, and follows the next one", async (context) => {
    const { bucket, passage, pushed, logged, ready, name, first } = await aReplica(context, true);
    const signature = await bucket.read(`${first}/manifest.json.minisig`);
    const second = await pushed("Name two");
    const served = { ready: true, snapshot: second, generation: 2 };
    await expect.poll(ready, WAIT).toMatchObject(served);
    // An attacker sets the bucket back, and then offers the old snapshot as a new generation.
    const old = (generation: number) => JSON.stringify({ format: 1, generation, id: first });
    await bucket.remove("generations/2.json");
    await bucket.write("current.json", old(1));
    await expect.poll(() => logged.length, WAIT).toBe(3);
    expect(logged[2]).toContain("offers a snapshot signed as generation 1, but");
    await bucket.write("generations/2.json", old(2));
    await bucket.write("generations/3.json", old(3));
    await bucket.write(`${first}/manifest.json.minisig`, signature);
    const looks = () => passage.passed.filter(({ path }) => path.endsWith("/generations/3.json"));
    const before = looks().length;
    // When the second look begins, the first one has been refused, for a reason that is not logged again.
    await expect.poll(() => looks().length, WAIT).toBeGreaterThan(before + 1);
    expect(logged).toHaveLength(3);
    expect([await ready(), await name()]).toMatchObject([served, "Name two"]);
    // The attacker's generation 3 looks like one whose push may still be deleting files: the next push waits for it.
    const { sweepMs } = PATIENCE;
    onTestFinished(() => {
      PATIENCE.sweepMs = sweepMs;
    });
    PATIENCE.sweepMs = 2_000;
    const next = await pushed("Name three");
    await expect.poll(ready, WAIT).toMatchObject({ ready: true, snapshot: next, generation: 4 });
    expect(await name()).toBe("Name three");
  });
});

it("a server of a bucket of Ceph RGW reads its reports by range, and answers what it has while the bucket is gone", async (context) => {
  const { bucket, passage } = await behindPassage(context);
  const { store, publish } = await aStore();
  const first = await publish(named("One"));
  await push(bucket.url, { store });
  const cacheDir = await temporaryFolder();
  const options = { port: 0, cards: false, refreshSeconds: 1, cacheDir, log: () => {} };
  const server = await serve(bucket.url, options);
  onTestFinished(() => server.close());
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  const ready = async () => (await fetch(`${server.url}/readyz`)).json();
  expect(await ready()).toMatchObject({ ready: true, snapshot: first, generation: 1 });
  const [path = "", other = ""] = [server.exampleHost() ?? "", "none.example"].map(
    (host) => `/api/sites/${host}/report`,
  );
  for (let asked = 0; asked < 2; asked += 1) expect(await status(path)).toBe(200);
  await passage.down();
  expect([await status(path), await status("/api/sites?q=one")]).toEqual([200, 200]);
  expect([await status(other), await status(`${path}?scan=none`)]).toEqual([404, 404]);
  expect(await status("/api/tags")).toBe(503);
  await passage.up();
  expect(await status("/api/tags")).toBe(200);
  const second = await publish(named("Two"));
  await push(bucket.url, { store });
  await expect.poll(ready, WAIT).toMatchObject({ snapshot: second, generation: 2 });
});
