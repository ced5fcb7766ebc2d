import { expect, it, onTestFinished } from "vitest";
import { loadSnapshot } from "../../src/runtime/snapshot/load-snapshot.js";
import type { Snapshot } from "../../src/runtime/snapshot/snapshot.js";
import { builtStore, manyListings } from "../store/trees.js";
import { asked } from "./asked.js";

async function aSnapshot(): Promise<Snapshot> {
  const { store, result } = await builtStore(manyListings());
  const { snapshot, close } = await loadSnapshot(store, result.id);
  onTestFinished(close);
  return snapshot;
}

it("the first answer of a snapshot corrects a text that nothing matches", async () => {
  const snapshot = await aSnapshot();
  for (const target of ["/api/sites?q=sitee", "/api/sites/suggestions?q=sitee"]) {
    const { status, bytes } = await asked(snapshot, target);
    expect([status, JSON.parse(bytes.toString()).didYouMean]).toEqual([200, ["site"]]);
  }
});
