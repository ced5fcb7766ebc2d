import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../../src/pages/report/json-scanner.js";

const scannerOf = (json: string): JsonScanner => new JsonScanner(new TextEncoder().encode(json));
/** Values whose texts have quotes, backslashes, controls and characters of every length in UTF-8. */
const values = fc.jsonValue({ stringUnit: "binary", maxDepth: 6 });

describe("the JSON scanner", () => {
  it("skips exactly the rest of a list and counts its items", () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), fc.nat(), (items, place) => {
        const skipped = place % items.length;
        const scanner = scannerOf(`${JSON.stringify(items)},"next"`);
        scanner.at = lengthBefore(items, skipped);
        expect(scanner.skipRest()).toBe(items.length - skipped);
        expect(scanner.at).toBe(new TextEncoder().encode(JSON.stringify(items)).length);
      }),
      { numRuns: 500 },
    );
  });

  it("reads a value whole exactly if it is not too heavy", () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.stringify(value);
        const limits = { weight: 1e9, perValue: 1, textBytes: 1e9 };
        const light = scannerOf(`${json},1`).lightValue(limits);
        expect(light?.value).toEqual(JSON.parse(json));
        const weight = light?.weight ?? 0;
        expect(scannerOf(`${json}}`).lightValue({ ...limits, weight })?.weight).toBe(weight);
        expect(scannerOf(`${json}]`).lightValue({ ...limits, weight: weight - 1 })).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it("cuts a text after a number of UTF-16 code units, never within a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, units) => {
        const wanted = [...text].reduce(
          (cut, character) => (cut.length < units ? cut + character : cut),
          "",
        );
        const scanner = scannerOf(`${JSON.stringify(text)},`);
        expect(scanner.text(units)).toEqual({ text: wanted, isCut: wanted !== text });
        expect(scanner.isAt(0x2c)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("refuses JSON that ends too early instead of searching for its end for ever", () => {
    const json = JSON.stringify([[{ a: 'x"y\\', b: [1, true, null] }], "text"]);
    for (let end = 1; end < json.length; end += 1) {
      const scanner = scannerOf(json.slice(0, end));
      scanner.at = 1;
      expect(() => scanner.skipRest()).toThrow(SyntaxError);
    }
  });
});

/** Bytes of a list's JSON before the item at a place. */
function lengthBefore(items: readonly unknown[], place: number): number {
  const before = items.slice(0, place).map((item) => `${JSON.stringify(item)},`);
  return new TextEncoder().encode(`[${before.join("")}`).length;
}
