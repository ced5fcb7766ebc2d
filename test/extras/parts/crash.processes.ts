import { describe, expect, it } from "vitest";
import { dieAtEachCall, failEachCall } from "../../crash/faults.js";
import { productOf } from "../../crash/product.js";
import { repetitions } from "../../crash/repetitions.js";
import { aJoinScenario } from "./product.js";

const product = await productOf();
/** How many calls a join makes, at least. */
const CALLS = 30;
const tried = Math.floor(CALLS / repetitions("strideOfCalls"));

describe("a join that dies or fails", () => {
  it(
    "P2: readers find the old snapshot or the new one, at whichever call it dies, and the next one " +
      "repairs the store",
    async () => {
      const tries = await dieAtEachCall(product, await aJoinScenario(product));
      expect(tries).toBeGreaterThanOrEqual(tried);
    },
  );

  it("P3: the error names place and cause, whichever call fails, and nothing changes before the commit", async () => {
    const errors = repetitions("errorsACall");
    const tries = await failEachCall(product, await aJoinScenario(product), errors);
    expect(tries).toBeGreaterThanOrEqual(errors * tried);
  });
});
