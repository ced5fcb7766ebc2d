import { describe, expect, it } from "vitest";
import { withMarks } from "../../../src/pages/kit/site-row.js";

describe("what a search has found in a text", () => {
  it.each([
    ["Books and books", "BOOKS", "<mark>Books</mark> and <mark>books</mark>"],
    ["aaa", "aa", "<mark>aa</mark>a"],
    ["ΟΔΟΣ", "οδος", "<mark>ΟΔΟΣ</mark>"],
    ["<b>", "b", "&lt;<mark>b</mark>&gt;"],
    ["books", "", "books"],
    ["books", "x", "books"],
    // NFC makes one character of two, so that no place in the folded text is one in the text.
    ["e\u0301 books", "books", "e\u0301 books"],
  ])("%j for %j", (text, sought, markup) => {
    expect(withMarks(text, sought).markup).toBe(markup);
  });
});
