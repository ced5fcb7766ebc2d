import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { aPublishedDirectory, writePublished } from "../fixtures.js";
import { letPass } from "../store/trees.js";
import { callsOf, commitOf, withHook } from "./faults.js";
import { copyOf, expectLike, KEEP, type Product, readWhole, type Scenario } from "./product.js";
import { chance, repetitions } from "./repetitions.js";

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
