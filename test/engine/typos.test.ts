import { describe, expect, it } from "vitest";
import { buildDictionary, type Dictionary, entryText } from "../../src/engine/dictionary.js";
import { editDistance } from "../../src/engine/edits.js";
import { eachContinuation, eachNear } from "../../src/engine/parts.js";
import { unitsOf } from "../../src/engine/text.js";
import { farWords, isKnown, nearWords } from "../../src/engine/typos.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { joinText } from "./texts.js";

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

function dictionaryOf(words: readonly string[]): Dictionary {
  return buildDictionary(joinText(words.map((word) => ({ host: "", name: word, tagline: "" }))));
}

describe("edit distances", () => {
  it("are Levenshtein's as far as they are asked for", () => {
    const random = seeded(81);
    for (let made = 0; made < repeated(1_000, 4_000); made += 1) {
      const [a, b] = [randomWord(random, 8), randomWord(random, 8)];
      for (const most of [0, 1, 2]) {
        const units = unitsOf(`--${a}-`);
        const distance = editDistance(units, 2, 2 + a.length, unitsOf(b), most);
        expect(distance, `${a} ${b}`).toBe(Math.min(plainDistance(a, b), most + 1));
      }
    }
  });
});

describe("the index of parts", () => {
  const random = seeded(82);
  const words = [...new Set(Array.from({ length: 800 }, () => randomWord(random, 12)))];
  const dictionary = dictionaryOf(words);
  const asked = [
    ...words.slice(0, 100),
    ...Array.from({ length: 100 }, () => randomWord(random, 12)),
  ];

  it("lists every word within 0, 1 and 2 edits of any, as far as words are not too short to be cut", () => {
    let near = 0;
    for (const word of asked) {
      for (const edits of [0, 1, 2]) {
        const listed = new Set<string>();
        eachNear(dictionary.parts, unitsOf(word), edits, (entries, start, end) => {
          for (const entry of entries.subarray(start, end))
            listed.add(entryText(dictionary, entry));
          return true;
        });
        const expected = words.filter((other) => plainDistance(word, other) <= edits);
        near += expected.length;
        expect(
          expected.filter((other) => !listed.has(other)),
          `${word} ${edits}`,
        ).toEqual([]);
      }
    }
    expect(near).toBeGreaterThan(1_000);
  });

  it("ends where no more is wanted", () => {
    let calls = 0;
    eachNear(dictionary.parts, unitsOf("abcabc"), 2, () => {
      calls += 1;
      return false;
    });
    expect(calls).toBe(1);
  });

  it("lists every word that one of three units or more begins", () => {
    for (const word of asked) {
      const listed = new Set<string>();
      eachContinuation(dictionary.parts, unitsOf(word), (entries, start, end) => {
        for (const entry of entries.subarray(start, end)) listed.add(entryText(dictionary, entry));
        return true;
      });
      const expected = words.filter((other) => other.startsWith(word) && other !== word);
      if (word.length >= 3) expect(expected.filter((other) => !listed.has(other))).toEqual([]);
      else expect(listed.size).toBe(0);
    }
  });

  it("knows exactly the words that are there", () => {
    for (const word of asked) expect(isKnown(dictionary, word)).toBe(words.includes(word));
  });

  it("gives a bounded number of alternatives, each another word of one and of two edits, best first", () => {
    for (const word of asked) {
      const near = nearWords(dictionary, word);
      const far = farWords(dictionary, word);
      for (const found of [near, far]) {
        expect(found.length).toBeLessThanOrEqual(40);
        expect(found.map(({ cost }) => cost)).toEqual(
          found.map(({ cost }) => cost).sort((a, b) => a - b),
        );
      }
      expect(near.map(({ text }) => text)).not.toContain(word);
      for (const { text } of far) expect(plainDistance(word, text)).toBe(2);
      if (word.length < 5) expect(far).toEqual([]);
    }
  });
});

it("a word as long as a word may be is found by one that lacks a letter of it, or has another", () => {
  const word = `${"ab".repeat(31)}cd`;
  // In an index of few words, lists are shared by so many that any is found.
  const others = Array.from({ length: 2_000 }, (_, number) => `w${number}`);
  const dictionary = dictionaryOf([word, `${word}e`, ...others]);
  for (const typed of [word.slice(1), `x${word.slice(1)}`]) {
    expect(nearWords(dictionary, typed).map(({ text }) => text)).toEqual([word]);
  }
});
