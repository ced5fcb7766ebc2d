import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/larger.js";
import { repeated } from "../slow.js";
import { expectAgreement } from "./disagreement.js";
import { seeded } from "./random.js";
import { loadRecords } from "./records.js";
import { randomRequest } from "./requests.js";

/** Random requests a directory; more, and other ones, with REQUESTS and SEED. */
const REQUESTS = Number(process.env.REQUESTS ?? repeated(200, 2_000));
const SEED = Number(process.env.SEED ?? 20_261_121);
const LISTINGS = repeated(200, 2_000);

async function expectRandomAgreement(published: string, seed: number): Promise<void> {
  const records = loadRecords(published);
  const random = seeded(seed);
  const targets = Array.from({ length: REQUESTS }, () => randomRequest(random, records));
  const statuses = await expectAgreement(published, records, targets);
  expect([...statuses.keys()].sort()).toEqual([200, 400, 403, 404]);
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 2);
}

describe("the oracle and the service agree, byte for byte", () => {
  it(`on ${REQUESTS} random requests to a sample of ${LISTINGS} listings, SEED=${SEED}`, async () => {
    const published = join(await temporaryFolder(), "published");
    await writeSample(published, { listings: LISTINGS, seed: 1 });
    await expectRandomAgreement(published, SEED);
  });

  it(`on ${REQUESTS} random requests to the real directory, SEED=${SEED + 1}`, () =>
    expectRandomAgreement(REAL.folder, SEED + 1));
});
