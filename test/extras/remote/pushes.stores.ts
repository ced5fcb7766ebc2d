import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { RemoteBusyError, RemoteError } from "../../../src/extras/remote/failures.js";
import { pull } from "../../../src/extras/remote/pull.js";
import { push } from "../../../src/extras/remote/push.js";
import { crawldexProcess } from "../../cli/spawned.js";
import { aStore, named } from "../../store/stores.js";
import { pulledFrom } from "./pusher.js";
import { aRealBucket, useStore } from "./real-bucket.js";

const PUSHERS = 16;
/** So many of the pushers are processes of their own. */
const PROCESSES = 4;
const ROUNDS = 3;

/** A push that has ended: what it has published, or why nothing. */
type Outcome = { readonly generation: number; readonly id: string } | { readonly message: string };

async function pushed(url: string, store: string): Promise<Outcome> {
  try {
    return await push(url, { store });
  } catch (error) {
    expect(error).toBeInstanceOf(RemoteBusyError);
    return { message: String(error) };
  }
}

async function pushedByProcess(url: string, store: string): Promise<Outcome> {
  const { code, stdout, stderr } = await crawldexProcess(["push", url, "--store", store, "--json"]);
  expect([0, 5], stderr).toContain(code);
  return code === 0 ? JSON.parse(stdout) : { message: stderr };
}

describe("pushes to Ceph RGW at the same time", () => {
  it(
    `${PUSHERS} pushers, ${PROCESSES} of them processes, ${ROUNDS} times, each with a snapshot of ` +
      "its own: one publishes at a time, and each commit follows the one before",
    async (context) => {
      const bucket = await aRealBucket(context);
      const stores = [];
      for (let i = 0; i < PUSHERS; i += 1) stores.push(await aStore());
      let succeeded = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const ids: string[] = [];
        for (const [i, { publish }] of stores.entries()) {
          ids.push(await publish(named(`name ${i} of round ${round}`)));
        }
        const outcomes = await Promise.all(
          stores.map(({ store }, i) =>
            (i < PROCESSES ? pushedByProcess : pushed)(bucket.url, store),
          ),
        );
        for (const [i, outcome] of outcomes.entries()) {
          if ("message" in outcome) {
            expect(outcome.message).toMatch(/has published [0-9a-f]{32} meanwhile.*push again/);
          } else {
            expect(outcome).toMatchObject({ id: ids[i], generation: round + 1 });
            succeeded += 1;
          }
        }
        const { id, revision } = JSON.parse(String(await bucket.read("current.json")));
        // A commit that another one had overwritten would not count.
        expect(revision).toBe(succeeded);
        expect(ids).toContain(id);
        expect(await pulledFrom(bucket.url)).toBe(id);
      }
      expect(succeeded).toBeGreaterThanOrEqual(ROUNDS);
    },
  );
});

describe("Ceph RGW refuses", () => {
  it.for<[string, Record<string, string>, RegExp]>([
    [
      "a wrong secret",
      { AWS_SECRET_ACCESS_KEY: "not-the-secret" },
      /403 SignatureDoesNotMatch .*check AWS_SECRET_ACCESS_KEY/,
    ],
    [
      "an access key that it does not know",
      { AWS_ACCESS_KEY_ID: "AKIAUNKNOWN" },
      /403 InvalidAccessKeyId .*check AWS_ACCESS_KEY_ID/,
    ],
  ])("%s, and push and pull say what to check", async ([, env, message], context) => {
    const bucket = await aRealBucket(context);
    useStore(env);
    await expectBothFail(bucket.url, message, [bucket.store.secretKey, ...Object.values(env)]);
  });
});

/** Looks at everything that the errors print, their causes included. */
async function expectBothFail(url: string, message: RegExp, secrets: readonly string[]) {
  const { store, folder } = await aStore(named("one"));
  const attempts = [push(url, { store }), pull(url, { store: `${folder}/copy` })];
  for (const { status, ...outcome } of await Promise.allSettled(attempts)) {
    const failure = "reason" in outcome ? outcome.reason : status;
    expect(failure).toBeInstanceOf(RemoteError);
    expect(String(failure)).toMatch(message);
    const printed = inspect(failure, { depth: 20, showHidden: true });
    for (const secret of secrets) expect(printed).not.toContain(secret);
  }
}
