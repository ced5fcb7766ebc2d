import { describe, expect, it } from "vitest";
import { RemoteError } from "../../src/remote/errors.js";
import {
  GENERATIONS_KEPT,
  generationText,
  hintText,
  newestOffer,
} from "../../src/remote/generations.js";
import { originAt } from "../../src/remote/origin.js";
import { pull } from "../../src/remote/pull.js";
import { PATIENCE } from "../../src/remote/retrying.js";
import { plainHost } from "./hosts.js";
import { anImitation, BUCKET } from "./imitation.js";
import { aPusher, newStore } from "./pusher.js";

const idOf = (generation: number) => String(generation).padStart(32, "0");

/** A server that only answers GET, with some generations and a hint. */
async function anOrigin(generations: readonly number[], hint: string | null) {
  const texts = new Map(
    generations.map((number) => [
      `generations/${number}.json`,
      generationText(number, idOf(number)),
    ]),
  );
  if (hint !== null) texts.set("current.json", hint);
  const host = await plainHost(async (path) => {
    const text = texts.get(path);
    return text === undefined ? null : Buffer.from(text);
  });
  return { ...host, origin: originAt(host.url, false) };
}

/** The numbers from `first` to `last`. */
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe("the newest generation, found by GET alone", () => {
  it.each([
    ["the hint is right", from(1, 5), 5, 5],
    ["the hint is behind", from(1, 9), 5, 9],
    ["the hint's generation was deleted, but not the next", from(6, 9), 5, 9],
    ["the hint's and the next ones were deleted", from(8, 8 + GENERATIONS_KEPT - 1), 5, 107],
    ["the generations were not copied", [], 5, 5],
  ])("%s", async (_name, generations, hint, expected) => {
    const { origin } = await anOrigin(generations, hintText(hint, idOf(hint)));
    const offer = { id: idOf(expected), generation: expected };
    expect(await newestOffer(origin, 0)).toEqual(offer);
    // A reader that knows a newer one is not led back by an old hint.
    expect(await newestOffer(origin, expected)).toEqual(offer);
    expect(await newestOffer(origin, expected + 3)).toEqual(offer);
  });

  it("takes few requests if thousands are new", async () => {
    const { origin, requested } = await anOrigin(from(1, 5_005), hintText(5, idOf(5)));
    expect(await newestOffer(origin, 0)).toEqual({ id: idOf(5_005), generation: 5_005 });
    expect(requested.length).toBeLessThan(40);
  });

  it("is found from the known one if the hint names one that is nowhere", async () => {
    const { origin } = await anOrigin(from(1, 7), hintText(1e12, idOf(3)));
    expect(await newestOffer(origin, 5)).toEqual({ id: idOf(7), generation: 7 });
  });

  it("takes three requests if nothing is new", async () => {
    const { origin, requested } = await anOrigin(from(1, 5), hintText(5, idOf(5)));
    await newestOffer(origin, 5);
    expect(requested).toEqual(["current.json", "generations/5.json", "generations/6.json"]);
  });

  it("is there before the first hint", async () => {
    const { origin } = await anOrigin([1], null);
    expect(await newestOffer(origin, 0)).toEqual({ id: idOf(1), generation: 1 });
  });

  it("is an error if there is nothing, or nothing that this version reads", async () => {
    const empty = await anOrigin([], null);
    await expect(newestOffer(empty.origin, 0)).rejects.toThrow(/nothing can be read at http:/);
    const later = JSON.stringify({ format: 2, id: idOf(1) });
    const { origin } = await anOrigin([], later);
    await expect(newestOffer(origin, 0)).rejects.toThrow(RemoteError);
    const torn = await anOrigin([1], hintText(1, idOf(1)).slice(0, 20));
    await expect(newestOffer(torn.origin, 0)).rejects.toThrow(/current.json has no format/);
  });
});

describe("a push that lay still between its commit and its hint", () => {
  it("leaves a hint that is behind; readers find the newest generation all the same", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0);
    const late = bucket.text("current.json") ?? "";
    await push(1);
    bucket.put("current.json", late);
    const pulled = await pull(BUCKET, { store: await newStore() });
    expect(pulled).toMatchObject({ id: ids[1], generation: 2 });
    // The store tells times in whole seconds.
    bucket.ahead += PATIENCE.sweepMs + 1_000;
    await push(1);
    expect(bucket.json("current.json")).toMatchObject({ generation: 2 });
  });
});

describe("an origin that was set back", () => {
  it("is followed, and the result says so: its owner has restored it", async () => {
    const bucket = await anImitation();
    const { push, ids } = await aPusher();
    await push(0);
    const first = new Map(bucket.objects);
    await push(1);
    const copy = await newStore();
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ generation: 2, setBackFrom: null });
    bucket.objects.clear();
    for (const [key, object] of first) bucket.objects.set(key, object);
    expect(await pull(BUCKET, { store: copy })).toMatchObject({
      ...{ id: ids[0], generation: 1, changed: true, setBackFrom: 2 },
    });
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ setBackFrom: null });
  });
});
