import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { damageEachFile, mixSnapshots } from "./damage.js";
import { dieAtEachCall, failEachCall } from "./faults.js";
import { loseLockAtEachCall } from "./lost-lock.js";
import { MUTANTS, plant } from "./mutants.js";
import { losePower } from "./power-loss.js";
import {
  ageSnapshots,
  aScenario,
  contentOf,
  copyOf,
  KEEP,
  type Product,
  productOf,
  type Scenario,
} from "./product.js";
import { repetitions } from "./repetitions.js";

/** The tests that mistakes are shown to, each with a part of its repetitions. */
const TESTS: Readonly<Record<string, (product: Product, scenario: Scenario) => Promise<unknown>>> =
  {
    P9: mixSnapshots,
    kept: expectPreviousKept,
    "lost locks": loseLockAtEachCall,
    P2: dieAtEachCall,
    P3: (product, scenario) => failEachCall(product, scenario, 2),
    P7: (product, scenario) => damageEachFile(product, scenario, 1),
    P5: (product, scenario) => losePower(product, scenario, 400),
  };

/** The snapshot before is there after a build, whole, for those who still read it. */
async function expectPreviousKept(product: Product, scenario: Scenario): Promise<void> {
  const store = copyOf(scenario);
  for (let time = 0; time < 2; time += 1) {
    // The second time, nothing stays only because it was current a minute ago.
    ageSnapshots(store);
    await product.build(scenario.published, { store, jobs: 1, keep: KEEP });
  }
  (await product.loadSnapshot(store, scenario.before)).close();
  (await product.loadSnapshot(store, scenario.after)).close();
  expect(
    Object.keys(await contentOf(store)).filter((file) => file.includes("manifest")),
  ).toHaveLength(KEEP);
}

const found: string[] = [];
afterAll(() => {
  process.stderr.write(`P6: mistakes and the tests that found them\n${found.join("\n")}\n`);
});

describe("P6: planted mistakes", () => {
  it("the unchanged product passes the tests that must find them", async () => {
    const whole = { mistake: "none", finder: "", file: "files/disk.js", edits: [] };
    const product = await productOf(plant(whole, join(await temporaryFolder(), "whole")));
    const isLong = repetitions("finders") > 1;
    for (const [name, test] of Object.entries(TESTS)) {
      // P2, P3, P5 and P7 are shown to the product itself in any case.
      if (isLong || !name.startsWith("P")) await test(product, await aScenario(product));
    }
  });

  it.each(Object.entries(MUTANTS))("%s is found", async (name, mutant) => {
    const good = await productOf();
    const scenario = await aScenario(good);
    const product = await productOf(plant(mutant, join(scenario.folder, name)));
    const finders: string[] = [];
    const finderFirst = Object.entries(TESTS).sort(
      ([a], [b]) => Number(b === mutant.finder) - Number(a === mutant.finder),
    );
    for (const [test, show] of finderFirst) {
      const isFound = await show(product, scenario).then(
        () => false,
        () => true,
      );
      if (isFound) finders.push(test);
      if (finders.length === repetitions("finders")) break;
    }
    found.push(`  ${mutant.mistake}: ${finders.join(", ")}`);
    expect(finders[0], mutant.mistake).toBe(mutant.finder);
  });
});
