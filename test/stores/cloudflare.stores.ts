import { generateKeyPairSync } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  it,
  onTestFinished,
  type TestContext,
} from "vitest";
import { keyFilesOf, signerOf } from "../../src/extras/signing/sign.js";
import { type Origin, publishedOrigin } from "../fetch/generations.js";
import { temporaryFolder } from "../fixtures.js";
import { fill, type Worker } from "./servers/miniflare.js";
import { needWorkerd } from "./shared.js";
import { startRecipe } from "./targets/worker.js";

const WAIT_MS = 30_000;
const KEYS = keyFilesOf(generateKeyPairSync("ed25519").privateKey, new Uint8Array(8).fill(7));

let origin: Origin;
let cleanUp = async () => {};

beforeAll(async () => {
  const folder = await temporaryFolder((remove) => {
    cleanUp = remove;
  });
  origin = await publishedOrigin(folder, 2, signerOf(KEYS.secretText));
});

afterAll(() => cleanUp());

/** Starts the worker of the recipe; its bucket is empty. */
async function start(context: TestContext, vars: Record<string, string> = {}): Promise<Worker> {
  needWorkerd(context);
  const worker = await startRecipe({}, { REFRESH_SECONDS: "0.2", ...vars });
  onTestFinished(worker.stop);
  return worker;
}

/** Puts the origin into the worker's bucket, as it is after so many generations. */
async function publish(worker: Worker, generations: number): Promise<void> {
  await origin.rewind(generations);
  await fill(await worker.bucket("BUCKET"), origin.folder);
}

async function untilGeneration(worker: Worker, wanted: number): Promise<unknown> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const health = (await (await fetch(`${worker.url}/readyz`)).json()) as { generation?: number };
    if (health.generation === wanted || performance.now() > end) return health;
    await setTimeout(50);
  }
}

const health = (generation: number) => ({
  ready: true,
  generation,
  snapshot: origin.generations[generation - 1]?.id,
});

describe("the worker of the Cloudflare recipe", () => {
  it("answers 503 while its bucket is empty, then from what is pushed, and follows the next push", async (context) => {
    const worker = await start(context);
    expect((await fetch(`${worker.url}/api/sites`)).status).toBe(503);
    await publish(worker, 1);
    expect(await untilGeneration(worker, 1)).toEqual(health(1));
    await publish(worker, 2);
    expect(await untilGeneration(worker, 2)).toEqual(health(2));
    expect((await fetch(`${worker.url}/api/sites`)).status).toBe(200);
  });

  it("refuses what its public key has not signed", async (context) => {
    const other = `RWQ${KEYS.publicKey.slice(3, -6)}AAAAAA`;
    const [trusting, refusing] = await Promise.all(
      [KEYS.publicKey, other].map((key) => start(context, { PUBLIC_KEYS: ` ${key}\n` })),
    );
    for (const worker of [trusting, refusing]) if (worker) await publish(worker, 1);
    expect(await untilGeneration(trusting!, 1)).toEqual(health(1));
    const refused = await fetch(`${refusing!.url}/readyz`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({ ready: false, trouble: expect.any(String) });
  });

  it("gives clients bodies in a coding that they take, behind Cloudflare's own compression", async (context) => {
    const worker = await start(context);
    await publish(worker, 1);
    const bodies = new Set<string>();
    for (const coding of ["identity", "gzip", "br", "gzip, br"]) {
      const response = await fetch(`${worker.url}/api/standards`, {
        headers: { "accept-encoding": coding },
      });
      bodies.add(await response.text());
      expect(response.status).toBe(200);
    }
    expect(bodies.size).toBe(1);
  });
});
