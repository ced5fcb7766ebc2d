import { describe, expect, it } from "vitest";
import { type FigureData, figureCsv, figureSvg } from "../../../src/extras/compare/figure.js";
import { figureAddress, figureNamed } from "../../../src/extras/compare/names.js";
import { PAGES } from "../../../src/extras/compare/pages.js";
import { linkedFrom } from "../../../src/pages/kit/links.js";
import { checksFact, quoteView, scoresFact } from "../../../src/pages/kit/quote.js";
import { aGroup, CHECKS } from "../../pages/categories/example-category.js";
import { HOSTILE_TOGETHER } from "../../pages/hostile.js";
import { all, attributeOf, parsedPiece, skeletonOf, textOf } from "../../pages/parsed.js";
import { CONTEXT } from "../../pages/reports.js";

const group = aGroup({ passed: { https: 9, sitemap: 2, mcp: 1 }, exempt: { sitemap: 5 } });
const shown = (changes: Partial<FigureData> = {}): FigureData => ({
  group,
  title: "News",
  slug: "news",
  checks: CHECKS,
  lastScannedAt: "2026-08-09T03:31:00Z",
  ...changes,
});
const svgOf = (kind: "scores" | "checks", changes = {}) =>
  parsedPiece(figureSvg(kind, shown(changes), CONTEXT));
const textsOf = (node: ReturnType<typeof svgOf>) => all(node, "text").map(textOf);
const licensed = { ...CONTEXT, publisher: { license: "CC-BY-4.0" } };

describe("a chart", () => {
  it("is a picture by itself: without styles, scripts or other files, and with its source", () => {
    for (const kind of ["scores", "checks"] as const) {
      const svg = figureSvg(kind, shown(), licensed);
      parsedPiece(svg);
      expect(svg).not.toMatch(/style|script|href|class=|url\(/);
      expect(textsOf(parsedPiece(svg)).at(-1)).toBe(
        "A directory, https://directory.example, scans up to 9 August 2026. License: CC-BY-4.0",
      );
    }
  });

  it("of scores has a bar for each range, with its number of sites, in the colour of the band", () => {
    const texts = textsOf(svgOf("scores"));
    expect(texts.slice(0, 2)).toEqual(["Scores: News", "8 sites with a current score"]);
    expect(texts.filter((text) => ["3", "4", "1"].includes(text))).toEqual(["3", "4", "1"]);
    const high = all(svgOf("scores"), "rect").map((one) => Number(attributeOf(one, "height")));
    expect(high.filter((one) => one > 0).length).toBe(4);
  });

  it("of checks has the most passed first, of those to which they apply", () => {
    const texts = textsOf(svgOf("checks"));
    expect(texts.slice(2, -1)).toEqual(["HTTPS", "90% of 10", "Sitemap", "40% of 5"]);
    const { group: _, ...none } = shown();
    expect(textsOf(svgOf("checks", { ...none, group: aGroup({ listed: 0 }) })).length).toBe(3);
  });

  it("names what the font cannot draw by its slug or id, and is the same tree whatever its texts are", () => {
    expect(textsOf(svgOf("scores", { title: "新闻" }))[0]).toBe("Scores: news");
    const tree = (text: string) =>
      skeletonOf(
        parsedPiece(figureSvg("checks", shown({ title: text }), { ...CONTEXT, name: text })),
      );
    for (const text of HOSTILE_TOGETHER) expect([text, tree(text)]).toEqual([text, tree("Name")]);
  });

  it("is a table, too", () => {
    expect(figureCsv("scores", shown())).toBe("\ufeffscore,sites\r\n20,3\r\n60,4\r\n90,1\r\n");
    expect(figureCsv("checks", shown()).split("\r\n")).toEqual(
      expect.arrayContaining(["\ufeffcheck,name,passed,applies,sites", "sitemap,Sitemap,2,5,10"]),
    );
  });

  it("has a name that is read as it is written", () => {
    for (const slug of [null, "news", "scores", "a-checks"]) {
      for (const kind of ["scores", "checks"] as const) {
        const name = figureAddress(slug, kind, "csv").replace("figures/", "");
        expect(figureNamed(name)).toEqual({ slug, kind, form: "csv" });
      }
    }
    for (const name of ["", "a.svg", "a--b.svg", "-a--scores.svg", "scores.gif", "A--scores.svg"])
      expect(figureNamed(name)).toBeNull();
  });
});

describe("a fact to quote", () => {
  const place = { address: "categories/news", kind: "scores", slug: "news" } as const;
  const quote = (fact: ReturnType<typeof scoresFact>, context = licensed) =>
    quoteView(
      fact,
      { ...place, lastScannedAt: "2026-08-09T03:31:00Z" },
      linkedFrom("categories/news", { ...context, pages: PAGES }),
    );

  it("has its number of sites, its date, its license and its source", () => {
    const view = parsedPiece(quote(scoresFact(group, "News"))?.markup ?? "");
    expect(all(view, "pre").map(textOf)).toEqual([
      "The median score of the 8 scored sites in News is 60 of 100 for how readable they are to AI " +
        "crawlers. (n = 8, scans up to 9 August 2026) Source: A directory (license: CC-BY-4.0), " +
        "https://directory.example/categories/news",
    ]);
    expect(all(view, "a").map((one) => attributeOf(one, "href"))).toEqual([
      "../figures/news--scores.svg",
      "../figures/news--scores.csv",
    ]);
    const drawn = quote(scoresFact(group, "News"), { ...licensed, hasPictures: true });
    expect(drawn?.markup).toContain("../figures/news--scores.png");
  });

  it("of scores counts those of 100, if there are any", () => {
    const scores = [
      [60, 2],
      [100, 1],
    ] as const;
    expect(scoresFact({ scored: 3, scores }, "News")?.sentence).toMatch(/, and 1 has 100\.$/);
  });

  it("is not there where nothing is counted", () => {
    expect(quote(scoresFact({ scored: 0, scores: [] }, "News"))).toBeNull();
    expect(checksFact(aGroup({ listed: 0 }), CHECKS, "News")).toBeNull();
  });
});
