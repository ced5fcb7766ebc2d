import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { StoreWatcher } from "../../src/runtime/snapshot/reload.js";
import { temporaryFolder } from "../fixtures.js";

// Time stands still: it looks again only where it is told to.
vi.mock("node:timers/promises", () => ({
  setTimeout: (_: number, __: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
}));

const ID = "a".repeat(32);

it("a reload on demand looks at once, even at a snapshot that was just refused, and logs the result", async () => {
  const store = await temporaryFolder();
  await writeFile(join(store, "current.json"), JSON.stringify({ format: 1, id: ID }));
  const log: string[] = [];
  const outcomes: string[] = [];
  let isGood = false;
  let tries = 0;
  const watcher = new StoreWatcher({
    store,
    log: (line, kind) => log.push(`${kind}: ${line}`),
    adopt: async (id) => {
      tries += 1;
      if (!isGood) throw new Error("it is bad");
      return { id, listings: 3, exampleHost: null };
    },
    onReload: (outcome) => outcomes.push(outcome),
  });
  onTestFinished(() => watcher.close());
  await watcher.start();
  expect([tries, watcher.adopted]).toEqual([1, null]);
  watcher.lookNow();
  await expect.poll(() => tries).toBe(2);
  isGood = true;
  watcher.lookNow();
  await expect.poll(() => watcher.adopted?.id).toBe(ID);
  watcher.lookNow();
  watcher.lookNow();
  await expect.poll(() => tries).toBe(3);
  expect(log).toEqual([
    `trouble: snapshot refused: ${ID}: it is bad; no snapshot is loaded`,
    `info: snapshot ${ID} loaded: 3 listings in search`,
  ]);
  expect(outcomes).toEqual(["refused", "loaded"]);
});
