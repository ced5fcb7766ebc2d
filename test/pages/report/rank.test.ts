import { describe, expect, it } from "vitest";
import type { GroupFigures } from "../../../src/contract/figures.js";
import { rankText } from "../../../src/pages/report/surroundings.js";

const group = (...scores: [number, number][]): GroupFigures => {
  const scored = scores.reduce((sum, [, count]) => sum + count, 0);
  return { listed: scored, scored, scores, passed: {}, exempt: {} };
};

describe("the rank of a score", () => {
  const figures = {
    lastScannedAt: null,
    all: group([10, 50], [60, 40], [90, 10]),
    categories: {
      science: group([10, 2], [40, 1], [60, 2], [90, 1]),
      perfect: group([50, 3], [100, 25]),
      tied: group([20, 2], [60, 4], [90, 1]),
      small: group([10, 4]),
    },
  };
  const rankIn = (slug: string | null, score: number) =>
    rankText(figures, { score, category: slug === null ? null : { slug, name: `The ${slug}` } });

  it("compares with the site's category", () => {
    expect(rankIn("science", 40)).toBe("Higher than 33% of The science");
    expect(rankIn("science", 60)).toBe(
      "Higher than 50% of The science; 1 other has the same score",
    );
    expect(rankIn("science", 90)).toBe("The highest score in The science");
  });

  it("names ties, and never tells a large one as a loss", () => {
    expect(rankIn("perfect", 100)).toBe(
      "Shares the top score with 24 of 27 other sites in The perfect",
    );
    expect(rankIn("science", 10)).toBe(
      "Shares the lowest score with 1 of 5 other sites in The science",
    );
    expect(rankIn("tied", 60)).toBe(
      "Shares its score with 3 of 6 other sites in The tied; 1 is higher",
    );
    expect(rankIn("tied", 90)).toBe("The highest score in The tied");
  });

  it("compares with all sites if there is no category, or too few sites in it", () => {
    expect(rankIn(null, 90)).toBe("Shares the top score with 9 of 99 other sites");
    expect(rankIn(null, 10)).toBe("Shares the lowest score with 49 of 99 other sites");
    for (const slug of ["small", "unknown", "constructor"]) {
      expect([slug, rankIn(slug, 60)]).toEqual([
        slug,
        "Shares its score with 39 of 99 other sites; 10 are higher",
      ]);
    }
  });

  it("is empty if the directory has too few scores", () => {
    const few = { lastScannedAt: null, all: group([10, 4]), categories: {} };
    expect(rankText(few, { score: 10, category: null })).toBe("");
  });
});
