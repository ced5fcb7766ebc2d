import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gramRows, postingsOf } from "../../src/engine/postings.js";
import { eachNumber } from "../../src/engine/sets.js";
import {
  type Fields,
  type Finder,
  GramFinder,
  gatherText,
  ScanFinder,
  select,
} from "../../src/engine/text.js";
import { fold } from "../oracle/text.js";
import { repeated } from "../slow.js";
import { rankingOf } from "./rankings.js";
import { usedSpace } from "./workspaces.js";

interface Listing {
  readonly host: string;
  readonly name: string;
  readonly tagline: string;
}

// Few distinct characters, so that pieces recur, are dense, and nearly span fields.
const field = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    "c",
    "B",
    "é",
    "e\u0301",
    "Σ",
    "ς",
    "🚀",
    "🚁",
    "𐌰",
    "咖",
    "%",
    "\0",
  ),
  maxLength: 9,
});
const listings = fc.array(fc.record({ host: field, name: field, tagline: field }), {
  maxLength: 70,
});
const piece = fc.string({
  unit: fc.constantFrom("a", "b", "c", "É", "σ", "🚀", "𐌰", "咖", "%", "\0"),
  minLength: 1,
  maxLength: 7,
});

type FinderOf = (all: readonly Listing[], fields: Fields) => Finder;

const gramFinderOf: FinderOf = (all, fields) => {
  const ranking = foldedRanking(all);
  const text = gatherText(ranking);
  const { host } = ranking.orders;
  const postings = postingsOf(text, gramRows(text), host);
  return new GramFinder(text, structuredClone(postings), fields, host);
};

const scanFinderOf: FinderOf = (all, fields) => {
  const ranking = foldedRanking(all);
  // The order is the reverse of the numbers, so it is its own inverse.
  const { numbers } = ranking.orders.host;
  return new ScanFinder(gatherText(ranking), fields, { numbers, ranks: numbers });
};

function foldedRanking(all: readonly Listing[]) {
  return rankingOf(
    all.map(({ host, name, tagline }) => ({
      host: fold(host),
      name: fold(name),
      tagline: fold(tagline),
    })),
  );
}

/** Titles are found by their places: in these rankings, the numbers counted from the last. */
function numbersWith(
  all: readonly Listing[],
  finder: Finder,
  q: string,
  fields: Fields = "all",
): number[] {
  const members: number[] = [];
  const whole = { from: 0, to: all.length };
  eachNumber(
    select(usedSpace(all.length), [], whole, finder.candidates(q)),
    (n) => members.push(n) > 0,
  );
  return fields === "all" ? members : members.map((place) => all.length - 1 - place).reverse();
}

function numbersHolding(all: readonly Listing[], fields: Fields, q: string): number[] {
  return [...all.keys()].filter((number) => {
    const { host, name, tagline } = all[number] as Listing;
    const seen = fields === "all" ? [host, name, tagline] : [host, name];
    return seen.some((text) => fold(text).includes(fold(q)));
  });
}

describe.each([
  ["with postings", gramFinderOf],
  ["that scans the text", scanFinderOf],
])("a finder %s agrees with includes on each field by itself", (_, finderOf) => {
  for (const fields of ["all", "titles"] as const) {
    it(`in the fields of ${fields === "all" ? "search" : "suggestions"}`, () => {
      let found = 0;
      let missed = 0;
      fc.assert(
        fc.property(listings, piece, (all, q) => {
          const expected = numbersHolding(all, fields, q);
          const finder = finderOf(all, fields);
          expect(numbersWith(all, finder, q, fields)).toEqual(expected);
          expect(finder.hasAny(q)).toBe(expected.length > 0);
          if (expected.length > 0) found += 1;
          else missed += 1;
        }),
        { seed: 14, numRuns: repeated(300, 3_000) },
      );
      expect(Math.min(found, missed)).toBeGreaterThan(repeated(30, 300));
    });
  }

  it("a long piece is not found where its grams are present but apart", () => {
    const all = [{ host: "abcd-bcde", name: "", tagline: "" }];
    const finder = finderOf(all, "all");
    expect(numbersWith(all, finder, "abcde")).toEqual([]);
    expect(numbersWith(all, finder, "bcde")).toEqual([0]);
  });

  it("a name with a long piece's grams apart is not found through the tagline either", () => {
    const all = [{ host: "abcd-bcde", name: "", tagline: "abcde" }];
    const finder = finderOf(all, "titles");
    expect(numbersWith(all, finder, "abcde", "titles")).toEqual([]);
    expect(finder.hasAny("abcde")).toBe(false);
    expect(numbersWith(all, finderOf(all, "all"), "abcde")).toEqual([0]);
  });

  it("a continuation of a common gram is found once in each listing, however often it is repeated there", () => {
    const hosts = ["aaaaaaa", "aaaac-aaaac-aaaad", ...Array(60).fill("aaab"), "aaaac"];
    const all = hosts.map((host) => ({ host, name: "aaad", tagline: "aaae-aaaa" }));
    for (const fields of ["all", "titles"] as const) {
      for (const q of ["aaaa", "aaaaa", "aaab", "aaaac", "aaaa-", "-aaaac", "aaae", "e-aaaa"]) {
        const expected = numbersHolding(all, fields, q);
        const finder = finderOf(all, fields);
        expect(numbersWith(all, finder, q, fields)).toEqual(expected);
      }
    }
  });

  it("longer grams leave fewer listings to check", () => {
    const all = Array.from({ length: 70 }, (_, at) => ({
      host: at % 2 === 0 ? "abcab-bca" : "bcabc-cab",
      name: "",
      tagline: at === 0 ? "abcabca" : "",
    }));
    const { sets } = finderOf(all, "all").candidates("abcabca");
    // Each gram of up to three units is in all listings.
    expect(Math.min(...sets.map(({ count }) => count))).toBe(1);
  });

  it("each of more than 65,536 grams is found in its listings", () => {
    // Each listing has units of its own, in whose pairs and threes nothing recurs either.
    const all = Array.from({ length: 1_400 }, (_, at) => ({
      host: String.fromCharCode(
        ...Array.from({ length: 18 }, (_, unit) => 0x4e00 + 18 * at + unit),
      ),
      name: "",
      tagline: "",
    }));
    const finder = finderOf(all, "all");
    for (const at of [0, 1, 900, 1_398, 1_399]) {
      const { host } = all[at]!;
      for (const q of [host, host.slice(-3), host.slice(-1)]) {
        expect(numbersWith(all, finder, q)).toEqual([at]);
      }
    }
  });
});
