import { describe, expect, it } from "vitest";
import { type CheckData, checkPage } from "../../../src/pages/standards/check-page.js";
import { CHECK_EXAMPLES } from "../../../src/pages/standards/examples.js";
import { standardsPage } from "../../../src/pages/standards/standards-page.js";
import { aCheckDescription, theStandards } from "../../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../parsed.js";
import { aFullReport, CONTEXT } from "../reports.js";

const standards = theStandards();
const check = standards.checks[0]!;
const site = (host: string, latestScore: number, name: string | null = null) => ({
  host,
  name,
  latestScore,
  latestBand: "open",
  latestScoreVersion: standards.rubric.version,
});
const figures = {
  lastScannedAt: null,
  all: {
    listed: 100,
    scored: 100,
    scores: [],
    passed: { [check.id]: 60 },
    exempt: { [check.id]: 20 },
  },
  categories: {},
};
const shownOf = (changes: Partial<CheckData> = {}): CheckData => ({
  check,
  adoption: { figures, categories: [] },
  passing: [site("good.example", 90, "Good")],
  failing: [site("xn--mnchen-3ya.example", 40)],
  ...changes,
});
const pageOf = (shown: CheckData) => checkPage(standards, shown, CONTEXT);

describe("the page of a check", () => {
  const QUOTE =
    "In A directory, 60 of the 80 sites to which the check “HTTPS” applies (75%) pass it in full. (n " +
    "= 80) Source: A directory, https://directory.example/checks/https";

  it("says what is checked, shows an answer of each kind, and names sites with their scores", () => {
    const page = parsedPage(pageOf(shownOf()));
    const text = textOf(page);
    for (const said of [check.overview, check.whyItMatters, check.whatWeCheck, check.results])
      expect(text).toContain(said);
    const { passes, fails } = CHECK_EXAMPLES.https!;
    expect(all(page, "pre").map(textOf)).toEqual(
      [passes, fails, QUOTE].map((one) => one.replace(/\s+/g, " ")),
    );
    expect(text).toContain("75% (60 of 80 sites to which it applies) pass.");
    expect(all(page, "ol").map(textOf)).toEqual([
      "Score 90 Good good.example",
      "Score 40 münchen.example (xn--mnchen-3ya.example)",
    ]);
    expect(text).toContain("60 sites; these have the highest scores.");
    expect(text).toContain("20 sites; these have the highest scores.");
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    for (const link of ["../standards", "../sites/good.example", "../?capability=https"])
      expect(links).toContain(link);
  });

  const group = (listed: number, passed: number, exempt = 0) => ({
    listed,
    scored: 0,
    scores: [],
    passed: { [check.id]: passed },
    exempt: { [check.id]: exempt },
  });
  const byCategory = (categories: Record<string, ReturnType<typeof group>>) => {
    const named = Object.keys(categories).map((slug, order) => ({
      slug,
      name: slug.toUpperCase(),
      group: "topic",
      order,
    }));
    const page = pageOf(
      shownOf({ adoption: { figures: { ...figures, categories }, categories: named } }),
    );
    return all(parsedPage(page), "section").find(
      (one) => attributeOf(one, "aria-labelledby") === "by-category",
    );
  };

  it("says how many sites of each category pass: great shares first, few sites last, shares only of many", () => {
    const section = byCategory({
      arts: group(40, 10),
      constructor: group(30, 15, 10),
      few: group(4, 4),
      none: group(30, 0),
      most: group(30, 28),
      whole: group(116, 116),
      other: group(7, 7, 7),
    })!;
    expect(all(section, "li").map(textOf)).toEqual([
      "WHOLE 116 of 116",
      "MOST 28 of 30",
      "CONSTRUCTOR 15 of 20 (75%)",
      "ARTS 10 of 40 (25%)",
      "NONE 0 of 30",
      "FEW 4 of 4",
    ]);
    expect(all(section, "rect").map((one) => attributeOf(one, "width"))).toEqual([
      "100%",
      "93.3%",
      "75%",
      "25%",
      "0%",
    ]);
    expect(textOf(section)).toContain("It applies to no site of OTHER.");
    const links = all(section, "a").map((one) => attributeOf(one, "href"));
    expect(links).toContain("../?category=arts&capability=https");
    expect(links).toContain("../categories/arts");
    expect(links).not.toContain("../?category=none&capability=https");
  });

  it("says nothing of categories that have no site to which the check applies", () => {
    expect(byCategory({ arts: group(4, 0, 4) })).toBeUndefined();
  });

  it("has no sites and no examples where nothing is known of them", () => {
    const other = aCheckDescription({ id: "of-its-own", kind: "penalty" });
    const page = parsedPage(pageOf(shownOf({ check: other, passing: [], failing: [] })));
    expect(all(page, "h2").map(textOf)).toEqual(["How it is checked", "About this check"]);
  });

  it("links to files in a tree", () => {
    const tree = { links: "files", isPacked: false, hasPages: true, hasAnswers: true } as const;
    const page = parsedPage(checkPage(standards, shownOf(), { ...CONTEXT, tree }));
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    for (const link of ["../standards.html", "../sites/good.example.html"])
      expect(links).toContain(link);
  });
});

describe("the report that the methodology works through", () => {
  const report = aFullReport();
  const exampleIn = (changes: object) => {
    const own = { ...report, scan: { ...report.scan, ...changes } };
    const page = parsedPage(standardsPage(standards, CONTEXT, null, own));
    return all(page, "section").some((one) => attributeOf(one, "id") === "example")
      ? byId(page, "example")
      : null;
  };
  const known = { score: 63, block1: 50.5, block2: 22.5, penalties: 10, cappedAt: null };

  it("adds up to its score, and leads to the report", () => {
    const example = exampleIn(known)!;
    expect(textOf(example)).toContain("50.5 + 22.5 − 10 = 63 points. The score is 63.");
    const sums = all(example, "tr").filter((row) => attributeOf(row, "class") === "sum");
    expect(sums.map(textOf)).toEqual([
      "Core checks 50.5 60",
      "Further checks 22.5 40",
      "Penalties −10",
    ]);
    expect(attributeOf(all(example, "a")[0]!, "href")).toBe(`sites/${report.site.host}`);
    expect(textOf(exampleIn({ ...known, score: 64, penalties: 9.4 })!)).toContain(
      "= 63.6 points. The score is 64, a whole number from 0 to 100.",
    );
    expect(textOf(exampleIn({ ...known, score: 25, cappedAt: 25 })!)).toContain(
      "but the homepage is an empty shell, so the score ends at 25. The score is 25.",
    );
  });

  it("is left out without a score of the current methodology", () => {
    for (const missing of [{ score: null }, { block1: null }, { scoreVersion: "old" }])
      expect(exampleIn({ ...known, ...missing })).toBeNull();
  });
});
