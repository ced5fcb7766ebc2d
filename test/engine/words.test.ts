import { describe, expect, it } from "vitest";
import {
  addWords,
  type CommonWords,
  cutWords,
  ListingWords,
  WordTree,
} from "../../src/engine/corrections.js";
import { openEngineInSlices } from "../../src/engine/engine.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { aListing, aSearch, indexOf, openListings, WORDS } from "./directory.js";
import { type FoldedFields, joinText } from "./rankings.js";

function wordsOf(
  listings: readonly Partial<FoldedFields>[],
  most?: number,
  counted?: number,
): [text: string, count: number][] {
  const all = listings.map((one) => ({ host: "", name: "", tagline: "", ...one }));
  const { units, hosts } = joinText(all);
  const words = new ListingWords(counted);
  for (const number of all.keys()) words.add(units, hosts[number] ?? 0, hosts[number + 1] ?? 0);
  const { texts, counts } = words.commonest(most);
  expect(counts).toHaveLength(texts.length);
  return texts.map((word, at) => [word, counts[at] ?? 0]);
}

describe("the words of a text", () => {
  it("are the runs of letters, digits and marks of any script, in a query and in the joined text", () => {
    const random = seeded(91);
    const others = [" ", "-", ".", "👩‍🚀", "🚀", "·", "、", "", "_", "'"];
    const points = ["𐐀", "𐌰", "𝒞", "𠮷", "e\u0301", "٣", "½", "ー", "ः", "🏽", "\u{e0100}"];
    for (let made = 0; made < 500; made += 1) {
      let name = "";
      while (name.length < 30) name += pick(random, [pick(random, WORDS), ...points, ...others]);
      const expected = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      const pieces = cutWords(name);
      expect(pieces.slice(0, -1).map(({ word }) => word)).toEqual(expected);
      expect(pieces.map(({ joint, word = "" }) => joint + word).join("")).toBe(name);
      const found = wordsOf([{ host: "a.b", name, tagline: "𐐀" }, { host: "𐐀" }]);
      expect(found.map(([word]) => word).sort()).toEqual(
        [...new Set(["a", "b", ...expected, "𐐀"])].sort(),
      );
    }
  });
});

describe("the common words", () => {
  it("are counted once for each listing, and sorted by falling count, then in the listings' order", () => {
    expect(
      wordsOf([
        { host: "tea.org", name: "tea tea", tagline: "more tea" },
        { host: "tea-cake.org", name: "cake" },
      ]),
    ).toEqual([
      ["tea", 2],
      ["org", 2],
      ["more", 1],
      ["cake", 1],
    ]);
  });

  it("come in the order in which they first appear, even if an earlier word begins with a later one", () => {
    const words = wordsOf([{ name: "teapot cup" }, { name: "te tea" }]);
    expect(words.map(([word]) => word)).toEqual(["teapot", "cup", "te", "tea"]);
  });

  it("leave out runs of more than 64 code units", () => {
    const name = `${"a".repeat(64)} ${"b".repeat(65)}`;
    expect(wordsOf([{ name }])).toEqual([["a".repeat(64), 1]]);
  });

  it("are at most 20,000: those in the most listings, and among equals those of the best listings", () => {
    const listings = Array.from({ length: 15_000 }, (_, number) => ({
      name: `x${number}`,
      tagline: number < 10_000 ? `z${number}` : `y${number % 5_000}`,
    }));
    listings.push(...Array.from({ length: 5_000 }, (_, at) => ({ name: "", tagline: `y${at}` })));
    const words = wordsOf(listings);
    expect(words).toHaveLength(20_000);
    expect(
      words.slice(0, 5_000).every(([text, count]) => text.startsWith("y") && count === 2),
    ).toBe(true);
    expect(words.slice(5_000, 5_003)).toEqual([
      ["x0", 1],
      ["z0", 1],
      ["x1", 1],
    ]);
    expect(words.at(-1)).toEqual(["z7499", 1]);
  });

  it("are still the commonest if there are more words than can be counted at a time", () => {
    const random = seeded(92);
    const listings = Array.from({ length: 3_000 }, (_, number) => ({
      host: `h${number}`,
      tagline: `${number % 2 === 0 ? "even" : "odd"} w${whole(random, 0, 20)}`,
    }));
    const all = wordsOf(listings, 10);
    expect(all[0]).toEqual(["even", 1_500]);
    expect(wordsOf(listings, 10, 100)).toEqual(all);
    // With no room for them, those that come seldom are counted from 1 again and again.
    expect(wordsOf(listings, 10, 8)).not.toEqual(all);
  });

  it("are empty if there is no listing", () => {
    expect(wordsOf([])).toEqual([]);
  });
});

describe("the tree of words", () => {
  const texts = Array.from({ length: 1_050 }, (_, number) => `w${number}`);
  const words: CommonWords = { texts, counts: Uint32Array.from(texts, (_, number) => number + 1) };

  it("is filled in steps of 32 words, between which other work runs", () => {
    const tree = new WordTree();
    const sizes: number[] = [];
    for (const _ of addWords(tree, words)) sizes.push(tree.size);
    expect(sizes).toEqual(Array.from({ length: 32 }, (_, step) => 32 * (step + 1)));
    expect(new Map(tree)).toEqual(new Map(texts.map((text, at) => [text, at + 1])));
  });

  it("is complete in an engine that was opened in slices, with a pause after each", async () => {
    const listings = texts.map((text) => aListing(`${text}.org`, { name: "rocket" }));
    let pauses = 0;
    const opened = await openEngineInSlices(indexOf(listings), async () => {
      pauses += 1;
    });
    // Beside the 1,050 of the hosts: org and rocket.
    expect(pauses).toBe(32);
    const other = openListings(listings);
    for (const q of ["rokcet", "w1049.ogr", "w77 rocket", "orrg"]) {
      expect(await opened.search(aSearch({ q }))).toEqual(await other.search(aSearch({ q })));
    }
    expect((await opened.search(aSearch({ q: "rokcet" }))).didYouMean).toEqual(["rocket"]);
  });
});
