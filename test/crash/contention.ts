import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DIST } from "./product.js";
import { pick } from "./repetitions.js";

/** What a contender tells each time it has held the lock, or when it meets another holder. */
type Told = "held" | "after a death" | "two holders";

/**
 * Takes the lock and frees it, over and over. While a contender holds it, a file of its own says so: another
 * one that finds that file, and its process alive, holds the lock as well.
 */
const contender = (store: string) => `
  import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
  import { setTimeout } from "node:timers/promises";
  const { lockStore } = await import(${JSON.stringify(pathToFileURL(join(DIST, "src/files/lock.js")).href)});
  const marker = ${JSON.stringify(join(store, "marker"))};
  // A process that was killed, but not looked after by its parent yet, is a zombie.
  const isAlive = (pid) => {
    try { return !/\\) [ZX] /.test(readFileSync("/proc/" + pid + "/stat", "utf8")); } catch { return false; }
  };
  for (;;) {
    const lock = await lockStore(${JSON.stringify(store)}).catch((error) => {
      if (error.name !== "StoreLockedError") throw error;
      return null;
    });
    if (lock === null) { await setTimeout(Math.random() * 3); continue; }
    let told = "held";
    try {
      writeFileSync(marker, String(process.pid), { flag: "wx" });
    } catch {
      told = isAlive(Number(readFileSync(marker, "utf8"))) ? "two holders" : "after a death";
      writeFileSync(marker, String(process.pid));
    }
    if (Math.random() < 0.5) await setTimeout(Math.random() * 3);
    if (Math.random() < 0.03) process.kill(process.pid, "SIGKILL");
    if (readFileSync(marker, "utf8") !== String(process.pid) || !lock.isHeld()) told = "two holders";
    unlinkSync(marker);
    await lock.free();
    process.send(told);
  }
`;

/**
 * Has many processes contend for a store's lock until it was held so many times. Some die while they hold it, others
 * at any time.
 * @returns how often each thing was told, and how many were killed
 */
export async function contend(
  folder: string,
  { contenders, times, random }: { contenders: number; times: number; random: () => number },
) {
  const store = join(folder, "contended");
  mkdirSync(store);
  const script = join(folder, "contender.mjs");
  writeFileSync(script, contender(store));
  const counts = { held: 0, "after a death": 0, "two holders": 0, failed: 0, killed: 0 };
  const isOver = () => counts.held >= times || counts["two holders"] > 0;
  const running = new Set<ChildProcess>();
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const add = () => {
    const child = fork(script, { execArgv: [] });
    running.add(child);
    child.on("message", (told: Told) => {
      counts[told] += 1;
      if (isOver()) end();
      else if (random() < 0.1) pick(random, [...running]).kill("SIGKILL");
    });
    child.on("exit", (code) => {
      running.delete(child);
      if (code === null) counts.killed += 1;
      else {
        counts.failed += 1;
        end();
      }
      if (!isOver()) add();
    });
  };
  for (let i = 0; i < contenders; i += 1) add();
  await over;
  const ended = [...running].map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(ended);
  return { store, counts };
}
