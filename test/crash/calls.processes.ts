import { describe, expect, it } from "vitest";
import { buildAnotherAfterEachDeath, failEachCallOfAFirstBuild } from "./faults.js";
import { loseLockAtEachCall } from "./locks.js";
import { losePower } from "./power.js";
import { aRollbackScenario, aScenario, aWithdrawScenario, productOf } from "./product.js";
import { testPublication } from "./publications.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();
const strideOfCalls = repetitions("strideOfCalls");

testPublication(product, "build", aScenario, 80);
testPublication(product, "rollback", aRollbackScenario, 30);
testPublication(product, "withdrawal", aWithdrawScenario, 30);

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
