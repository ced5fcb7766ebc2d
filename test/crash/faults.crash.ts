import { describe, expect, it } from "vitest";
import { ERRORS } from "./faults.js";
import { aScenario, expectRepair, productOf, readWhole } from "./product.js";
import { chance, repetitions } from "./repetitions.js";
import { need } from "./tools.js";
import { TracedBuild } from "./traced.js";

const product = await productOf();

describe("P3: calls that fail", () => {
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
