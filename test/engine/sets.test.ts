import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countCommon,
  EMPTY,
  eachCommon,
  eachNumber,
  filterSet,
  intersect,
  type ListingSet,
  packedSet,
  SetPacker,
  setOfNumbers,
  unite,
  type Workspace,
  wordsFor,
} from "../../src/engine/sets.js";
import { repeated } from "../slow.js";
import { usedSpace } from "./workspaces.js";

const options = { seed: 12, numRuns: repeated(300, 2_000) };

/** Some sets of numbers below a size, each either sparse or dense, and a range. */
const sets = fc.integer({ min: 1, max: 300 }).chain((size) => {
  const number = fc.integer({ min: 0, max: size - 1 });
  const sparse = fc.uniqueArray(number, { maxLength: wordsFor(size) });
  const dense = fc.uniqueArray(number, { minLength: Math.min(size, wordsFor(size) + 1) });
  return fc.record({
    size: fc.constant(size),
    members: fc.array(fc.oneof(sparse, dense).map(ascending), { maxLength: 5 }),
    range: fc
      .oneof(fc.constant([0, size]), fc.tuple(fc.nat(size), fc.nat(size)))
      .map(([a = 0, b = 0]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
  });
});

function ascending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function membersOf(set: ListingSet): number[] {
  const members: number[] = [];
  eachNumber(set, (number) => members.push(number) > 0);
  expect(set.count).toBe(members.length);
  return members;
}

function listingSets(space: Workspace, members: readonly (readonly number[])[]): ListingSet[] {
  return members.map((numbers) => setOfNumbers(space, Uint32Array.from(numbers)));
}

describe("a listing set agrees with plain arrays", () => {
  it("in intersections of any number of sets and a range", () => {
    fc.assert(
      fc.property(sets, ({ size, members, range }) => {
        const expected = [...Array(size).keys()].filter(
          (number) =>
            number >= range.from &&
            number < range.to &&
            members.every((numbers) => numbers.includes(number)),
        );
        const space = usedSpace(size);
        const found = intersect(space, listingSets(space, members), range);
        expect(membersOf(found)).toEqual(expected);
        expect(found.dense).toBe(expected.length > wordsFor(size));
      }),
      options,
    );
  });

  it("in the common members of some sets, iterated until the caller stops", () => {
    fc.assert(
      fc.property(sets, fc.integer({ min: 1, max: 9 }), ({ size, members }, most) => {
        fc.pre(members.length > 0);
        const [first = [], ...others] = members;
        const shared = first.filter((number) => others.every((some) => some.includes(number)));
        const told: number[] = [];
        eachCommon(listingSets(usedSpace(size), members), (number) => told.push(number) < most);
        expect(told).toEqual(shared.slice(0, most));
      }),
      options,
    );
  });

  it("in unions, which change none of their sets", () => {
    fc.assert(
      fc.property(sets, ({ size, members }) => {
        const space = usedSpace(size);
        const united = listingSets(space, members);
        const found = unite(space, united);
        expect(membersOf(found)).toEqual(ascending(new Set(members.flat())));
        expect(found.dense).toBe(found.count > wordsFor(size));
        expect(united.map(membersOf)).toEqual(members);
      }),
      options,
    );
  });

  it("in the size of the intersection of two sets, whatever their forms", () => {
    const forms = new Set<string>();
    fc.assert(
      fc.property(sets, ({ size, members: [first = [], second = []] }) => {
        const [a = EMPTY, b = EMPTY] = listingSets(usedSpace(size), [first, second]);
        forms.add(`${a.dense} ${b.dense}`);
        const common = first.filter((number) => second.includes(number)).length;
        expect(countCommon(a, b)).toBe(common);
      }),
      options,
    );
    expect([...forms].sort()).toEqual(["false false", "false true", "true false", "true true"]);
  });

  it("in the members that pass a test", () => {
    fc.assert(
      fc.property(sets, fc.integer({ min: 1, max: 5 }), ({ size, members: [one = []] }, step) => {
        const space = usedSpace(size);
        const [set = EMPTY] = listingSets(space, [one]);
        const found = filterSet(space, set, (number) => number % step === 0);
        expect(membersOf(found)).toEqual(one.filter((number) => number % step === 0));
      }),
      options,
    );
  });

  it("in the members that pass a test, each of which is warmed up first", () => {
    for (const step of [3, 40]) {
      const space = usedSpace(10_000);
      const numbers = Uint32Array.from({ length: 10_000 / step }, (_, at) => step * at);
      const warmed: number[] = [];
      const isEven = (number: number) => warmed.includes(number) && number % 2 === 0;
      const set = setOfNumbers(space, numbers);
      const found = filterSet(space, set, isEven, (some) => void warmed.push(...some));
      expect(membersOf(found)).toEqual([...numbers].filter((number) => number % 2 === 0));
      expect(warmed).toEqual([...numbers]);
    }
  });
});

describe("packed sets agree with arrays", () => {
  it("for every set in either form, filled in the order of members", () => {
    const forms = { sparse: 0, dense: 0 };
    fc.assert(
      fc.property(sets, ({ size, members }) => {
        const packer = new SetPacker(
          size,
          Uint32Array.from(members, ({ length }) => length),
        );
        for (let number = 0; number < size; number += 1) {
          const row = [...members.keys()].filter((place) => members[place]?.includes(number));
          packer.add(number, Uint32Array.from(row), 0, row.length);
        }
        const packed = packer.finish();
        for (const [place, numbers] of members.entries()) {
          const set = packedSet(packed, size, place);
          expect(membersOf(set)).toEqual(numbers);
          expect(set.data.length).toBe(Math.min(numbers.length, wordsFor(size)));
          forms[set.dense ? "dense" : "sparse"] += 1;
        }
      }),
      options,
    );
    expect(Math.min(forms.sparse, forms.dense)).toBeGreaterThan(250);
  });

  it("for a missing set, which is empty", () => {
    const packer = new SetPacker(10, Uint32Array.of(0, 1));
    packer.add(3, Uint32Array.of(9, 1, 9), 1, 2);
    const packed = packer.finish();
    expect(membersOf(packedSet(packed, 10, 0))).toEqual([]);
    expect(membersOf(packedSet(packed, 10, 1))).toEqual([3]);
    expect(membersOf(packedSet(packed, 10, 9999))).toEqual([]);
  });
});
