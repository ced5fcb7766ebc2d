import { expect, it } from "vitest";
import { readMutants } from "./hostile.js";
import { productOf } from "./product.js";

it("mutants of a store with correct checksums neither crash nor hang anything, and no answer breaks its checksum", async () => {
  expect(await readMutants(await productOf())).toBeGreaterThan(500);
});
