import { expect, it } from "vitest";
import { readMutants } from "./hostile.js";
import { productOf } from "./product.js";

it("mutants of a store whose checksums are right crash and hang nothing, and no answer differs from the shards", async () => {
  expect(await readMutants(await productOf())).toBeGreaterThan(500);
});
