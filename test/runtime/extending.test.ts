import { expect, it, onTestFinished, vi } from "vitest";
import { Corrector } from "../../src/engine/corrections.js";
import type { FoldedText } from "../../src/engine/text.js";
import { WordScanner } from "../../src/engine/words.js";
import { type BegunLoad, EarlyLoad, openStored } from "../../src/runtime/early-load.js";
import { LoadThreads } from "../../src/runtime/load.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot.js";
import { copiedStore } from "../store/trees.js";
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

interface Changes {
  readonly text?: (real: FoldedText) => FoldedText;
  readonly isAside?: boolean;
}

/** A snapshot whose later part is what is made of the real one. */
async function aSnapshot(
  later: (real: Later) => Later,
  { text = (real) => real, isAside = false }: Changes = {},
): Promise<LoadedSnapshot> {
  const { store, result } = await copiedStore();
  const stored = await openStored(store, result.id);
  const index = new LoadThreads()
    .load(stored, { isAside: false })
    .then(({ index: made, ...loaded }) => ({
      ...loaded,
      index: { ...made, text: text(made.text) },
      later: later(loaded.later),
    }));
  const early = new EarlyLoad(`${store}/none`);
  early.take = async () => ({ stored, index });
  const snapshot = await LoadedSnapshot.load(store, result.id, { early, isAside });
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

const failing = async (later: Later): Later => {
  await later;
  throw new Error("a thread ended");
};

it("is corrected all the same where longer grams could not be made", async () => {
  const good = await aSnapshot((later) => later);
  const snapshot = await aSnapshot(failing);
  expect(await textsOf(snapshot, NOWHERE)).toEqual(await textsOf(good, NOWHERE));
  await expect(snapshot.extended).rejects.toThrow("a thread ended");
  expect(await textsOf(snapshot, NOWHERE)).toEqual(await textsOf(good, NOWHERE));
});

it("is told of with both reasons where corrections cannot be made at all", async () => {
  let isBroken = false;
  const text = (real: FoldedText) =>
    new Proxy(real, {
      get(target, name: keyof FoldedText) {
        if (isBroken) throw new Error("no memory");
        return target[name];
      },
    });
  const snapshot = await aSnapshot(
    async (later) => {
      await later;
      isBroken = true;
      throw new Error("a thread ended");
    },
    { text },
  );
  const reasons = "a thread ended; texts are not corrected: no memory";
  await expect(snapshot.extended).rejects.toThrow(reasons);
});

it("beside another snapshot, one whose later part cannot be made is refused, and nothing is made for it", async () => {
  const made = vi.spyOn(WordScanner.prototype, "eachWord");
  await expect(aSnapshot(failing, { isAside: true })).rejects.toThrow("a thread ended");
  expect(made).not.toHaveBeenCalled();
  const alone = await aSnapshot(failing);
  await expect(alone.extended).rejects.toThrow("a thread ended");
  expect(made).toHaveBeenCalled();
  made.mockRestore();
});

it("is corrected once for a page of the explorer, not for each of its counts", async () => {
  const snapshot = await aSnapshot((later) => later);
  await snapshot.extended;
  const correct = vi.spyOn(Corrector.prototype, "correct");
  await asked(snapshot, "/?q=sitee");
  expect(correct).toHaveBeenCalledTimes(1);
  correct.mockRestore();
});
