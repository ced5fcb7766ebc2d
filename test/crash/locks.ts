import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { aPublishedDirectory, writePublished } from "../fixtures.js";
import { letPass } from "../store/trees.js";
import { callsOf, commitOf, withHook } from "./faults.js";
import {
  copyOf,
  DIST,
  expectLike,
  KEEP,
  type Product,
  readWhole,
  type Scenario,
} from "./product.js";
import { chance, pick, repetitions } from "./repetitions.js";

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

/** Makes a lock look as if its owner had not written to it for longer than a minute. */
export function silence(lock: string): void {
  for (const name of readdirSync(lock)) utimesSync(join(lock, name), 1, 1);
}

/**
 * A build stands still at each of its calls until another build has taken its lock over and published.
 * It publishes nothing afterwards and leaves the other build's snapshot whole.
 *
 * The commit itself is left out: no check can be closer to it than the call before it.
 * @returns how many calls were tried
 */
export async function loseLockAtEachCall(product: Product, scenario: Scenario): Promise<number> {
  const other = await writePublished(join(scenario.folder, "other"), aPublishedDirectory());
  const made = await callsOf(product, scenario);
  const commit = commitOf(made);
  const stride = repetitions("strideOfLostLocks");
  const first = Math.floor(chance("lost locks")() * stride);
  const tried = made.filter(({ number }) => number % stride === first && number !== commit);
  for (const { number, name } of tried) {
    const store = copyOf(scenario);
    const what = `taken over at call ${number}, ${name}`;
    // The other build has other listings.
    const words = ["build", other, "--out", store, "--keep", String(KEEP), "--json", "--quiet"];
    words.push("--max-removed", "100%");
    let published = "";
    const building = withHook(
      product,
      (call, real) => {
        if (call.number === number && existsSync(join(store, ".lock"))) {
          silence(join(store, ".lock"));
          const command = [join(product.dist, "cli/index.js"), ...words];
          const { stdout } = spawnSync(process.execPath, command, { encoding: "utf8" });
          published = (JSON.parse(stdout) as { id: string }).id;
        }
        return real();
      },
      () => scenario.publish(store),
    ).then(
      () => null,
      (error: Error) => error,
    );
    const error = await building;
    expect(await readWhole(product, store), what).toBe(published);
    if (number < commit) {
      expect(`${error?.name}: ${error?.message}`, what).toMatch(
        /^StoreLockedError: another build took/,
      );
    }
    // Whatever is left over goes with the next build, once no server can need it any more.
    await letPass(store);
    await product.build(other, { store, jobs: 1, keep: 1, maxRemoved: "100%" });
    const again = join(scenario.folder, "again");
    await product.build(other, { store: again, jobs: 1, keep: 1 });
    await expectLike(product, store, again, what);
    for (const folder of [store, again]) rmSync(folder, { recursive: true });
  }
  return tried.length;
}
