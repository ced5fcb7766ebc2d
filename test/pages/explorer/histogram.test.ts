import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FacetScores } from "../../../src/contract/listing.js";
import { histogramView } from "../../../src/pages/explorer/overview.js";
import { readState } from "../../../src/pages/explorer/search-state.js";
import { binGroups } from "../../../src/pages/kit/histogram.js";
import { aDirectory } from "../example-sites.js";
import { all, attributeOf, parsedPiece, textOf } from "../parsed.js";

const band = (name: string, min: number, max: number) => ({ band: name, label: name, min, max });
const BANDS = [band("high", 50, 100), band("low", 0, 24), band("middle", 25, 49)];

/** Rubrics of one to four bands, in any order, that may leave scores out. */
const rubrics = fc
  .uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 8 })
  .map((ends) => ends.sort((a, b) => a - b))
  .map((ends) =>
    Array.from({ length: Math.floor(ends.length / 2) }, (_, at) =>
      band(`b${at}`, ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0),
    ).reverse(),
  );
const points: fc.Arbitrary<FacetScores["points"]> = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 90 })),
  { selector: ([score]) => score },
);

const scores = (changes: Partial<FacetScores> = {}): FacetScores => ({
  bands: [],
  unscored: 0,
  olderScoring: 0,
  points: [[62, 3]],
  ...changes,
});
const view = (query: string, changes: Partial<FacetScores> = {}) => {
  const rubric = { version: "1", bands: BANDS };
  return parsedPiece(
    histogramView(readState(query), { ...aDirectory(), rubric }, scores(changes)).markup,
  );
};
const bars = (query: string, changes: Partial<FacetScores> = {}) =>
  all(view(query, changes), "a").filter((one) => attributeOf(one, "class")?.startsWith("bin"));

describe("the bars of the histogram", () => {
  it("have every score once, and none spans two bands", () => {
    fc.assert(
      fc.property(rubrics, points, (bands, points) => {
        const bins = binGroups({ bands }, points).flatMap((group) => group.bins);
        expect(bins.map(({ from }) => from)).toEqual([
          0,
          ...bins.slice(0, -1).map(({ to }) => to + 1),
        ]);
        expect(bins.at(-1)?.to).toBe(100);
        for (const { from, to } of bins) {
          for (const { min, max } of bands) {
            expect(to < min || from > max || (from >= min && to <= max)).toBe(true);
          }
        }
        const total = points.reduce((sum, [, count]) => sum + count, 0);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      }),
    );
  });

  it("are about five points wide, in the colours of their bands by rank", () => {
    const groups = binGroups({ bands: BANDS }, []);
    expect(groups.map(({ label, level, bins }) => [label, level, bins.length])).toEqual([
      ["low", 0, 5],
      ["middle", 2, 5],
      ["high", 3, 10],
    ]);
  });

  it("have their places but no numbers before sites are counted", () => {
    const { markup } = histogramView(readState("minScore=5"), aDirectory(), null);
    const page = parsedPiece(markup);
    const counted = parsedPiece(
      histogramView(readState("minScore=5"), aDirectory(), scores()).markup,
    );
    const linksOf = (view: typeof page) => all(view, "a").map((one) => attributeOf(one, "href"));
    expect(linksOf(page)).toEqual(linksOf(counted));
    expect(textOf(counted)).toContain(" site");
    expect(textOf(page)).not.toContain(" site");
    expect(all(page, "rect").map((one) => attributeOf(one, "height"))).not.toContain("100");
    expect(all(page, "b").map(textOf).join("")).toBe("");
  });

  it("say their numbers in words, and draw nothing for no site", () => {
    const [first, ...others] = bars("", { points: [[0, 1_234]] });
    expect(textOf(first!)).toBe("0–4: 1,234 sites");
    expect(attributeOf(all(first!, "rect")[0]!, "height")).toBe("100");
    for (const one of others) expect(attributeOf(all(one, "rect")[0]!, "height")).toBe("0");
    const [least] = bars("", {
      points: [
        [0, 1],
        [100, 10_000],
      ],
    });
    expect(Number(attributeOf(all(least!, "rect")[0]!, "height"))).toBeGreaterThan(0);
  });

  it("filter by their scores and keep the other filters; the chosen one lifts the filter", () => {
    const hrefs = bars("q=x&category=a&page=3").map((one) => attributeOf(one, "href"));
    expect(hrefs[0]).toBe("?q=x&category=a&minScore=0&maxScore=4");
    const chosen = bars("q=x&minScore=5&maxScore=9");
    expect(attributeOf(chosen[1]!, "href")).toBe("?q=x");
    expect(chosen.map((one) => attributeOf(one, "class") === "bin")).toEqual(
      chosen.map((_, at) => at === 1),
    );
  });

  it("are one stop of the Tab key: the first bar that is chosen", () => {
    const stops = (query: string) =>
      bars(query).flatMap((one, at) => (attributeOf(one, "tabindex") === "0" ? [at] : []));
    expect([stops(""), stops("minScore=50")]).toEqual([[0], [10]]);
  });

  it("come with the bands, their scores and numbers, and with what they leave out", () => {
    const text = textOf(view("", { unscored: 1, olderScoring: 2 }));
    expect(text).toContain("high 50–100 3 sites");
    expect(text).toContain("low 0–24 0 sites");
    expect(text).toContain(
      "Not in the chart: 1 site without a score, 2 scored by an older methodology.",
    );
    expect(textOf(view(""))).not.toContain("Not in the chart");
    const [low] = all(view("q=x"), "a").filter((one) =>
      attributeOf(one, "class")?.startsWith("legend-band"),
    );
    expect(attributeOf(low!, "href")).toBe("?q=x&band=low");
  });
});
