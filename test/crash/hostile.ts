import { expect } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { aGoodStore, SEGMENT_KINDS, storeMutants } from "./damaged-stores.js";
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
  const each = (stride: number) => (_: unknown, at: number) => at % Math.ceil(stride) === 0;
  const ofSegments = mutants.filter(({ kind }) => SEGMENT_KINDS.includes(kind));
  const byIndex = ofSegments.filter(each(repetitions("strideOfIndexMutants")));
  const byServer = mutants.filter(each(repetitions("strideOfServerMutants")));
  const found = [
    ...(await fuzzStore("index", product.dist, good, byIndex, processesFor(byIndex))),
    ...(await fuzzStore("server", product.dist, good, byServer, processesFor(byServer))),
  ];
  process.stderr.write(`mutants of stores: ${JSON.stringify(tally(found))}\n`);
  expect(found.filter(({ outcome }) => !ALLOWED.includes(outcome)).map(tell)).toEqual([]);
  return found.length;
}

/** Starting a process takes as long as some mutants do. */
function processesFor(mutants: readonly unknown[]) {
  return { processes: mutants.length < 100 ? 1 : 2 };
}

function tell({ mutant, outcome, refusal }: Fuzzed): string {
  return `${outcome}: ${mutant.kind}, ${mutant.name} ${refusal}`;
}
