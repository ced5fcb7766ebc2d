import { describe, expect, it } from "vitest";
import {
  buildAnotherAfterEachDeath,
  dieAtEachCall,
  failEachCall,
  failEachCallOfAFirstBuild,
} from "./faults.js";
import { loseLockAtEachCall } from "./locks.js";
import { losePower } from "./power.js";
import { aRollbackScenario, aScenario, aSignedScenario, productOf } from "./product.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();
const strideOfCalls = repetitions("strideOfCalls");

/** What publishes, and how many calls it makes at least. */
const PUBLICATIONS = [
  ["build", aScenario, 80],
  ["signed build", aSignedScenario, 80],
  ["rollback", aRollbackScenario, 30],
] as const;

describe.each(PUBLICATIONS)("a %s that dies or fails", (_, scenarioOf, calls) => {
  it(
    "P2: readers find the old snapshot or the new one, at whichever call it dies, and the next one " +
      "repairs the store",
    async () => {
      const tries = await dieAtEachCall(product, await scenarioOf(product));
      expect(tries).toBeGreaterThanOrEqual(Math.floor(calls / strideOfCalls));
    },
  );

  it("P3: the error names place and cause, whichever call fails, and nothing changes before the commit", async () => {
    const errors = repetitions("errorsACall");
    const tries = await failEachCall(product, await scenarioOf(product), errors);
    expect(tries).toBeGreaterThanOrEqual(errors * Math.floor(calls / strideOfCalls));
  });
});

describe("a build that dies or fails", () => {
  it("P2: it publishes and deletes nothing, at whichever call another build takes over its lock", async () => {
    const tries = await loseLockAtEachCall(product, await aScenario(product));
    expect(tries).toBeGreaterThanOrEqual(Math.floor(60 / repetitions("strideOfLostLocks")));
  });

  it("P3: the next build removes everything that a dead build left, whatever it publishes itself", async () => {
    const tries = await buildAnotherAfterEachDeath(product, await aScenario(product));
    expect(tries).toBeGreaterThan(60 / strideOfCalls);
  });

  it("P3: a first build that fails leaves nothing behind, not even the store's folder", async () => {
    const tries = await failEachCallOfAFirstBuild(product, await aScenario(product));
    expect(tries).toBeGreaterThan(50 / strideOfCalls);
  });

  it("P5: a loss of power leaves the old snapshot or the new one, whichever unsynced data are lost", async () => {
    const states = repetitions("powerLosses");
    for (const [count, isNew] of [
      [states, false],
      [Math.ceil(states / 5), true],
    ] as const) {
      expect(await losePower(product, await aScenario(product), count, isNew)).toBe(count);
    }
  });
});
