import fc from "fast-check";
import { expect, it } from "vitest";
import { byCodeUnit } from "../../../src/contract/order.js";
import { sortByText, type TextSlices } from "../../../src/engine/order/ranking.js";
import { repeated } from "../../slow.js";

/** Texts as slices of units that do not lie in the texts' order, with others between. */
function slicesOf(texts: readonly string[]): TextSlices {
  const [starts, ends] = [new Uint32Array(texts.length), new Uint32Array(texts.length)];
  const units: number[] = [7];
  for (const [number, text] of [...texts.entries()].reverse()) {
    starts[number] = units.length;
    for (let at = 0; at < text.length; at += 1) units.push(text.charCodeAt(at));
    ends[number] = units.length;
    units.push(number % 50);
  }
  return { units: Uint16Array.from(units), starts, ends };
}

function expectSorted(texts: readonly string[]): void {
  const slices = slicesOf(texts);
  // Some of them, in an order of their own, which equal ones keep.
  const numbers = [...texts.keys()].filter((number) => number % 7 !== 3).reverse();
  const expected = numbers.toSorted((a, b) => byCodeUnit(texts[a]!, texts[b]!));
  const given = Uint32Array.from(numbers);
  expect([...sortByText(given, slices)]).toEqual(expected);
  expect([...given]).toEqual(numbers);
  const falling = numbers.toSorted((a, b) => byCodeUnit(texts[b]!, texts[a]!));
  expect([...sortByText(Uint32Array.from(numbers), slices, true)]).toEqual(falling);
}

const PREFIX = "a-common-prefix";
const ending = fc.string({
  unit: fc.constantFrom("a", "b", "\0", "é", "ÿ", "🚀", "\uffff", "咖"),
  maxLength: 18,
});

it("texts are sorted as if by comparison, in either direction, and equal ones keep their order", () => {
  const start = fc.constantFrom("", PREFIX.slice(0, 3), PREFIX.slice(0, 12), PREFIX);
  const texts = fc.array(
    fc.tuple(start, ending).map((parts) => parts.join("")),
    { maxLength: 60 },
  );
  fc.assert(fc.property(texts, expectSorted), { seed: 23, numRuns: repeated(200, 800) });
});

it("an empty list stays empty, and equal texts stay as they are", () => {
  expect(sortByText(new Uint32Array(0), slicesOf([]))).toEqual(new Uint32Array(0));
  expectSorted(Array(40).fill(`${PREFIX}${PREFIX}`));
  expectSorted(Array(40).fill(""));
});
