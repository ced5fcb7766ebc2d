import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { writePublished } from "../fixtures.js";
import {
  type CallName,
  callsOf,
  commitOf,
  ERRORS,
  failing,
  renameTo,
  someOf,
  withHook,
} from "./faults.js";
import {
  aDirectory,
  ageSnapshots,
  copyOf,
  expectLike,
  KEEP,
  type Product,
  type Scenario,
} from "./product.js";

/** What a death leaves, at each of these calls and before any later one. */
async function dies(
  product: Product,
  { publish }: Scenario,
  store: string,
  number: number,
): Promise<void> {
  const death = new Error("dead");
  const building = withHook(
    product,
    (call, real) => {
      if (call.number < number) return real();
      if (call.number === number && MAKES_FILES.includes(call.name)) real();
      throw death;
    },
    () => publish(store),
  );
  await expect(building).rejects.toThrow();
}

const MAKES_FILES: readonly CallName[] = ["create", "mkdir", "rename"];

/**
 * A build dies at each of its calls before the commit, and the next one publishes another directory: of
 * the first one nothing is left.
 * @returns how many calls were tried
 */
export async function buildAnotherAfterEachDeath(
  product: Product,
  scenario: Scenario,
): Promise<number> {
  const made = await callsOf(product, scenario);
  const commit = commitOf(made);
  const clean = copyOf(scenario);
  const directory = aDirectory(20, "Other");
  const other = await writePublished(join(scenario.folder, "other"), directory);
  await product.build(other, { store: clean, jobs: 1, keep: KEEP });
  // Those about the notes and the folder are always tried.
  const noted = renameTo(made, ".notes");
  const tried = new Set(someOf(made.slice(0, commit - 1)).map(({ number }) => number));
  for (let number = noted - 1; number < commit; number += 1) tried.add(number);
  for (const number of tried) {
    const store = copyOf(scenario);
    await dies(product, scenario, store, number);
    ageSnapshots(store);
    await product.build(other, { store, jobs: 1, keep: KEEP });
    await expectLike(product, store, clean, `died at call ${number}`);
    rmSync(store, { recursive: true });
  }
  return tried.size;
}

/**
 * Each call of a store's first build fails: of the store nothing is left, not even its folder.
 * @returns how many calls were tried
 */
export async function failEachCallOfAFirstBuild(
  product: Product,
  scenario: Scenario,
): Promise<number> {
  const store = join(scenario.folder, "first", "store");
  const made: { number: number; isCommit: boolean }[] = [];
  await withHook(
    product,
    ({ number, name, args }, real) => {
      const isCommit = name === "rename" && String(args[1]).endsWith("/current.json");
      made.push({ number, isCommit });
      return real();
    },
    () => scenario.publish(store),
  );
  const commit = made.findIndex(({ isCommit }) => isCommit);
  expect(commit).toBeGreaterThan(0);
  const tried = someOf(made.slice(0, commit + 1));
  for (const { number } of tried) {
    rmSync(join(store, ".."), { recursive: true, force: true });
    const error = await failing(product, scenario, store, number, ERRORS[number % ERRORS.length]!);
    expect(error, `call ${number}`).toMatchObject({ name: "StoreWriteError" });
    expect(existsSync(store), `call ${number}`).toBe(false);
  }
  return tried.length;
}
