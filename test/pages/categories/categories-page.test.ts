import { describe, expect, it } from "vitest";
import type { Figures } from "../../../src/contract/figures.js";
import type { FindsExactly } from "../../../src/pages/categories/band-charts.js";
import {
  categoriesPage,
  type EarlierShares,
} from "../../../src/pages/categories/categories-page.js";
import { all, attributeOf, byClass, type Element, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";
import { aGroup, CHECKS, theFigures } from "./example-category.js";

const high = aGroup({ scores: [[90, 8]], passed: { https: 4, sitemap: 10 } });
const few = aGroup({
  listed: 4,
  scored: 4,
  scores: [
    [0, 1],
    [100, 3],
  ],
  passed: { https: 4, sitemap: 1 },
});
const GROUPS = { low: aGroup({ listed: 8 }), high, few };

function pageOf(
  query = "",
  figures: Figures = theFigures(GROUPS),
  name?: string,
  finds: FindsExactly = () => true,
  earlier: EarlierShares | null = null,
) {
  const categories = Object.keys(figures.categories).map((slug) => ({
    slug,
    name: name ?? `Name ${slug}`,
  }));
  return parsedPage(
    categoriesPage({ figures, categories, checks: CHECKS, finds, earlier }, CONTEXT, query),
  );
}

/** The groups of the table; that of all sites is the first. */
const groupsIn = (page: ReturnType<typeof pageOf>) => all(page, "tbody");
const cellsOf = (group: Element) => {
  const [row] = all(group, "tr");
  return [...all(row!, "th"), ...all(row!, "td")].map(textOf);
};
const namesIn = (query: string, figures?: Figures) =>
  groupsIn(pageOf(query, figures))
    .slice(1)
    .map((group) => cellsOf(group)[0]);
const hrefs = (element: Element) => all(element, "a").map((one) => attributeOf(one, "href"));

describe("the list of categories", () => {
  it("has all sites first, then the highest median, and no median or share of fewer than five scores", () => {
    expect(groupsIn(pageOf()).map(cellsOf)).toEqual([
      ["All sites", "10 sites", expect.stringContaining("63%"), "60", "100% 10 of 10 HTTPS"],
      ["Name high", "10 sites", expect.stringContaining("100%"), "90", "60% 6 of 10 HTTPS"],
      ["Name low", "8 sites", expect.stringContaining("63%"), "60", "100% 8 of 8 HTTPS"],
      ["Name few", "4 sites", expect.stringContaining("3 of 4"), "—", "3 of 4 Sitemap"],
    ]);
  });

  it.each([
    ["", ["high", "low", "few"]],
    ["sort=median-asc", ["low", "high", "few"]],
    ["sort=name", ["few", "high", "low"]],
    ["sort=name-desc", ["low", "high", "few"]],
    ["sort=sites", ["high", "low", "few"]],
    ["sort=sites-asc", ["few", "low", "high"]],
    ["sort=share-asc", ["low", "high", "few"]],
    ["sort=failed", ["low", "high", "few"]],
    ["sort=failed-asc", ["high", "low", "few"]],
    ["sort=nothing", ["high", "low", "few"]],
  ])("is sorted by its address (%j), with unknown values last", (query, slugs) => {
    expect(namesIn(query)).toEqual(slugs.map((slug) => `Name ${slug}`));
  });

  it("sorts equal values by name, whatever the direction", () => {
    const same = theFigures({ b: aGroup(), c: aGroup(), a: aGroup() });
    for (const query of ["", "sort=median-asc", "sort=sites", "sort=failed-asc"])
      expect(namesIn(query, same)).toEqual(["Name a", "Name b", "Name c"]);
  });

  it("has the change of the share in the highest band, where there are earlier figures", () => {
    const shares = new Map([
      ["high", 0.875],
      ["low", 0.625],
    ]);
    const shareOf = (slug: string | null) => (slug === null ? 0.7 : (shares.get(slug) ?? null));
    const earlier = { publishedAt: "2026-07-30T12:00:00.000Z", shareOf };
    const page = (query: string) =>
      pageOf(query, theFigures(GROUPS), undefined, () => true, earlier);
    const changes = groupsIn(page("sort=change")).map((group) => {
      const [name, , , change] = cellsOf(group);
      return [name, change];
    });
    expect(changes).toEqual([
      ["All sites", "▼down 7.5"],
      ["Name high", "▲up 12.5"],
      ["Name low", "0"],
      ["Name few", "—"],
    ]);
    expect(textOf(page(""))).toContain("since the publication of 30 July 2026, in points");
    expect(textOf(pageOf())).not.toContain("in points");
  });

  it("sorts equal medians by the share of the highest band, in the direction of the medians", () => {
    const scores = [
      [60, 3],
      [90, 5],
    ] as const;
    const same = theFigures({ b: aGroup({ scores: [[60, 8]] }), a: aGroup({ scores }) });
    const other = theFigures({
      b: aGroup({ scores: [[60, 8]] }),
      a: aGroup({
        scores: [
          [20, 1],
          [60, 7],
        ],
      }),
    });
    expect(namesIn("", same)).toEqual(["Name a", "Name b"]);
    expect(namesIn("", other)).toEqual(["Name b", "Name a"]);
    expect(namesIn("sort=median-asc", other)).toEqual(["Name a", "Name b"]);
  });

  it("has headings that lead to the order of their column, and back", () => {
    const heads = (query: string) =>
      all(pageOf(query), "th", "data-sort").map((head) => [
        textOf(head),
        attributeOf(head, "aria-sort"),
        ...hrefs(head),
      ]);
    const [, top] = CONTEXT.rubric.bands;
    expect(heads("")).toEqual([
      ["Category", null, "?sort=name"],
      ["Sites", null, "?sort=sites"],
      [top!.label, null, "?sort=share"],
      ["Median", "descending", "?sort=median-asc"],
      ["Not passed most often", null, "?sort=failed"],
    ]);
    expect(heads("sort=name")[0]).toEqual(["Category", "ascending", "?sort=name-desc"]);
    expect(heads("sort=name-desc")[0]).toEqual(["Category", "descending", "?sort=name"]);
    expect(heads("sort=name")[3]).toEqual(["Median", null, "categories"]);
  });

  it("keeps sorted lists from search engines, and has one canonical address", () => {
    const robots = (query: string) =>
      all(pageOf(query), "meta").some((one) => attributeOf(one, "name") === "robots");
    expect([robots(""), robots("sort=nothing"), robots("sort=name")]).toEqual([false, false, true]);
  });

  it("begins with a sentence about the extremes, to quote", () => {
    const sentence =
      "Of the 2 categories with at least 5 scored sites in A directory, Name high has the highest median " +
      "score for how readable their sites are to AI crawlers, 90 of 100; Name low has the lowest, 60.";
    const page = pageOf();
    expect(textOf(byClass(page, "lead")[0]!)).toBe(sentence);
    expect(all(page, "pre").map(textOf)[0]).toBe(
      `${sentence} (n = 16, scans up to 9 August 2026) Source: A directory, https://directory.example/categories`,
    );
    const tied = theFigures({ a: high, b: high, c: high, d: aGroup() });
    expect(textOf(pageOf("", tied))).toContain("Name a, Name b and 1 other have the highest");
    const equal = theFigures({ a: high, b: high });
    expect(textOf(pageOf("", equal))).not.toContain("the lowest");
  });

  it("cuts long names in the sentence", () => {
    const long = theFigures({ a: high, b: aGroup() });
    expect(textOf(byClass(pageOf("", long, "n".repeat(1_000)), "lead")[0]!).length).toBeLessThan(
      450,
    );
  });
});

describe("a row of the list", () => {
  const { bands } = CONTEXT.rubric;
  const [lower, upper] = bands.toSorted((a, b) => a.min - b.min);

  it("has a bar of the bands, the highest first, whose parts lead to the explorer", () => {
    const [bar] = byClass(groupsIn(pageOf())[2]!, "bar");
    expect(all(bar!, "rect").map((one) => attributeOf(one, "width"))).toEqual(["62.50%", "37.50%"]);
    expect(all(bar!, "title").map(textOf)).toEqual([
      `${upper!.label} 50–100: 5 sites`,
      `${lower!.label} 0–49: 3 sites`,
    ]);
    expect(hrefs(bar!)).toEqual([
      `./?category=low&band=${upper!.band}`,
      `./?category=low&band=${lower!.band}`,
    ]);
    // The opened row has the same links, for the keyboard.
    expect(all(bar!, "a").map((one) => attributeOf(one, "tabindex"))).toEqual(["-1", "-1"]);
  });

  it("opens to the numbers of the bands, what is not passed most often, and the category's page", () => {
    const opened = all(groupsIn(pageOf())[2]!, "details")[0]!;
    const text = textOf(opened);
    expect(text).toContain("Scores and checks: Name low");
    expect(text).toContain("8 of 8 sites have a current score.");
    expect(byClass(opened, "key").map(textOf)).toEqual([
      `${upper!.label} 50–100 5 sites ${lower!.label} 0–49 3 sites`,
    ]);
    expect(hrefs(byClass(opened, "key")[0]!)).toEqual([
      `./?category=low&band=${upper!.band}`,
      `./?category=low&band=${lower!.band}`,
    ]);
    expect(byClass(opened, "shares").map(textOf)).toEqual(["HTTPS 8 of 8 Sitemap 8 of 8"]);
    expect(hrefs(opened)).toEqual(expect.arrayContaining(["checks/https", "categories/low"]));
  });

  it("leads to the sites, the category's page and the page of the check", () => {
    const [row] = all(groupsIn(pageOf())[1]!, "tr");
    const links = hrefs(row!);
    expect([links[0], links[1], links.at(-1)]).toEqual([
      "categories/high",
      "./?category=high",
      "checks/https",
    ]);
    const [all_] = all(groupsIn(pageOf())[0]!, "tr");
    expect(hrefs(all_!)[0]).toBe("./?sort=score");
  });

  it("leads only to bands of which the explorer finds exactly the counted sites", () => {
    const page = pageOf("", theFigures(GROUPS), undefined, (...asked) =>
      ["high,open,8", ",open,5"].includes(asked.join()),
    );
    const links = all(page, "a").map((one) => attributeOf(one, "href") ?? "");
    expect([...new Set(links.filter((link) => link.includes("band=")))]).toEqual([
      "./?band=open",
      "./?category=high&band=open",
    ]);
  });

  it("has no bar and no share without a score, and no link to a band without sites", () => {
    const none = aGroup({ listed: 6, scored: 0, scores: [], passed: { https: 6, sitemap: 6 } });
    const page = pageOf("", theFigures({ none, high }));
    const last = groupsIn(page)[2]!;
    expect(cellsOf(last)).toEqual(["Name none", "6 sites", "—", "—", "—"]);
    expect(byClass(last, "sketch")).toEqual([]);
    expect(textOf(last)).toContain("0 of 6 sites have a current score.");
    const links = hrefs(groupsIn(page)[1]!).filter((link) => link?.includes("band="));
    expect(new Set(links)).toEqual(new Set([`./?category=high&band=${upper!.band}`]));
  });
});

it("says whether the categories have all sites", () => {
  const text = (listed: number) => {
    const figures = theFigures({ a: aGroup() });
    return textOf(pageOf("", { ...figures, all: aGroup({ listed }) }));
  };
  expect(text(10)).toContain("All 10 sites have a category.");
  expect(text(11)).toContain("1 site of 11 has no category.");
  expect(text(1_300)).toContain("1,290 sites of 1,300 have no category.");
});
