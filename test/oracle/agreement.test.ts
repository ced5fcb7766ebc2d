import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { answer } from "../../src/runtime/answer/answer.js";
import { SERVER_PAGES } from "../../src/runtime/http/server-pages.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { temporaryFolder } from "../fixtures.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/generator/write.js";
import { repeated } from "../slow.js";
import { disagreement } from "./disagreement.js";
import { answerOf } from "./oracle.js";
import { seeded } from "./random.js";
import { loadRecords } from "./records.js";
import { randomRequest } from "./requests.js";

/** Random requests a directory; more, and other ones, with REQUESTS and SEED. */
const REQUESTS = Number(process.env.REQUESTS ?? repeated(160, 2_000));
const SEED = Number(process.env.SEED ?? 20_261_121);
const LISTINGS = repeated(300, 2_000);

async function disagreements(published: string, seed: number) {
  const store = join(await temporaryFolder(), "store");
  const { id } = await build(published, { store, jobs: 1, keep: 1 });
  const snapshot = await LoadedSnapshot.load(store, id);
  const records = loadRecords(published);
  const random = seeded(seed);
  const compress = () => Promise.reject(new Error("not asked for"));
  const damaged: Error[] = [];
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  for (let i = 0; i < REQUESTS; i += 1) {
    const target = randomRequest(random, records);
    const facts = { method: "GET", target };
    const onDamage = (error: Error) => damaged.push(error);
    const given = await answer(facts, { snapshot, pages: SERVER_PAGES, compress, onDamage });
    statuses.set(given.status, (statuses.get(given.status) ?? 0) + 1);
    const reason = disagreement(records, target, answerOf(records, target), given);
    if (reason !== null) wrong.push(`${target}\n  ${reason}`);
  }
  snapshot.release();
  expect(damaged).toEqual([]);
  return { wrong, statuses };
}

describe("the oracle and the service agree, byte for byte", () => {
  it(`on ${REQUESTS} random requests to a sample of ${LISTINGS} listings, SEED=${SEED}`, async () => {
    const published = join(await temporaryFolder(), "published");
    await writeSample(published, { listings: LISTINGS, seed: 1 });
    const { wrong, statuses } = await disagreements(published, SEED);
    expect(wrong.slice(0, 3)).toEqual([]);
    expect([...statuses.keys()].sort()).toEqual([200, 400, 403, 404]);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 2);
  });

  it(`on ${REQUESTS} random requests to the real directory, SEED=${SEED + 1}`, async () => {
    const { wrong, statuses } = await disagreements(REAL.folder, SEED + 1);
    expect(wrong.slice(0, 3)).toEqual([]);
    expect([...statuses.keys()].sort()).toEqual([200, 400, 403, 404]);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 2);
  });
});
