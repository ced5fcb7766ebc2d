import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitsOf,
  clipBits,
  countBits,
  countCommonBits,
  eachBit,
  fillRange,
  hasBit,
  intersectBits,
  setBit,
  takeBits,
  uniteBits,
  wordsFor,
} from "../../../src/engine/sets/bitmap.js";
import { repeated } from "../../slow.js";

/** A size with two sets of numbers below it. */
const twoSets = fc
  .integer({ min: 1, max: 200 })
  .chain((size) =>
    fc.tuple(
      fc.constant(size),
      fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: size }),
      fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: size }),
    ),
  );
const options = { seed: 11, numRuns: repeated(250, 1_000) };

function bitmap(size: number, numbers: readonly number[]): Uint32Array {
  const words = new Uint32Array(wordsFor(size));
  for (const number of numbers) setBit(words, number);
  return words;
}

function numbersIn(words: Uint32Array): number[] {
  const numbers: number[] = [];
  eachBit(words, (number) => numbers.push(number) > 0);
  return numbers;
}

const ascending = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

describe("a bitmap agrees with a Set", () => {
  it("on membership, count and iteration", () => {
    fc.assert(
      fc.property(twoSets, ([size, numbers]) => {
        const words = bitmap(size, numbers);
        const set = new Set(numbers);
        expect(numbersIn(words)).toEqual(ascending(set));
        expect(countBits(words)).toBe(set.size);
        for (let number = 0; number < size; number += 1) {
          expect(hasBit(words, number)).toBe(set.has(number));
        }
      }),
      options,
    );
  });

  it("on intersection, union and the size of the intersection", () => {
    fc.assert(
      fc.property(twoSets, ([size, first, second]) => {
        const common = ascending(first.filter((number) => second.includes(number)));
        expect(countCommonBits(bitmap(size, first), bitmap(size, second))).toBe(common.length);
        const both = bitmap(size, first);
        intersectBits(both, bitmap(size, second));
        expect(numbersIn(both)).toEqual(common);
        const either = bitmap(size, first);
        uniteBits(either, bitmap(size, second));
        expect(numbersIn(either)).toEqual(ascending(new Set([...first, ...second])));
      }),
      options,
    );
  });

  it("on ranges, including those that start or end at a word's border", () => {
    for (const size of [0, 1, 31, 32, 33, 64, 100]) {
      for (let from = 0; from <= size; from += 1) {
        for (let to = from; to <= size; to += 1) {
          const numbers = Array.from({ length: to - from }, (_, at) => from + at);
          const all = bitmap(size, [...Array(size).keys()]);
          expect(numbersIn(fillRange(all, from, to))).toEqual(numbers);
          const clipped = bitmap(
            size,
            [...Array(size).keys()].filter((number) => number % 3 > 0),
          );
          clipBits(clipped, from, to);
          expect(numbersIn(clipped)).toEqual(numbers.filter((number) => number % 3 > 0));
        }
      }
    }
  });

  it("on the members after some are left out", () => {
    fc.assert(
      fc.property(twoSets, fc.nat(210), fc.nat(60), ([size, numbers], skip, room) => {
        const taken = takeBits(bitmap(size, numbers), skip, new Uint32Array(room));
        expect([...taken]).toEqual(ascending(numbers).slice(skip, skip + room));
      }),
      options,
    );
  });

  it("on where iteration stops", () => {
    const seen: number[] = [];
    eachBit(bitmap(100, [3, 40, 41, 99]), (number) => {
      seen.push(number);
      return number < 40;
    });
    expect(seen).toEqual([3, 40]);
  });
});

it("the bit count is right for every kind of word", () => {
  for (const [word, count] of [
    [0, 0],
    [1, 1],
    [0x80000000, 1],
    [0xffffffff, 32],
    [0x55555555, 16],
    [0xf0f0f0f1, 17],
  ] as const) {
    expect(bitsOf(word)).toBe(count);
  }
});
