import { describe, expect, it } from "vitest";
import { buildDictionary, type Dictionary, entryText } from "../../src/engine/dictionary.js";
import { textOf } from "../../src/engine/text.js";
import { cutWords, WordScanner } from "../../src/engine/words.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { indexOf, randomListings, WORDS } from "./directory.js";
import type { FoldedFields } from "./rosters.js";
import { joinText } from "./texts.js";

function dictionaryOf(listings: readonly Partial<FoldedFields>[]): Dictionary {
  return buildDictionary(
    joinText(listings.map((fields) => ({ host: "", name: "", tagline: "", ...fields }))),
  );
}

function entriesOf(dictionary: Dictionary): [text: string, count: number][] {
  return Array.from(dictionary.counts, (count, entry) => [entryText(dictionary, entry), count]);
}

describe("the words of a text", () => {
  it("are the runs of letters, digits and marks of any script, in a query and in the joined text", () => {
    const random = seeded(91);
    const others = [" ", "-", ".", "👩‍🚀", "🚀", "·", "、", "", "_", "'"];
    const points = ["𐐀", "𐌰", "𝒞", "𠮷", "e\u0301", "٣", "½", "ー", "ः", "🏽", "\u{e0100}"];
    const scanner = new WordScanner();
    for (let made = 0; made < 500; made += 1) {
      let name = "";
      while (name.length < 30) name += pick(random, [pick(random, WORDS), ...points, ...others]);
      const expected = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      expect(cutWords(name).filter((_, place) => place % 2 === 1)).toEqual(expected);
      expect(cutWords(name).join("")).toBe(name);
      const text = joinText([
        { host: "a.b", name, tagline: "𐐀" },
        { host: "𐐀", name: "", tagline: "" },
      ]);
      const found: string[] = [];
      scanner.eachWord(text.units, 0, text.hosts[2]!, (start, end) => {
        found.push(textOf(text, start, end));
      });
      expect(found).toEqual(["a", "b", ...expected, "𐐀", "𐐀"]);
    }
  });
});

describe("the dictionary", () => {
  it("has every word with its listings, each listing once, and every host", () => {
    expect(
      entriesOf(
        dictionaryOf([
          { host: "tea.org", name: "tea tea", tagline: "more tea" },
          { host: "tea-cake.org", name: "cake", tagline: "" },
        ]),
      ),
    ).toEqual([
      ["tea", 2],
      ["org", 2],
      ["more", 1],
      ["cake", 1],
      ["tea.org", 1],
      ["tea-cake.org", 1],
    ]);
  });

  it("counts the same as a plain count of the words, of any number of them", () => {
    const random = seeded(92);
    const listings = Array.from({ length: 2_000 }, () => ({
      tagline: Array.from({ length: 8 }, () => `w${whole(random, 0, 9_000)}`).join(" "),
    }));
    const counts = new Map<string, number>();
    for (const { tagline } of listings) {
      for (const word of new Set(tagline.split(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const entries = entriesOf(dictionaryOf(listings)).filter(([text]) => text !== "");
    expect(new Map(entries)).toEqual(counts);
    expect(entries.map(([, count]) => count)).toEqual([...counts.values()].sort((a, b) => b - a));
  });

  it("leaves out words and hosts of more than 64 code units", () => {
    const host = `${"h".repeat(30)}.${"h".repeat(30)}.com`;
    const name = `${"a".repeat(64)} ${"b".repeat(65)}`;
    expect(entriesOf(dictionaryOf([{ host, name }])).map(([text]) => text)).toEqual([
      "h".repeat(30),
      "com",
      "a".repeat(64),
    ]);
  });

  it("keeps 100,000 entries in under 60 MB: words of the most listings, of equals those of the best", () => {
    const long = (number: number) => String(number).padStart(63, "x");
    const listings = Array.from({ length: 60_000 }, (_, number) => ({
      host: `h${number}.io`,
      name: number < 40_000 ? `y${long(number)}` : `y${long(number - 40_000)}`,
      tagline: number < 40_000 ? "" : `z${long(number)}`,
    }));
    const dictionary = dictionaryOf(listings);
    const texts = entriesOf(dictionary).map(([text]) => text);
    expect(texts).toHaveLength(100_000);
    // io; 20,000 words of two listings; then h and y of the first 40,000 listings, as they come.
    expect(texts[0]).toBe("io");
    expect(dictionary.counts[20_000]).toBe(2);
    expect(dictionary.counts[20_001]).toBe(1);
    expect(texts[20_000]).toBe(`y${long(19_999)}`);
    expect(texts.slice(20_001, 20_003)).toEqual(["h0", "h1"]);
    expect(texts).toContain(`y${long(39_999)}`);
    expect(texts.slice(-3)).toEqual(["h49998", `z${long(49_998)}`, "h49999"]);
    expect(bytesOf(dictionary)).toBeLessThan(60e6);
    const fewer = entriesOf(dictionaryOf(listings.slice(0, 40_000))).map(([text]) => text);
    // Where words leave room, hosts of the best listings take it.
    expect(fewer.slice(80_001)).toEqual(listings.slice(0, 19_999).map(({ host }) => host));
  });

  it("is plain data of typed arrays, as the whole index, that a thread can hand over", () => {
    const { dictionary } = indexOf(randomListings(93, 50));
    expect(structuredClone(dictionary)).toEqual(dictionary);
    const arrays = [dictionary.units, dictionary.starts, dictionary.counts];
    for (const array of [...arrays, dictionary.parts.buckets, dictionary.parts.entries]) {
      expect(ArrayBuffer.isView(array)).toBe(true);
      expect(array.buffer.byteLength).toBe(array.byteLength);
    }
  });

  it("is empty where there is no listing", () => {
    expect(entriesOf(dictionaryOf([]))).toEqual([]);
  });
});

function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.buffer.byteLength;
  return Object.values(value as object).reduce((sum, part) => sum + bytesOf(part), 0);
}
