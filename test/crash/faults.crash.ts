import { describe, expect, it } from "vitest";
import { ERRORS, failEachCall } from "./faults.js";
import { buildAnotherAfterEachDeath, failEachCallOfAFirstBuild } from "./leftovers.js";
import { losePower } from "./power-loss.js";
import { aScenario, expectRepair, productOf, readWhole } from "./product.js";
import { chance, repetitions } from "./repetitions.js";
import { need } from "./tools.js";
import { TracedBuild } from "./traced.js";

const product = await productOf();

describe("P3: calls that fail", () => {
  it("of the module through which a build writes: each call with each error", async () => {
    const scenario = await aScenario(product);
    const tries = await failEachCall(product, scenario, repetitions("errorsACall"));
    process.stderr.write(`P3: ${tries} failures\n`);
    expect(tries).toBeGreaterThan(80 * repetitions("errorsACall"));
  });

  it("in the kernel, by strace, reads included: exit 1 with path and error, or no harm", async (context) => {
    need(context, "strace");
    const scenario = await aScenario(product);
    const traced = new TracedBuild(scenario);
    const { made } = await traced.calls();
    const stride = repetitions("strideOfTracedErrors");
    const tries = made
      .filter(({ isAlone }) => isAlone)
      .flatMap((call) => ERRORS.map((error) => ({ call, error })));
    const first = Math.floor(chance("P3")() * stride);
    let failed = 0;
    for (const { call, error } of tries.filter((_, i) => i % stride === first)) {
      const { code, output } = await traced.inject(call, `error=${error}`);
      const what = `${error}: ${call.line}\n${output}`;
      const id = await readWhole(product, traced.store);
      if (code === 0) {
        expect(id, what).toBe(scenario.after);
      } else {
        failed += 1;
        expect(code, what).toBe(1);
        expect(output, what).toContain(error);
        expect(output, what).toContain(traced.store);
        const stands = output.includes(`snapshot ${scenario.after} is current, but `);
        expect(id, what).toBe(stands ? scenario.after : scenario.before);
      }
      await expectRepair(product, scenario, traced.store);
    }
    expect(failed).toBeGreaterThan(0);
  });
});

describe("P3: leftovers of failed and killed builds", () => {
  it("are removed by the next build, whatever it publishes; a first build leaves none", async () => {
    const scenario = await aScenario(product);
    expect(await buildAnotherAfterEachDeath(product, scenario)).toBeGreaterThan(60);
    expect(await failEachCallOfAFirstBuild(product, scenario)).toBeGreaterThan(50);
  });
});

describe("P5: losses of power", () => {
  it("leave the old snapshot or the new one, whichever unsynced data are lost", async () => {
    const states = repetitions("powerLosses");
    const isNew = Math.floor(states / 5);
    expect(await losePower(product, await aScenario(product), states)).toBe(states);
    expect(await losePower(product, await aScenario(product), isNew, true)).toBe(isNew);
  });
});
