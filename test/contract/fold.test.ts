import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText } from "../../src/contract/order.js";
import { casedPiece, casedText } from "../oracle/cased.js";
import { seeded } from "../oracle/random.js";
import { fold } from "../oracle/text.js";
import { repeated } from "../slow.js";

describe("folding", () => {
  it.each([
    ["İstanbul", ["istanbul", "ISTANBUL", "İSTANBUL", "i̇stanbul", "I\u0307st", "TANBUL", "İ"]],
    ["Diyarbakır", ["DIYARBAKır", "yarbakı"]],
    ["ΟΔΥΣΣΕΥΣ", ["οδυσσευς", "σευσ", "ς"]],
    ["\u212aelvin 10\u212b", ["kelvin", "10Å", "a\u030a"]],
  ])("of %s finds %j in it", (text, pieces) => {
    for (const piece of pieces)
      expect([piece, foldText(text)]).toEqual([piece, expect.stringContaining(foldText(piece))]);
  });

  it.each([
    ["istanbul", "ıstanbul"],
    ["ISPARTA", "ısparta"],
    ["masse", "maße"],
    // The dot by itself is another text than the letter that it belongs to.
    ["İstanbul", "\u0307stanbul"],
  ])("of %s does not find %s in it", (text, other) => {
    expect(foldText(text)).not.toContain(foldText(other));
  });

  it("of any text finds each of its pieces, in any case", () => {
    const random = seeded(29);
    for (let tried = 0; tried < repeated(2_000, 50_000); tried += 1) {
      const text = casedText(random);
      const piece = casedPiece(random, text);
      expect([text, piece, foldText(text)]).toEqual([text, piece, fold(text)]);
      expect([text, piece, foldText(text)]).toEqual([
        text,
        piece,
        expect.stringContaining(foldText(piece)),
      ]);
    }
  });

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
      { seed: 13, numRuns: repeated(100, 8_000) },
    );
  });
});
