import { expect, it } from "vitest";
import { StoredSegments } from "../../../src/store/segments/set.js";
import { manifestOf } from "../forge.js";
import { copiedStore } from "../trees.js";

it("a segment whose manifest entry does not cover the hashes of its hosts is refused: readers would not find them", async () => {
  const { store } = await copiedStore();
  const { segments, vocabulary } = await manifestOf(store);
  const [segment] = segments;
  const directoryOf = (changes: Partial<(typeof segments)[number]>) => () =>
    new StoredSegments(store, [{ ...segment!, ...changes }], vocabulary).directory(0);
  expect(directoryOf({})).not.toThrow();
  const { firstHash, lastHash } = segment!;
  for (const changes of [{ lastHash: lastHash - 1 }, { firstHash: firstHash + 1 }]) {
    expect(directoryOf(changes)).toThrow(/does not match/);
  }
});
