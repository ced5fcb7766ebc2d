import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lockStore } from "../../src/files/lock.js";
import { temporaryFolder } from "../fixtures.js";
import { contend } from "./contention.js";
import { chance, repetitions, SEED } from "./repetitions.js";

it.runIf(process.platform === "linux")(
  "P8: never two processes hold the lock of one store, whichever are killed; a dead owner's lock is free at once",
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
