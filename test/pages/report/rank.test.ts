import { describe, expect, it } from "vitest";
import type { GroupFigures } from "../../../src/contract/figures.js";
import { rankText } from "../../../src/pages/report/surroundings.js";

const group = (...scores: [number, number][]): GroupFigures => {
  const scored = scores.reduce((sum, [, count]) => sum + count, 0);
  return { listed: scored, scored, scores, passed: {} };
};

describe("the rank of a score", () => {
  const figures = {
    lastScannedAt: null,
    all: group([10, 50], [60, 40], [90, 10]),
    categories: { science: group([10, 1], [60, 4], [90, 2]), small: group([10, 4]) },
  };
  const rankIn = (slug: string | null, score: number) =>
    rankText(figures, { score, category: slug === null ? null : { slug, name: `The ${slug}` } });

  it("compares with the site's category", () => {
    expect(rankIn("science", 60)).toBe("Higher than 14 % of The science");
    expect(rankIn("science", 90)).toBe("Higher than 71 % of The science");
    expect(rankIn("science", 10)).toBe("Among the lowest in The science");
  });

  it("compares with all sites if there is no category, or too few sites in it", () => {
    expect(rankIn(null, 90)).toBe("Higher than 90 % of all sites");
    expect(rankIn(null, 10)).toBe("Among the lowest of all sites");
    for (const slug of ["small", "unknown", "constructor"]) {
      expect([slug, rankIn(slug, 60)]).toEqual([slug, "Higher than 50 % of all sites"]);
    }
  });

  it("is empty if the directory has too few scores", () => {
    const few = { lastScannedAt: null, all: group([10, 4]), categories: {} };
    expect(rankText(few, { score: 10, category: null })).toBe("");
  });
});
