import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText } from "../../src/contract/order.js";
import { fold } from "../oracle/text.js";
import { repeated } from "../slow.js";

describe("folding (decisions, Text matching)", () => {
  it("of every code point gives the same alone and between letters", () => {
    const wrong: number[] = [];
    // Nearly every code point that folds to another is below.
    const step = repeated(7, 1);
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : step) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = `a${String.fromCodePoint(code)}Σ ${String.fromCodePoint(code)}`;
      if (foldText(text) !== fold(text)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it("of any text gives the same as folding it code point by code point", () => {
    const unit = fc.constantFrom(
      ..."aΑΣςσİiIKHTJ\u0331\u030cé\u0301\u0307ß \u1112\u1161\u11ab🚀𐐀-Σ",
    );
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit }));
    fc.assert(
      fc.property(text, (any) => {
        expect(foldText(any)).toBe(fold(any));
      }),
      { seed: 13, numRuns: repeated(300, 8_000) },
    );
  });
});
