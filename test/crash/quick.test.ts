import { describe, expect, it } from "vitest";
import { dieAtEachCall, failEachCall } from "./faults.js";
import { losePower } from "./power-loss.js";
import { aScenario, productOf } from "./product.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();

describe("a build that dies or fails (the share of `npm test`)", () => {
  it("P2: at whatever call it dies, readers find the old snapshot or the new one, and the next build repairs", async () => {
    const scenario = await aScenario(product);
    expect(await dieAtEachCall(product, scenario)).toBeGreaterThan(25);
  });

  it("P3: whatever call fails, the error names place and cause, and nothing changes before the commit", async () => {
    const scenario = await aScenario(product);
    const tries = await failEachCall(product, scenario, repetitions("errorsACall"));
    expect(tries).toBeGreaterThan(25);
  });

  it("P5: a loss of power leaves the old snapshot or the new one, whatever was not synced is lost", async () => {
    const scenario = await aScenario(product);
    const states = repetitions("powerLosses");
    expect(await losePower(product, scenario, states)).toBe(states);
    expect(await losePower(product, scenario, states / 3, true)).toBe(states / 3);
  });
});
