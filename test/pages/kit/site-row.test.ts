import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { siteRow, withMarks } from "../../../src/pages/kit/site-row.js";
import { aSite } from "../example-sites.js";
import { all, attributeOf, parsedPiece, textOf } from "../parsed.js";

const rubric = { version: "2", bands: [{ band: "fair", label: "Fair", min: 0, max: 100 }] };
const achievements = ["https", "sitemap", "llms-txt"];

const row = (changes: Partial<SiteSummary>) =>
  parsedPiece(
    siteRow(aSite("Name", { latestScoreVersion: "2", highlighted: false, ...changes }), {
      rubric,
      achievements,
      to: (address: string) => address,
    }).markup,
  );
const tiles = (changes: Partial<SiteSummary>) =>
  all(row(changes), "span").filter((one) => attributeOf(one, "class") === "logo");
const images = (changes: Partial<SiteSummary>) => all(row(changes), "img");

describe("a site in a list", () => {
  it("has a dot for each check and extra that it passes, nothing for the others, and says how many", () => {
    const page = row({ capabilities: ["https", "llms-txt", "oauth"] });
    expect(textOf(page)).toContain(" 3 checks passed");
    expect(all(page, "path").map((one) => attributeOf(one, "d"))).toEqual(["M5 5h0M25 5h0M35 5h0"]);
  });

  it.each([
    ["without a score", { latestScore: null, latestBand: null }],
    ["with a score of another methodology", { latestScoreVersion: "1" }],
  ])("has no dots %s", (_, changes) => {
    expect(textOf(row(changes))).not.toContain("checks passed");
    expect(all(row(changes), "svg")).toEqual([]);
  });

  it("shows a logo from https alone, without telling it where its reader is", () => {
    const [logo, ...others] = images({ logoUrl: "https://cdn.example/l.png" });
    expect(others).toEqual([]);
    expect(Object.fromEntries(logo!.attrs.map(({ name, value }) => [name, value]))).toEqual({
      src: "https://cdn.example/l.png",
      alt: "",
      width: "40",
      height: "40",
      loading: "lazy",
      decoding: "async",
      referrerpolicy: "no-referrer",
    });
    for (const logoUrl of ["http://cdn.example/l.png", "javascript:1", "data:,x", "//x", null]) {
      expect([logoUrl, images({ logoUrl })]).toEqual([logoUrl, []]);
    }
  });

  it.each([
    ["Ärzte", "Ä"],
    ["🌦 weather", "🌦"],
    [null, "E"],
    ["\u202e", "E"],
  ])("called %j has the letter %j behind its logo", (name, letter) => {
    const [logo] = tiles({ name, logoUrl: "https://cdn.example/l.png" });
    expect(textOf(logo!)).toBe(letter);
  });

  it("has no tile without a logo", () => {
    for (const logoUrl of [null, "http://cdn.example/l.png"])
      expect(tiles({ logoUrl })).toEqual([]);
  });

  it("is called highlighted in words", () => {
    expect(textOf(row({ highlighted: true }))).toContain("Name Highlighted");
    expect(textOf(row({}))).not.toContain("Highlighted");
  });
});

describe("what a search has found in a text", () => {
  it.each([
    ["Books and books", "BOOKS", "<mark>Books</mark> and <mark>books</mark>"],
    ["aaa", "aa", "<mark>aa</mark>a"],
    ["ΟΔΟΣ", "οδος", "<mark>ΟΔΟΣ</mark>"],
    ["<b>", "b", "&lt;<mark>b</mark>&gt;"],
    ["books", "", "books"],
    ["books", "x", "books"],
    ["İstanbul’da kitap", "istanbul", "<mark>İstanbul</mark>’da kitap"],
    ["I\u0307stanbul", "İST", "<mark>I\u0307st</mark>anbul"],
    ["e\u0301 books", "BOOKS", "e\u0301 <mark>books</mark>"],
    ["e\u0301 books", "é", "<mark>e\u0301</mark> books"],
    ["q\u0323 books", "q", "<mark>q\u0323</mark> books"],
    ["a\u0307\u0307\u0307", "\u0307", "<mark>a\u0307\u0307\u0307</mark>"],
    // NFC makes one character of two and two of another, so that both texts have the same length.
    ["\u0958e\u0301 books", "book", "\u0958e\u0301 <mark>book</mark>s"],
    // Letters of Hangul in parts are not marked if they stand alone.
    ["\u1100 \u1161 a", "a", "\u1100 \u1161 <mark>a</mark>"],
  ])("%j for %j", (text, sought, markup) => {
    expect(withMarks(text, sought).markup).toBe(markup);
  });
});
