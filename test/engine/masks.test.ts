import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilterName } from "../../src/contract/filters.js";
import { gatherValues, type ValueIndex, Values } from "../../src/engine/filters.js";
import type { Ranking } from "../../src/engine/ranking.js";
import { membersOf, setOfNumbers } from "../../src/engine/sets.js";
import { repeated } from "../slow.js";
import { usedSpace } from "./workspaces.js";

/**
 * Listings with values, more of them than a plane of masks holds, and some of the listings. If they have few values,
 * comparing sets is less work than adding masks.
 */
const counted = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(2, 40))
  .chain(([size, maxLength]) =>
    fc.record({
      rows: fc.array(fc.uniqueArray(fc.nat(70), { maxLength }), {
        minLength: size,
        maxLength: size,
      }),
      numbers: fc.subarray([...Array(size).keys()]),
    }),
  );

/** The index of what listings have, numbered as they come. */
function indexOfRows(
  rows: readonly (readonly number[])[],
  filter: FilterName = "capability",
): ValueIndex {
  const values = [...new Set(rows.flat())];
  let end = 0;
  const column = {
    values: values.map((value) => `v${value}`),
    starts: Uint32Array.from([0, ...rows.map(({ length }) => (end += length))]),
    places: Uint32Array.from(rows.flat(), (value) => values.indexOf(value)),
  };
  const numbers = Uint32Array.from(rows.keys());
  return gatherValues(
    {
      size: rows.length,
      segments: [{ filters: { [filter]: column } }],
      segmentOf: numbers.map(() => 0),
      rowOf: numbers,
    } as unknown as Ranking,
    filter,
  );
}

describe("counting the values of some listings agrees with looking at each of them", () => {
  it("for few listings, for many and for all, and beyond 32 values and 255 listings", () => {
    const seen = { few: 0, many: 0, all: 0, compared: 0 };
    fc.assert(
      fc.property(counted, ({ rows, numbers }) => {
        const size = rows.length;
        const index = indexOfRows(rows);
        const values = new Values(size, index);
        const space = usedSpace(size);
        const members = membersOf(space, setOfNumbers(space, Uint32Array.from(numbers)));
        const counts = values.countAmong(members);
        for (let value = 0; value <= 70; value += 1) {
          const at = values.indexOf(`v${value}`);
          const expected = numbers.filter((number) => rows[number]?.includes(value)).length;
          expect(at === undefined ? 0 : counts[at]).toBe(expected);
        }
        if (numbers.length === size) seen.all += 1;
        else seen[numbers.length * 2 > size ? "many" : "few"] += 1;
        const masks = (members.numbers.length * index.masks.length) / size;
        if (numbers.length < size && index.sets.words.length < masks) seen.compared += 1;
      }),
      { seed: 17, numRuns: repeated(100, 300) },
    );
    expect(Math.min(seen.few, seen.many)).toBeGreaterThan(15);
    expect(seen.compared).toBeGreaterThan(5);
  });

  it("for runs of listings with every value, of any number of groups and a rest", () => {
    const size = 5_000;
    const everything = Array.from({ length: 33 }, (_, value) => value);
    const index = indexOfRows(Array.from({ length: size }, () => everything));
    // Sets this large would be compared as bitmaps; without their words the masks are added.
    const values = new Values(size, {
      ...index,
      sets: { ...index.sets, words: new Uint32Array(1 << 20) },
    });
    for (const count of [
      1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 56, 64, 255, 256, 264, 511, 1_023, 2_400,
    ]) {
      const numbers = Uint32Array.from({ length: count }, (_, at) => at * 2);
      const counts = values.countAmong({
        set: { count, dense: false, data: numbers },
        numbers,
        complement: false,
      });
      expect([...counts.subarray(0, 33)]).toEqual(Array(33).fill(count));
    }
  });
});

it("fields that facets do not count have no masks, however many values they have", () => {
  const rows = Array.from({ length: 100 }, (_, number) => [number, number + 1]);
  const { masks, values, sets } = indexOfRows(rows, "tag");
  expect([masks.length, values.length, sets.counts[1]]).toEqual([0, 101, 2]);
  expect(indexOfRows(rows, "platform").masks).toHaveLength(400);
});
