import { expect, it, onTestFinished } from "vitest";
import { type BegunLoad, EarlyLoad, openStored } from "../../src/runtime/early-load.js";
import { LoadThreads } from "../../src/runtime/load.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot.js";
import { builtStore, manyListings } from "../store/trees.js";
import { asked } from "./asked.js";

/* A text that is nowhere is corrected by what is made after the first answers: until then its request waits. */

const NOWHERE = [
  "/api/sites?q=sitee",
  "/api/sites?q=sitee&minScore=99",
  "/api/sites/suggestions?q=sitee",
  "/?q=sitee",
];
const SOMEWHERE = [
  "/api/sites?q=site",
  "/api/sites?q=site&minScore=100",
  "/api/sites/facets?q=sitee",
];

type Later = Awaited<BegunLoad["index"]>["later"];

/** A snapshot whose later part is what is made of the real one. */
async function aSnapshot(later: (real: Later) => Later): Promise<LoadedSnapshot> {
  const { store, result } = await builtStore(manyListings());
  const stored = await openStored(store, result.id);
  const index = new LoadThreads()
    .load(stored, false)
    .then((loaded) => ({ ...loaded, later: later(loaded.later) }));
  const early = new EarlyLoad(`${store}/none`);
  early.take = async () => ({ stored, index });
  const snapshot = await LoadedSnapshot.load(store, result.id, { early });
  onTestFinished(() => snapshot.release());
  return snapshot;
}

const textsOf = async (snapshot: LoadedSnapshot, targets: readonly string[]) => {
  const texts = [];
  for (const target of targets) texts.push((await asked(snapshot, target)).bytes.toString());
  return texts;
};

it("waits until it can be corrected, while all else is answered", async () => {
  let goOn = () => {};
  const whenToldTo = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const snapshot = await aSnapshot(async (later) => {
    await whenToldTo;
    return await later;
  });
  let answered = 0;
  const waiting = NOWHERE.map(async (target) => {
    const { status, bytes } = await asked(snapshot, target);
    expect(status).toBe(200);
    answered += 1;
    return bytes.toString();
  });
  const early = await textsOf(snapshot, SOMEWHERE);
  await new Promise(setImmediate);
  expect(answered).toBe(0);
  goOn();
  const texts = await Promise.all(waiting);
  expect(texts.slice(0, 3).map((text) => JSON.parse(text).didYouMean)).toEqual(
    Array(3).fill(["site"]),
  );
  expect(texts).toEqual(await textsOf(snapshot, NOWHERE));
  expect(early).toEqual(await textsOf(snapshot, SOMEWHERE));
});

it("is corrected all the same where longer grams could not be made", async () => {
  const good = await aSnapshot((later) => later);
  const snapshot = await aSnapshot(async (later) => {
    await later;
    throw new Error("a thread ended");
  });
  expect(await textsOf(snapshot, NOWHERE)).toEqual(await textsOf(good, NOWHERE));
  await expect(snapshot.extended).rejects.toThrow("a thread ended");
  expect(await textsOf(snapshot, NOWHERE)).toEqual(await textsOf(good, NOWHERE));
});
