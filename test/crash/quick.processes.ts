import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { dieAtEachCall, failEachCall } from "./faults.js";
import { fuzz } from "./fuzz.js";
import { buildAnotherAfterEachDeath, failEachCallOfAFirstBuild } from "./leftovers.js";
import { loseLockAtEachCall } from "./lost-lock.js";
import { losePower } from "./power-loss.js";
import { aScenario, productOf } from "./product.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();
const strideOfCalls = repetitions("strideOfCalls");

describe("a build that dies or fails (the share of `npm test`)", () => {
  it("P2: readers find the old snapshot or the new one, at whichever call it dies, and the next build repairs the store", async () => {
    const scenario = await aScenario(product);
    expect(await dieAtEachCall(product, scenario)).toBeGreaterThan(80 / strideOfCalls);
  });

  it("P2: it publishes and deletes nothing, at whichever call another build takes over its lock", async () => {
    const scenario = await aScenario(product);
    expect(await loseLockAtEachCall(product, scenario)).toBeGreaterThan(0);
  });

  it("P3: the error names place and cause, whichever call fails, and nothing changes before the commit", async () => {
    const scenario = await aScenario(product);
    const tries = await failEachCall(product, scenario, repetitions("errorsACall"));
    expect(tries).toBeGreaterThan(80 / strideOfCalls);
  });

  it("P3: the next build removes everything that a dead build left, whatever it publishes itself", async () => {
    const scenario = await aScenario(product);
    const tried = await buildAnotherAfterEachDeath(product, scenario);
    expect(tried).toBeGreaterThan(80 / strideOfCalls);
  });

  it("P3: a first build that fails leaves nothing behind, not even the store's folder", async () => {
    const tried = await failEachCallOfAFirstBuild(product, await aScenario(product));
    expect(tried).toBeGreaterThan(50 / strideOfCalls);
  });

  it("P5: a loss of power leaves the old snapshot or the new one, whichever unsynced data are lost", async () => {
    const scenario = await aScenario(product);
    const states = repetitions("powerLosses");
    expect(await losePower(product, scenario, states)).toBe(states);
    expect(await losePower(product, scenario, Math.ceil(states / 3), true)).toBe(
      Math.ceil(states / 3),
    );
  });

  it("I11: mutants of good records are refused with their places or served with the contract's shape", async () => {
    const mutants = repetitions("mutants");
    const { refused, served } = await fuzz(product, await temporaryFolder(), mutants);
    expect(refused).toBeGreaterThan(mutants / 5);
    expect(served).toBeGreaterThan(mutants / 50);
  });
});
