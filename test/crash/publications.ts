import { describe, expect, it } from "vitest";
import { dieAtEachCall, failEachCall } from "./faults.js";
import type { Product, Scenario } from "./product.js";
import { repetitions } from "./repetitions.js";

/**
 * Tests what is left of a publication that dies or fails.
 * @param name what publishes
 * @param calls how many calls it makes at least
 */
export function testPublication(
  product: Product,
  name: string,
  scenarioOf: (product: Product) => Promise<Scenario>,
  calls: number,
): void {
  const strideOfCalls = repetitions("strideOfCalls");
  describe(`a ${name} that dies or fails`, () => {
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
}
