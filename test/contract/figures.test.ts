import { describe, expect, it } from "vitest";
import { countPassing, type GroupFigures, sharePassing } from "../../src/contract/figures.js";

const group = (listed: number, https: number): GroupFigures => ({
  listed,
  scored: 0,
  scores: [],
  passed: { https },
  exempt: {},
});

describe("the share of sites that pass a check", () => {
  it.each([
    [1_204, 746, 62],
    [10, 5, 50],
    [10_000, 9_990, 99],
    [10_000, 5, 1],
    [9, 5, "most"],
    [9, 4, "few"],
    [8, 4, null],
    [5, 0, "few"],
    [5, 5, "most"],
    [4, 4, null],
    [0, 0, null],
  ])("of %d sites of which %d pass is %j", (listed, passed, share) => {
    expect(sharePassing(group(listed, passed), "https")).toBe(share);
  });

  it("of a check that the figures do not have is that of no site", () => {
    expect(countPassing(group(10, 5), "constructor")).toBe(0);
    expect(sharePassing(group(10, 5), "toString")).toBe("few");
  });
});
