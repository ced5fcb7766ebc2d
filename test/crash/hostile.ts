import { expect } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { aGoodStore, storeMutants } from "./damaged-stores.js";
import type { Product } from "./product.js";
import { repetitions } from "./repetitions.js";
import { type Fuzzed, fuzzStore, type Outcome, tally } from "./store-fuzz.js";

const ALLOWED: readonly Outcome[] = ["refused", "right"];

/**
 * Mutants of a store whose checksums are right: none crashes or hangs a reader, takes its memory, or has an answer that
 * breaks its own checksum.
 * @returns how many there were
 */
export async function readMutants(product: Product): Promise<number> {
  const good = await aGoodStore(product, await temporaryFolder());
  const mutants = storeMutants(good);
  const stride = repetitions("strideOfStoreMutants");
  const some = mutants.filter((_, at) => at % stride === 0);
  // Starting a process takes as long as some mutants do.
  const processes = some.length < 100 ? 1 : 2;
  const found = await fuzzStore(product.dist, good, some, { processes });
  process.stderr.write(`mutants of stores: ${JSON.stringify(tally(found))}\n`);
  expect(found.filter(({ outcome }) => !ALLOWED.includes(outcome)).map(tell)).toEqual([]);
  return found.length;
}

function tell({ mutant, outcome, refusal }: Fuzzed): string {
  return `${outcome}: ${mutant.kind}, ${mutant.name} ${refusal}`;
}
