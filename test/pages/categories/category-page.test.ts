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
  isCategorySlug,
} from "../../../src/pages/kit/page-names.js";
import { theStandards } from "../../fixtures.js";
import { aSite } from "../example-sites.js";
import { all, attributeOf, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";
import { aCategory, aGroup, CHECKS, ranked } from "./example-category.js";

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
/** The groups of sites that share a rank. */
const groups = (page: ReturnType<typeof parsed>) => all(page, "tbody");
const rows = (page: ReturnType<typeof parsed>) =>
  groups(page).flatMap((group) => [...all(group, "tr")]);
const hrefs = (page: ReturnType<typeof parsed>, tag = "a") =>
  all(page, tag).map((one) => attributeOf(one, "href") ?? "");
const linkedData = (shown: CategoryData) =>
  JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(categoryPage(shown, CONTEXT))?.[1] ?? "");

describe("a category's page", () => {
  /** The second of three pages. */
  const middle = parsed(aPage("Name", 1_001, 2));

  it("says to how many sites a check applies if it does not apply to a tenth of them", () => {
    const [check] = CHECKS;
    const exempt = (count: number) =>
      textOf(
        parsed(aCategory("Name", [], { figures: aGroup({ exempt: { [check!.id]: count } }) })),
      );
    expect(exempt(2)).toContain(`${check!.name} applies to 8 of 10 sites.`);
    expect(exempt(1)).not.toContain("applies to 9");
  });

  it("has each site's name, host, score, band, checks and day, and a link to its report", () => {
    const page = parsed(aPage("Name", 2));
    const { label } = theStandards().rubric.bands[1]!;
    const start = `Rank 3 of 8, shared by 2 62 ${label}`;
    expect(rows(page).map(textOf)).toEqual(
      [start, ""].map((shared, i) =>
        `${shared} Name Highlighted h${i}.example Name 1 9 August 2026`.trim(),
      ),
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

  it("leads to pages about its own sites, and to those about all sites of the category", () => {
    const about = (path: string, isOfAll?: true) => ({
      name: path,
      path,
      contentType: "text/html",
      ofCategory: { link: path, rowLink: "", ...(isOfAll && { isOfAll }) },
    });
    const pages = [about("/some/{category}"), about("/all/{category}", true)];
    const shown = aPage("Name", 1_001, 2);
    const page = parsedPage(categoryPage(shown, { ...CONTEXT, pages }));
    expect(hrefs(page)).toEqual(expect.arrayContaining(["../some/animals--2", "../all/animals"]));
  });

  it("shows no number for a missing score, and 0 for a score of 0", () => {
    const [none] = rows(parsed(aPage("Name", 1, 1, { latestScore: null, latestBand: null })));
    expect(textOf(none!)).toBe(
      "Rank 3 of 8, shared by 2 — Not scored Name Highlighted h0.example Name — 9 August 2026",
    );
    const [zero] = rows(parsed(aPage("Name", 1, 1, { latestScore: 0 })));
    expect(textOf(zero!)).toContain("shared by 2 0 ");
  });

  it.each([
    [500, 1, 500, []],
    [501, 2, 1, ["animals"]],
    [1_001, 2, 500, ["animals", "animals--3"]],
  ])("of %d sites, page %d has %d, and links to %j", (total, page, length, steps) => {
    const made = total > 1_000 ? middle : parsed(aPage("Name", total, page));
    expect(rows(made).length).toBe(length);
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
    expect(lead).toBe(
      "501 sites, page 1 of 2. The median score is 60 of 100; that of the whole directory is 55.",
    );
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

  it("leads to bands only if the explorer finds exactly the counted sites", () => {
    const bands = (changes: Partial<CategoryData>) =>
      hrefs(parsed(aCategory("Name", [], { figures: group, ...changes }))).filter((href) =>
        href.includes("band="),
      ).length;
    expect([bands({}), bands({ finds: (...asked) => asked.join() === "animals,open,5" })]).toEqual([
      2, 1,
    ]);
    expect(bands({ figures: aGroup({ scores: [[60, 8]] }) })).toBe(1);
  });

  it("is what they fail most, of those to which a check applies", () => {
    const [list] = all(page(), "ol").filter((one) => attributeOf(one, "class") === "shares");
    expect(all(list!, "li").map(textOf)).toEqual(["Sitemap 3 of 5", "HTTPS 1 of 10"]);
    expect(all(list!, "rect").map((one) => attributeOf(one, "width"))).toEqual(["60%", "10%"]);
    expect(hrefs(page()).filter((href) => href.includes("checks/"))).toEqual([
      "../checks/sitemap",
      "../checks/https",
    ]);
  });

  it("begins with the checks that apply to five sites or more, and says so where few miss another by more", () => {
    const quotes = (exempt: Record<string, number>) => {
      const shown = page(aGroup({ passed: { https: 9, sitemap: 0 }, exempt }));
      const [list] = all(shown, "ol").filter((one) => attributeOf(one, "class") === "shares");
      return [...all(list!, "li").map(textOf), textOf(all(shown, "pre")[1]!).split(";")[1]];
    };
    expect(quotes({ sitemap: 6 })).toEqual([
      "HTTPS 1 of 10",
      "Sitemap 4 of 4",
      expect.stringContaining(
        " no check that applies to at least 5 sites is missed by a greater share.",
      ),
    ]);
    expect(quotes({ sitemap: 5 })).toEqual([
      "Sitemap 5 of 5",
      "HTTPS 1 of 10",
      expect.stringContaining(" no check is missed by a greater share."),
    ]);
  });

  it("names shared ranks, and none for a site without a current score", () => {
    const { site } = ranked("a.example");
    const shown = (rank: SharedRank | null) =>
      textOf(rows(parsed(aCategory("Name", [{ site, rank, exempt: [] }])))[0]!);
    expect(shown({ rank: 4, of: 3, among: 31 })).toContain("Rank 4 of 31, shared by 3 62");
    expect(shown({ rank: 1, of: 1, among: 1_200 })).toContain("Rank 1 of 1,200 62");
    expect(shown(null)).not.toContain("Rank");
  });

  it("groups the sites that share a rank, and those that have the same score without one", () => {
    const rankOf = (rank: number, of: number) => ({ rank, of, among: 3 });
    const older = { latestScoreVersion: "old" };
    const site = (host: string, rank: SharedRank | null, changes = {}) => ({
      ...ranked(host, changes),
      rank,
    });
    const sites = [
      site("a.example", rankOf(1, 1), { latestScore: 70 }),
      site("b.example", rankOf(2, 2)),
      site("c.example", rankOf(2, 2)),
      site("d.example", null, older),
      site("e.example", null, { latestScore: null, latestBand: null }),
      site("f.example", null, { latestScore: null, latestBand: null }),
    ];
    const shown = groups(parsed(aCategory("Name", sites))).map((group) => [
      all(group, "tr").length,
      ...all(group, "th", "rowspan").map((one) => attributeOf(one, "rowspan")),
      textOf(all(group, "th")[0]!),
      textOf(all(group, "td")[0]!),
    ]);
    const { label } = theStandards().rubric.bands[1]!;
    expect(shown).toEqual([
      [1, "Rank 1 of 3", `70 ${label}`],
      [2, "2", "Rank 2 of 3, shared by 2", `62 ${label}`],
      [1, "—", "62 Open older version"],
      [2, "2", "—", "— Not scored"],
    ]);
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

  it("have the category's slug as their name only if they are its first page", () => {
    expect(["a", "a-1", "a--2", "a--1", "A"].map(isCategorySlug)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("are as many as 500 listings a page need", () => {
    expect([0, 1, 500, 501, 1_000, 1_001].map(categoryPagesOf)).toEqual([0, 1, 1, 2, 2, 3]);
  });
});
