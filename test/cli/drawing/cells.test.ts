import { describe, expect, it } from "vitest";
import {
  cellsOf,
  cutTo,
  fitted,
  glyphsOf,
  joinedGlyphs,
  safeLine,
  safeLines,
  wrapped,
} from "../../../cli/drawing/cells.js";

/** Every character of the first planes that a terminal might act upon, or hide. */
const DANGEROUS = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0xad, 0x61c, 0x180e, 0x200b, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e],
  ...[0x2066, 0x2069, 0xfe0f, 0xfeff, 0xfff9, 0xd800, 0xdfff, 0xe000, 0x1f1e6, 0x1f3fb],
  ...[0xe0001, 0xe0041, 0xe0100, 0x10fffd],
];

describe("a text from any source on a terminal", () => {
  it("shows characters that a terminal would act on or hide as escapes", () => {
    for (const code of DANGEROUS) {
      const text = String.fromCodePoint(code);
      if (text === "\t") continue;
      const shown = safeLine(`a${text}b`);
      const hex = code.toString(16);
      const escaped = code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
      expect(shown).toBe(`a${escaped}b`);
      expect(cellsOf(text)).toBe(escaped.length);
    }
  });

  it("stays as it is if it is ordinary, in any script", () => {
    for (const text of ["naïve", "日本語", "Привет", "مرحبا", "שלום", "한국어", "🙂", "₤ ½ …"]) {
      expect(safeLine(text)).toBe(text);
    }
  });

  it("shows a tab as two blanks, and keeps line feeds only on request", () => {
    expect(safeLine("a\tb\nc")).toBe("a  b\\u000ac");
    expect(safeLines("a\tb\nc\r")).toBe("a  b\nc\\u000d");
  });

  it.each([
    ["abc", 3],
    ["日本語", 6],
    ["한국어", 6],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
    ["e\u0301", 1],
    ["é", 1],
    ["\u{20000}", 2],
    ["\x1b", 6],
    ["\t", 2],
  ])("%j takes %d columns", (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });

  it("is cut between characters to fit the columns", () => {
    expect(cutTo("abcdef", 6)).toBe("abcdef");
    expect(cutTo("abcdef", 5)).toBe("abcd…");
    expect(cutTo("日本語", 5)).toBe("日本…");
    expect(cutTo("日本語", 4)).toBe("日…");
    expect(cutTo("a\x1b[31m", 6)).toBe("a…");
    expect(cutTo("abc", 0)).toBe("");
    for (let room = 0; room < 30; room += 1) {
      const glyphs = fitted(glyphsOf("日本語 a\u0301 \x1b 🙂 text"), room);
      expect(cellsOf(joinedGlyphs(glyphs))).toBeLessThanOrEqual(room);
    }
  });

  it("is broken between words, and keeps a word that is too long whole", () => {
    expect(wrapped("found this, expected that", 12)).toEqual(["found this,", "expected", "that"]);
    expect(wrapped("日本 語", 5)).toEqual(["日本", "語"]);
    expect(wrapped("a abcdefghijkl b", 5)).toEqual(["a", "abcdefghijkl", "b"]);
    expect(wrapped("", 5)).toEqual([""]);
  });
});
