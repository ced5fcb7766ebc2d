import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "../../../src/pages/kit/words.js";
import { anyText } from "../hostile.js";

describe("a line that is too long for its place", () => {
  it.each([
    ["one two three", 13, "one two three"],
    ["one two three", 12, "one two…"],
    ["one two three", 8, "one two…"],
    ["one two three", 7, "one…"],
    ["漢".repeat(100), 50, `${"漢".repeat(49)}…`],
    [`one ${"x".repeat(100)}`, 50, `one ${"x".repeat(45)}…`],
    [`${"x".repeat(48)}😀😀`, 50, `${"x".repeat(48)}…`],
  ])("is cut after a whole word, or within a very long one: %s, at %i", (line, most, cut) => {
    expect(cutText(line, most)).toBe(cut);
  });

  it("is never longer than it may be, and no character is cut in two", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, most) => {
        const line = text.toWellFormed();
        const cut = cutText(line, most);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
