import { describe, expect, it } from "vitest";
import { alternativesOf, WordTree } from "../../src/engine/corrections.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { repeated } from "../slow.js";

/** Levenshtein's distance by its table. */
function plainDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const kept = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(kept, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Words of few letters, so that many are near each other. */
function randomWord(random: () => number, most: number): string {
  return Array.from({ length: whole(random, 1, most) }, () => pick(random, [..."abcж京"])).join("");
}

/** @param words with the number of listings that have each, or 1 for all */
function treeOf(words: Readonly<Record<string, number>> | readonly string[]): WordTree {
  const tree = new WordTree();
  if (Array.isArray(words)) for (const word of words) tree.set(word, 1);
  else for (const [word, count] of Object.entries(words)) tree.set(word, count);
  return tree;
}

const textsOf = (tree: WordTree, word: string, reach: "near" | "far" = "near") =>
  alternativesOf(tree, word, reach).map(({ text }) => text);

/** Whether two neighbours of a word are swapped in another. */
function isSwapped(word: string, other: string): boolean {
  return [...word].some(
    (_, at) => other === word.slice(0, at) + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
  );
}

describe("the alternatives of a word", () => {
  const random = seeded(82);
  const words = [...new Set(Array.from({ length: 800 }, () => randomWord(random, 12)))];
  const tree = treeOf(words);
  const asked = [
    ...words.slice(0, repeated(50, 100)),
    ...Array.from({ length: repeated(50, 100) }, () => randomWord(random, 12)),
  ];

  it(
    "include, if near, every word one edit or swap away, its continuations, and pairs of words " +
      "without their space",
    () => {
      let near = 0;
      for (const word of asked.filter(({ length }) => length > 2)) {
        const expected = words.filter(
          (other) =>
            plainDistance(word, other) === 1 ||
            (plainDistance(word, other) === 2 && isSwapped(word, other)),
        );
        const found = textsOf(tree, word);
        if (found.length < 40) expect(found).toEqual(expect.arrayContaining(expected));
        for (const text of found) {
          const isHalved =
            words.includes(text.split(/[ .-]/)[0]!) && text.replace(/[ .-]/, "") === word;
          expect(expected.includes(text) || text.startsWith(word) || isHalved, text).toBe(true);
        }
        near += expected.length;
      }
      expect(near).toBeGreaterThan(100);
    },
  );

  it("include, if far, the words two edits away if the word has five code units or more", () => {
    let far = 0;
    for (const word of asked) {
      const found = textsOf(tree, word, "far");
      const expected = words.filter((other) => plainDistance(word, other) === 2);
      if (word.length < 5) expect(found).toEqual([]);
      else if (expected.length <= 40) expect(found.sort()).toEqual(expected.sort());
      else expect(found).toHaveLength(40);
      far += found.length;
    }
    expect(far).toBeGreaterThan(100);
  });

  it("are at most 40, the cheapest first, and never the word itself", () => {
    for (const word of asked) {
      for (const reach of ["near", "far"] as const) {
        const found = alternativesOf(tree, word, reach);
        expect(found.length).toBeLessThanOrEqual(40);
        const costs = found.map(({ cost }) => cost);
        expect(costs).toEqual([...costs].sort((a, b) => a - b));
        expect(found.map(({ text }) => text)).not.toContain(word);
      }
    }
  });

  it("are likelier if more listings have them, if they have the same first letter, and if a letter is doubled", () => {
    const some = treeOf({ bark: 2, barn: 3, bard: 1 });
    expect(textsOf(some, "barx")).toEqual(["barn", "bark", "bard"]);
    expect(textsOf(treeOf(["tarn", "barn"]), "barm")).toEqual(["barn"]);
    expect(textsOf(treeOf(["park", "bare"]), "bark")).toEqual(["bare", "park"]);
    expect(textsOf(treeOf(["coffee", "coffees", "cofefe"]), "coffe")).toEqual([
      "coffee",
      "cofefe",
      "coffees",
    ]);
    expect(textsOf(treeOf(["letter", "leters"]), "leter")[0]).toBe("letter");
  });

  it("include the ten commonest continuations of a word of three code units", () => {
    const counts = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`star${at}light`, at + 1]),
    );
    const found = textsOf(treeOf(counts), "star");
    expect(found).toEqual(Array.from({ length: 10 }, (_, at) => `star${29 - at}light`));
    expect(textsOf(treeOf(counts), "st")).toEqual([]);
  });

  it("include two words with a space, hyphen or dot between them if the tree has both", () => {
    const some = treeOf(["open", "data", "nd"]);
    expect(textsOf(some, "opendata")).toEqual(["open data", "open-data", "open.data"]);
    expect(textsOf(some, "opendat")).toEqual([]);
  });

  it("do not exist for a run longer than 64 code units, but for the longest possible word", () => {
    const word = `${"ab".repeat(31)}cd`;
    const some = treeOf([word, `${word}e`]);
    for (const typed of [word.slice(1), `x${word.slice(1)}`]) {
      expect(textsOf(some, typed)).toEqual([word]);
    }
    expect(textsOf(some, `${word}f`)).toEqual([]);
  });
});
