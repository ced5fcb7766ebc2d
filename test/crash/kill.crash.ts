import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { expectEachOpens } from "./faults.js";
import { aScenario, copyOf, expectRepair, KEEP, productOf, readWhole } from "./product.js";
import { chance, repetitions, SEED } from "./repetitions.js";
import { run, start } from "./tools.js";

const product = await productOf();

describe("P1: a build that is killed at a random time", () => {
  it("leaves the old snapshot or the new one whole, and the next build succeeds", async () => {
    const scenarios = [
      { scenario: await aScenario(product), jobs: "1", share: 0.75 },
      { scenario: await aScenario(product, 300), jobs: "2", share: 0.25 },
    ];
    const random = chance("P1");
    const kills = repetitions("randomKills");
    // Enough of both ends: fifty and ten, or of few builds their share.
    const least = { old: Math.min(50, kills / 2), new: Math.min(10, kills / 7) };
    const ended = { old: 0, new: 0 };
    let builds = 0;
    for (const { scenario, jobs, share } of scenarios) {
      const args = ["build", scenario.published, "--keep", String(KEEP), "--jobs", jobs, "--out"];
      const times = [];
      for (let i = 0; i < 3; i += 1) {
        times.push((await run([...args, copyOf(scenario)])).milliseconds);
      }
      const usual = times.sort((a, b) => a - b)[1] ?? 0;
      const target = Math.round(share * kills);
      const tooFew = () => ended.new < least.new || ended.old < least.old;
      for (let i = 0; i < target || (tooFew() && i < 2 * target); i += 1) {
        const store = copyOf(scenario);
        const pointer = join(store, "current.json");
        const before = readFileSync(pointer, "utf8");
        const delay = usual * 1.1 * random();
        const building = start([...args, store]);
        if (i < target || ended.new >= least.new) {
          await sleep(delay);
        } else {
          // Too few ends are new: this build is killed as soon as its commit is seen.
          await vi.waitUntil(() => readFileSync(pointer, "utf8") !== before, {
            timeout: 60_000,
            interval: 1,
          });
        }
        building.kill("SIGKILL");
        await building.ended;
        const id = await readWhole(product, store);
        expect([scenario.before, scenario.after], `SEED=${SEED}, ${delay} ms`).toContain(id);
        await expectEachOpens(product, store);
        ended[id === scenario.after ? "new" : "old"] += 1;
        await expectRepair(product, scenario, store);
        rmSync(store, { recursive: true });
        builds += 1;
      }
    }
    process.stderr.write(`P1: ${builds} builds killed: ${ended.old} old, ${ended.new} new\n`);
    expect(builds).toBeGreaterThanOrEqual(kills);
    expect(ended.new).toBeGreaterThanOrEqual(least.new);
    expect(ended.old).toBeGreaterThanOrEqual(least.old);
  });
});
