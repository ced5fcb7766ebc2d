import { describe, expect, it } from "vitest";
import {
  type CategoryData,
  categoryPage,
  type SharedRank,
} from "../../../src/pages/categories/category-page.js";
import {
  categoryPageName,
  categoryPageNamed,
  categoryPagesOf,
} from "../../../src/pages/kit/page-names.js";
import { theStandards } from "../../fixtures.js";
import { aSite } from "../example-sites.js";
import { all, attributeOf, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";
import { aCategory, aGroup, ranked } from "./example-category.js";

/** A page of a category with the sites of that page. */
function aPage(text: string, total = 1, page = 1, changes = {}): CategoryData {
  const length = Math.min(500, total - 500 * (page - 1));
  const sites = Array.from({ length }, (_, i) =>
    aSite(text, { host: `h${i}.example`, ...changes }),
  );
  const rank = { rank: 3, of: 2, among: 8 };
  return aCategory(
    text,
    sites.map((site) => ({ site, rank, exempt: [] })),
    { page, total },
  );
}
const parsed = (shown: CategoryData) => parsedPage(categoryPage(shown, CONTEXT));
const rows = (page: ReturnType<typeof parsed>) =>
  all(page, "li").filter((one) => /^site( |$)/.test(attributeOf(one, "class") ?? ""));
/** The text of a row. @param start what comes before the host */
const rowText = (host: string, start: string) =>
  `${start} ${host} Name 1 check passed Rank 3 of 8, shared by 2 Scanned 9 August 2026`;
const hrefs = (page: ReturnType<typeof parsed>, tag = "a") =>
  all(page, tag).map((one) => attributeOf(one, "href") ?? "");
const linkedData = (shown: CategoryData) =>
  JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(categoryPage(shown, CONTEXT))?.[1] ?? "");

describe("a category's page", () => {
  /** The second of three pages. */
  const middle = parsed(aPage("Name", 1_001, 2));

  it("has each site's name, host, score and band, and a link to its report", () => {
    const page = parsed(aPage("Name", 2));
    const { label } = theStandards().rubric.bands[1]!;
    expect(rows(page).map(textOf)).toEqual(
      [0, 1].map((i) => rowText(`h${i}.example`, `62 of 100 ${label} Name Highlighted`)),
    );
    expect(hrefs(page)).toEqual(
      expect.arrayContaining([
        "../sites/h0.example",
        "../sites/h1.example",
        "../categories",
        "../?category=animals",
      ]),
    );
    expect(textOf(all(page, "h1")[0]!)).toBe("Name");
    expect(
      hrefs(page).some((href) => href.startsWith("categories/") || href.startsWith("animals")),
    ).toBe(false);
  });

  it("has every link relative to its folder", () => {
    const inside = [...hrefs(middle), ...hrefs(middle, "link")].filter(
      (href) => !/^(?:https:|#|\.\.\/)/.test(href),
    );
    expect(inside).toEqual(["animals", "animals--3"]);
    const scripts = all(middle, "script", "src").map((one) => attributeOf(one, "src"));
    expect(scripts).toEqual([expect.stringMatching(/^\.\.\/assets\/quote-/)]);
  });

  it("shows no number for a missing score, and 0 for a score of 0", () => {
    const [none] = rows(parsed(aPage("Name", 1, 1, { latestScore: null, latestBand: null })));
    expect(textOf(none!)).toBe(
      "Not scored Name Highlighted h0.example Name Rank 3 of 8, shared by 2 Scanned 9 August 2026",
    );
    const [zero] = rows(parsed(aPage("Name", 1, 1, { latestScore: 0 })));
    expect(textOf(zero!)).toContain("0 of 100");
  });

  it.each([
    [500, 1, 500, []],
    [501, 2, 1, ["animals"]],
    [1_001, 2, 500, ["animals", "animals--3"]],
  ])("of %d sites, page %d has %d, counted on, and links to %j", (total, page, length, steps) => {
    const made = total > 1_000 ? middle : parsed(aPage("Name", total, page));
    expect(rows(made).length).toBe(length);
    const [list] = all(made, "ol").filter((one) => attributeOf(one, "class") === "sites");
    expect(attributeOf(list!, "start")).toBe(String(500 * (page - 1) + 1));
    const rel = all(made, "a").filter((one) => /prev|next/.test(attributeOf(one, "rel") ?? ""));
    expect(rel.map((one) => attributeOf(one, "href"))).toEqual(steps);
  });

  it("has a title, a description, an address and linked data of its own", () => {
    const page = parsed(aPage("Name", 501, 2));
    expect(textOf(all(page, "title")[0]!)).toBe("Name, page 2 of 2 · A directory");
    const url = "https://directory.example/categories/animals--2";
    const [canonical] = all(page, "link").filter((one) => attributeOf(one, "rel") === "canonical");
    expect(attributeOf(canonical!, "href")).toBe(url);
    const data = linkedData(aPage("Name", 501, 2));
    expect([data["@type"], data.url]).toEqual(["CollectionPage", url]);
    expect(data.mainEntity.numberOfItems).toBe(501);
    expect(data.mainEntity.itemListElement).toEqual([
      { "@type": "ListItem", position: 501, url: "https://directory.example/sites/h0.example" },
    ]);
    const names = all(page, "meta").map((one) => attributeOf(one, "name"));
    expect(names).toContain("description");
    expect(names).not.toContain("robots");
  });

  it("isolates names, because they may be written from right to left", () => {
    const page = parsed(aPage("אתר לדוגמה", 1));
    const [row] = rows(page);
    expect(all(row!, "bdi").map(textOf)).toEqual(["אתר לדוגמה"]);
    expect(attributeOf(all(page, "h1")[0]!, "dir")).toBe("auto");
  });
});

describe("what the sites of a category have in common", () => {
  const group = aGroup({
    passed: { https: 9, sitemap: 2, mcp: 1 },
    exempt: { sitemap: 5, "server-rendered": 10 },
  });
  const page = (figures = group, number = 1) =>
    parsed(aCategory("Name", [], { figures, page: number, total: 501 }));

  it("is the median, and the scores as a histogram whose bands lead to the sites", () => {
    const lead = all(page(), "p")
      .map(textOf)
      .find((text) => text.startsWith("501 sites"));
    expect(lead).toBe("501 sites, page 1 of 2. The median score is 60 of 100.");
    const tips = all(page(), "span").filter((one) => attributeOf(one, "class") === "tip");
    const counts = tips.map(textOf).filter((text) => !text.endsWith(" 0 sites"));
    expect(counts).toEqual(["20–24: 3 sites", "60–64: 4 sites", "86–90: 1 site"]);
    expect(hrefs(page())).toContain(
      `../?category=animals&band=${theStandards().rubric.bands.find(({ min }) => min === 50)?.band}`,
    );
    expect(textOf(page())).toContain("Not in the chart: 2 sites without a current score.");
    const none = page(aGroup({ scored: 0, scores: [] }));
    expect([all(none, "svg").length > 0, textOf(none).includes("Half of")]).toEqual([true, false]);
    expect(all(none, "span").some((one) => attributeOf(one, "class") === "tip")).toBe(false);
  });

  it("is what they fail most, of those to which a check applies, on the first page", () => {
    const [list] = all(page(), "ol").filter((one) => attributeOf(one, "class") === "shares");
    expect(all(list!, "li").map(textOf)).toEqual(["Sitemap 3 of 5", "HTTPS 1 of 10"]);
    expect(all(list!, "rect").map((one) => attributeOf(one, "width"))).toEqual(["60%", "10%"]);
    expect(all(page(group, 2), "ol").map((one) => attributeOf(one, "class"))).toEqual(["sites"]);
  });

  it("names shared ranks, and none for a site without a current score", () => {
    const { site } = ranked("a.example");
    const shown = (rank: SharedRank | null) =>
      textOf(rows(parsed(aCategory("Name", [{ site, rank, exempt: [] }])))[0]!);
    expect(shown({ rank: 4, of: 3, among: 31 })).toContain("Rank 4 of 31, shared by 3 Scanned");
    expect(shown({ rank: 1, of: 1, among: 1_200 })).toContain("Rank 1 of 1,200 Scanned");
    expect(shown(null)).not.toContain("Rank");
  });
});

describe("the names of categories' pages", () => {
  it("are read as they are written, and no two pages share one", () => {
    const pages = ["a", "a-2", "a-2-2", "2", "con"].flatMap((slug) =>
      [1, 2, 22].map((page) => ({ slug, page })),
    );
    const names = pages.map(({ slug, page }) => categoryPageName(slug, page));
    expect(new Set(names).size).toBe(names.length);
    expect(names.map(categoryPageNamed)).toEqual(pages);
  });

  it.each([
    "",
    "A",
    "a--1",
    "a--0",
    "a--02",
    "a--b",
    "--2",
    "a-",
    "-a",
    "a---2",
    "a.html",
    "a/b",
    "a_b",
  ])("are never %j", (name) => expect(categoryPageNamed(name)).toBeNull());

  it("are as many as 500 listings a page need", () => {
    expect([0, 1, 500, 501, 1_000, 1_001].map(categoryPagesOf)).toEqual([0, 1, 1, 2, 2, 3]);
  });
});
