import { describe, expect, it } from "vitest";
import { explorerPage } from "../../../src/pages/explorer/explorer-page.js";
import { facetsView } from "../../../src/pages/explorer/facets.js";
import { pageNumbers, resultsView } from "../../../src/pages/explorer/results-view.js";
import { readState } from "../../../src/pages/explorer/search-state.js";
import type { Html } from "../../../src/pages/kit/html.js";
import { theStandards } from "../../fixtures.js";
import { aDirectory, aSite, found, shownOf } from "../example-sites.js";
import { all, attributeOf, byClass, byId, parsedPage, parsedPiece, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";

const piece = ({ markup }: Html) => parsedPiece(markup);
/** The results of a search; without a query, of the list of all sites. */
const results = (query: string, what = found("Name")) =>
  piece(resultsView(readState(query || "sort=score"), aDirectory(), what, what));
const pageOf = (query: string) => parsedPage(explorerPage(CONTEXT, shownOf(query)));
const links = (node: Parameters<typeof all>[0]) =>
  all(node, "a").map((one) => attributeOf(one, "href") ?? "");

const CHECKS = "1 check passed";

describe("the filters", () => {
  it("fold the choices of a long group that find nothing, and those after the eighth", () => {
    const items = Array.from({ length: 12 }, (_, at) => ({
      slug: `c${at}`,
      name: `C${at}`,
      group: "topic",
      order: at,
      count: at % 2 === 0 ? 12 - at : 0,
    }));
    const { facets, ...rest } = found("Name");
    const what = { ...rest, facets: { ...facets, categories: { total: 12, items } } };
    const shown = (query: string) => {
      const page = piece(facetsView(readState(query), aDirectory(), what));
      const [first] = all(byId(page, "facet-category"), "ul");
      return all(first!, "input").map((one) => attributeOf(one, "value"));
    };
    expect(shown("")).toEqual(["c0", "c2", "c4", "c6", "c8", "c10"]);
    expect(shown("category=c11")).toEqual(["c0", "c2", "c4", "c6", "c8", "c10", "c11"]);
  });
});

describe("the results", () => {
  it("link each site to its report, and show its name, host, tagline, score, band and category", () => {
    const page = results("");
    expect(links(page)).toContain("sites/example.com");
    const [category] = all(page, "a").filter(
      (one) => textOf(one) === "Name" && attributeOf(one, "data-state"),
    );
    const to = ["href", "data-state"].map((name) => attributeOf(category!, name));
    expect(to).toEqual(["categories/animals", "?category=animals"]);
    const [item] = all(page, "li").filter((one) => attributeOf(one, "class")?.startsWith("site "));
    const { label } = theStandards().rubric.bands[1]!;
    expect(textOf(item!)).toBe(
      `62 of 100 ${label} Name Highlighted example.com Name ${CHECKS} Name Name Scanned 9 August 2026`,
    );
  });

  it("show no number and draw nothing for a missing score", () => {
    const page = results("", found("Name", { sites: [aSite("Name", { latestScore: null })] }));
    expect(textOf(page)).toContain("Not scored");
    expect(textOf(page)).not.toMatch(/\b0\b|of 100/);
    expect(all(page, "svg")).toEqual([]);
    const zero = results("", found("Name", { sites: [aSite("Name", { latestScore: 0 })] }));
    expect(textOf(zero)).toContain("0 of 100");
    expect(textOf(zero)).not.toContain("Not scored");
  });

  it("do not give a band of another scoring version the label of a current one", () => {
    const directory = aDirectory();
    const bands = [{ band: "fine-enough", label: "Quite good", min: 0, max: 100 }];
    const rubric = { ...directory.rubric, bands };
    const bandOf = (latestScoreVersion: string) => {
      const site = aSite("Name", { latestScoreVersion, latestBand: "fine-enough" });
      const view = resultsView(
        readState("sort=score"),
        { ...directory, rubric },
        found("", { sites: [site] }),
        null,
      );
      return /of 100 (.*?) Name/.exec(textOf(piece(view)))?.[1];
    };
    expect(bandOf(rubric.version)).toBe("Quite good");
    expect(bandOf("1999")).toBe("Fine enough");
  });

  it("have a link for each filter in use that removes it and keeps the others", () => {
    const chips = all(results("q=x&category=a&category=gone&minScore=5&status=claimed&page=3"), "a")
      .filter((one) => attributeOf(one, "class")?.startsWith("chip"))
      .map((one) => [textOf(one), attributeOf(one, "href")]);
    expect(chips).toEqual([
      ["Without a Name×", "?q=x&category=gone&status=claimed&minScore=5"],
      ["Without Gone×", "?q=x&category=a&status=claimed&minScore=5"],
      ["Without Score 5 to 100×", "?q=x&category=a&category=gone&status=claimed"],
      ["Without Claimed×", "?q=x&category=a&category=gone&minScore=5"],
      ["Clear all filters", "?q=x"],
    ]);
  });

  it("name the filters in use by the choices that are known, before anything is counted", () => {
    const choices = { category: [{ value: "a", label: "Apples" }] };
    const view = resultsView(
      readState("category=a&category=b"),
      { ...aDirectory(), choices },
      found("Name"),
      null,
    );
    const chips = all(piece(view), "bdi").map(textOf);
    expect(chips.slice(0, 2)).toEqual(["Apples", "B"]);
  });

  it("say that nothing was found, propose corrections, and link onwards", () => {
    const none = found("Name", { sites: [], didYouMean: ["weather", "whether"] }, 0);
    const page = results("q=wether&band=good", none);
    expect(textOf(page)).toContain("No site has wether in its name, host or tagline and passes");
    expect(links(page)).toEqual(
      expect.arrayContaining([
        "?q=weather&band=good",
        "?q=whether&band=good",
        "?q=wether",
        "?sort=score",
      ]),
    );
    expect(textOf(results("band=good", none))).toContain("No site matches all of these filters.");
  });

  it("have the sites with all words of a text that none has, before the corrections", () => {
    const sites = [aSite("Maps")];
    const none = found("Name", { sites: [], withAllWords: sites, didYouMean: ["map"] }, 0);
    const page = results("q=maps geocoding", none);
    expect(byClass(page, "site")).toHaveLength(1);
    expect(textOf(page)).toMatch(
      /^No exact match.*Sites with all of these words.*Maps.*Did you mean map\?/,
    );
    const some = { ...found("Name", {}, 1), withAllWords: sites };
    const both = results("q=maps geocoding", some);
    expect(byClass(both, "site")).toHaveLength(2);
    expect(textOf(both)).toMatch(/^1 site .*Name.*Other sites with all of these words.*Maps/);
    const host = results("q=bücher", none);
    expect(textOf(host)).toContain("Sites with this word in their host");
  });

  it("say what highlighted means if one of the sites is", () => {
    const highlighted = (isIt: boolean) =>
      textOf(results("", found("Name", { sites: [aSite("Name", { highlighted: isIt })] })));
    expect(highlighted(true)).toContain("which changes neither the score nor the order");
    expect(highlighted(false)).not.toContain("which changes neither");
  });

  it("say what is wrong with a reversed range of scores", () => {
    const none = found("Name", { sites: [] }, 0);
    expect(textOf(results("q=a&minScore=80&maxScore=20", none))).toContain(
      "The lowest score must not be above the highest.",
    );
    expect(textOf(results("q=a&minScore=20&maxScore=80", none))).not.toContain("must not be");
  });

  it("offer the category or tag that a text names, in any case, unless it is chosen", () => {
    const offered = (query: string) =>
      byClass(results(query, found("Name")), "terms").flatMap((list) => links(list));
    expect(offered("q=ANIMALS")).toEqual(["?category=animals"]);
    expect(offered("q=animals name&band=good&page=2")).toEqual(["?category=animals"]);
    expect(offered("q=animals&category=animals")).toEqual([]);
    expect(offered("q=animal")).toEqual([]);
    expect(offered("q=!")).toEqual([]);
    expect(offered("q=free")).toEqual(["?tag=free"]);
  });

  it("lead from later pages of all sites to their first page, which is not the start", () => {
    const pagination = { page: 2, limit: 24, total: 60, totalPages: 3 };
    for (const query of ["page=2", "sort=score&page=2"]) {
      const pages = all(results(query, found("Name", { pagination })), "a").filter((one) =>
        /^(?:Page 1|Previous|Page 3)$/.test(textOf(one)),
      );
      expect(pages.map((one) => attributeOf(one, "href"))).toEqual([
        "?sort=score",
        "?sort=score",
        "?page=3",
      ]);
    }
  });

  it("say that a page does not exist, and link to the last page", () => {
    const what = found("Name", {
      sites: [],
      pagination: { page: 9, limit: 24, total: 60, totalPages: 3 },
    });
    const page = results("page=9", what);
    expect(textOf(page)).toContain("This page does not exist.");
    expect(textOf(page)).toContain("60 sites");
    expect(textOf(page)).not.toContain("page 9");
    expect(links(page)).toContain("?page=3");
  });

  it.each([
    [1, 1, [1]],
    [1, 4, [1, 2, 3, 4].slice(0, 2).concat(3, 4)],
    [1, 9, [1, 2, null, 9]],
    [3, 9, [1, 2, 3, 4, null, 9]],
    [4, 9, [1, 2, 3, 4, 5, null, 9]],
    [5, 9, [1, null, 4, 5, 6, null, 9]],
    [6, 9, [1, null, 5, 6, 7, 8, 9]],
    [9, 9, [1, null, 8, 9]],
  ])("link from page %d of %d to %j", (page, last, numbers) => {
    expect(pageNumbers(page, last)).toEqual(numbers);
  });
});

describe("the explorer's page", () => {
  it("has one box to search with, in the header, that belongs to the form with the filters", () => {
    const page = pageOf("q=x");
    const boxes = all(page, "input").filter((one) => attributeOf(one, "name") === "q");
    expect(boxes.map((one) => [attributeOf(one, "form"), attributeOf(one, "value")])).toEqual([
      ["search", "x"],
    ]);
    expect(all(all(page, "header")[0]!, "input")).toHaveLength(1);
  });

  it("lets search engines index the start but not a search, and both have the same canonical address", () => {
    for (const [query, isIndexed] of [
      ["", true],
      ["q=x", false],
    ] as const) {
      const page = pageOf(query);
      const robots = all(page, "meta").filter((one) => attributeOf(one, "name") === "robots");
      expect([query, robots.length]).toEqual([query, isIndexed ? 0 : 1]);
      const [canonical] = all(page, "link").filter(
        (one) => attributeOf(one, "rel") === "canonical",
      );
      expect(attributeOf(canonical!, "href")).toBe("https://directory.example/");
    }
  });

  it("leads to the page of each category that has sites, with their number", () => {
    for (const query of ["", "q=nothing&category=c"]) {
      const listed = byId(pageOf(query), "categories");
      expect(all(listed, "li").map(textOf)).toEqual([
        "a Name3 sites",
        "b Name9 sites",
        "animals Name9 sites",
      ]);
      expect(links(listed)).toEqual([
        "categories",
        "categories/a",
        "categories/b",
        "categories/animals",
      ]);
    }
    const none = explorerPage(CONTEXT, { ...shownOf(""), categories: [] });
    expect(none).not.toContain("Browse by category");
  });

  it("says in a tree of files that searching needs JavaScript, and leads to the categories and the sitemap", () => {
    const tree = { links: "clean", isPacked: false, hasPages: true, hasAnswers: true } as const;
    const [served, unserved] = [CONTEXT, { ...CONTEXT, tree }].map((context) =>
      parsedPage(explorerPage(context, shownOf(""))),
    );
    const told = (page: typeof served) =>
      all(page!, "p").filter((one) => attributeOf(one, "class") === "no-script");
    expect(told(served)).toEqual([]);
    const [sentence, ...others] = told(unserved);
    expect(others).toEqual([]);
    expect(textOf(sentence!)).toMatch(/^Searching needs JavaScript here[^.]*\.$/);
    expect(links(sentence!)).toEqual(["#categories", "sitemap.xml"]);
    const sends = (page: typeof served) =>
      all(page!, "button").filter((one) => textOf(one) === "Search with these filters").length;
    expect([sends(served), sends(unserved)]).toEqual([1, 0]);
    expect(textOf(byId(unserved!, "results"))).toBe(textOf(byId(served!, "results")));
  });
});
