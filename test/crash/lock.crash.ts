import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { lockStore } from "../../src/files/lock.js";
import { temporaryFolder } from "../fixtures.js";
import { contend } from "./locks.js";
import { aScenario, contentOf, copyOf, KEEP, productOf, readWhole } from "./product.js";
import { chance, repetitions, SEED } from "./repetitions.js";
import { type Ran, run, start, startingTime, waitingFor } from "./tools.js";

const product = await productOf();
const CONTENDERS = 20;

describe("P8: builds at the same time", () => {
  it("of one store: 1 of 20 publishes and 19 exit 5; the lock of a killed owner is free at once", async () => {
    const scenario = await aScenario(product);
    const store = copyOf(scenario);
    const args = ["build", scenario.published, "--out", store, "--keep", String(KEEP)];
    const go = join(scenario.folder, "go");
    // Who has the lock waits in its build; it is the one that does not end.
    const builds = Array.from({ length: CONTENDERS }, () => start(args, { hook: waitingFor(go) }));
    const refused: Ran[] = [];
    for (const { ended } of builds) ended.then((ran) => refused.push(ran));
    while (refused.length < CONTENDERS - 1 || !existsSync(`${go}.waiting`)) await sleep(20);
    expect(refused).toHaveLength(CONTENDERS - 1);
    for (const { code, output } of refused) {
      expect([code, output]).toEqual([5, expect.stringContaining("another build is writing")]);
    }
    // Sooner than the owner writes to its lock again.
    const atOnce = (await startingTime()) + 4_000;
    for (let i = 0; i < 3; i += 1) {
      const { code, milliseconds } = await run(args);
      expect(code).toBe(5);
      expect(milliseconds).toBeLessThan(atOnce);
    }
    expect(await readWhole(product, store)).toBe(scenario.before);
    writeFileSync(go, "");
    const all = await Promise.all(builds.map(({ ended }) => ended));
    expect(all.map(({ code }) => code).sort()).toEqual([0, ...Array(CONTENDERS - 1).fill(5)]);
    expect(await contentOf(store)).toEqual(scenario.whole);

    rmSync(go);
    rmSync(`${go}.waiting`);
    const again = copyOf(scenario);
    const words = ["build", scenario.published, "--out", again, "--keep", String(KEEP)];
    const owner = start(words, { hook: waitingFor(go) });
    while (!existsSync(`${go}.waiting`)) await sleep(20);
    expect((await run(words)).code).toBe(5);
    owner.kill("SIGKILL");
    await owner.ended;
    const next = await run(words);
    expect(next.code).toBe(0);
    expect(next.milliseconds).toBeLessThan(atOnce);
    expect(await contentOf(again)).toEqual(scenario.whole);
  });

  it.runIf(process.platform === "linux")(
    "never two processes hold the lock of one store, whichever are killed; a dead owner's lock is free at once",
    async () => {
      const times = repetitions("contendedLocks");
      const folder = await temporaryFolder();
      const options = { contenders: 12, times, random: chance("contenders") };
      const { store, counts } = await contend(folder, options);
      process.stderr.write(`contenders: SEED=${SEED}, ${JSON.stringify(counts)}\n`);
      expect(counts).toMatchObject({ "two holders": 0, failed: 0 });
      expect(counts["after a death"]).toBeGreaterThan(0);
      rmSync(join(store, "marker"), { force: true });
      await (await lockStore(store)).free();
      expect(readdirSync(store)).toEqual([]);
    },
  );
});
