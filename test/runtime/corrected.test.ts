import { expect, it, onTestFinished, vi } from "vitest";
import { Corrector } from "../../src/engine/corrections.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot.js";
import { builtStore, manyListings } from "../store/trees.js";
import { asked } from "./asked.js";

async function aSnapshot(): Promise<LoadedSnapshot> {
  const { store, result } = await builtStore(manyListings());
  const snapshot = await LoadedSnapshot.load(store, result.id);
  onTestFinished(() => snapshot.release());
  return snapshot;
}

it("a text that nothing matches is corrected in the first answer of a snapshot", async () => {
  const snapshot = await aSnapshot();
  for (const target of ["/api/sites?q=sitee", "/api/sites/suggestions?q=sitee"]) {
    const { status, bytes } = await asked(snapshot, target);
    expect([status, JSON.parse(bytes.toString()).didYouMean]).toEqual([200, ["site"]]);
  }
});

it("a page of the explorer corrects its text once, not for each of its counts", async () => {
  const snapshot = await aSnapshot();
  const correct = vi.spyOn(Corrector.prototype, "correct");
  onTestFinished(() => {
    correct.mockRestore();
  });
  await asked(snapshot, "/?q=sitee");
  expect(correct).toHaveBeenCalledTimes(1);
});
