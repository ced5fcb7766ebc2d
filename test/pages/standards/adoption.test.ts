import { describe, expect, it } from "vitest";
import type { Figures, GroupFigures } from "../../../src/contract/figures.js";
import type { Standards } from "../../../src/contract/standards.js";
import type { Adoption } from "../../../src/pages/standards/adoption.js";
import { standardsPage } from "../../../src/pages/standards/standards-page.js";
import { theStandards } from "../../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";

const group = (
  listed: number,
  passed: Record<string, number>,
  exempt: Record<string, number> = {},
): GroupFigures => ({
  listed,
  passed,
  exempt,
  scored: 10,
  scores: [
    [20, 3],
    [60, 7],
  ],
});

function adoption(all: GroupFigures, categories: Figures["categories"] = {}): Adoption {
  const named = Object.keys(categories).map((slug, order) => ({
    slug,
    name: slug.toUpperCase(),
    group: "topic",
    order,
  }));
  return { figures: { lastScannedAt: null, all, categories }, categories: named };
}

const standards: Standards = theStandards();
const pageOf = (facts: Adoption | null) => parsedPage(standardsPage(standards, CONTEXT, facts));

describe("the adoption of checks on the methodology's page", () => {
  it("is a bar with the share and the number of sites, and a link to the sites that pass", () => {
    const check = byId(pageOf(adoption(group(1_204, { https: 746 }))), "check-https");
    expect(textOf(check)).toContain(
      "62% (746 of 1,204 sites) pass. See them: sites that pass HTTPS",
    );
    const [bar] = all(check, "rect");
    expect(attributeOf(bar!, "width")).toBe("62%");
    const links = all(check, "a").map((one) => attributeOf(one, "href"));
    expect(links).toContain("./?capability=https");
  });

  it("is in two charts, whose rows lead to the checks and begin with what most sites pass", () => {
    const chart = byId(
      pageOf(adoption(group(100, { https: 40, sitemap: 90, mcp: 12, gone: 50 }))),
      "adoption",
    );
    expect(all(chart, "li").map(textOf)).toEqual([
      "Sitemap 90 of 100 (90%)",
      "HTTPS 40 of 100 (40%)",
      "MCP 12 of 100 (12%)",
    ]);
    expect(all(chart, "a").map((one) => attributeOf(one, "href"))).toEqual([
      "#check-sitemap",
      "#check-https",
      "#check-mcp",
    ]);
    expect(all(chart, "pre").map(textOf)).toEqual([
      "In A directory, 60 of the 100 sites to which the check “HTTPS” applies do not pass it in full; " +
        "no check is missed by a greater share. (n = 100) Source: A directory, " +
        "https://directory.example/standards",
    ]);
    expect(all(chart, "h3").map(textOf)).toHaveLength(2);
  });

  it.each([
    [4, 100, "4 of 100 sites pass."],
    [1, 100, "1 of 100 sites passes."],
    [96, 100, "96 of 100 sites pass."],
    [116, 116, "116 of 116 sites pass."],
    [4, 4, "4 of 4 sites pass."],
    [4, 8, "4 of 8 sites pass."],
    [0, 1, "0 of 1 site pass."],
  ])(
    "is told without a share where fewer than 5 sites pass or do not: %d of %d",
    (passed, listed, text) => {
      const facts = adoption(group(listed, { https: passed }));
      const check = byId(pageOf(facts), "check-https");
      expect(textOf(check)).toContain(text);
      expect(textOf(check)).not.toContain("%");
      const [bar] = all(check, "rect");
      expect(attributeOf(bar!, "width")).toBe(`${(100 * passed) / listed}%`);
      expect(
        all(check, "a").some((one) => attributeOf(one, "href") === "./?capability=https"),
      ).toBe(passed > 0);
      expect(textOf(byId(pageOf(facts), "adoption"))).toContain(`HTTPS ${passed} of ${listed}`);
    },
  );

  it("is not told of a check that applies to no site, nor without figures", () => {
    const none = adoption(group(4, {}, { https: 4, sitemap: 4, mcp: 4 }));
    for (const facts of [none, null]) {
      expect(textOf(byId(pageOf(facts), "check-https"))).not.toMatch(/sites (?!that pass\b)|%/);
      const sections = all(pageOf(facts), "section").map((one) => attributeOf(one, "id"));
      expect(sections).not.toContain("adoption");
    }
  });

  it("is not counted for penalties, and the page says so", () => {
    const page = pageOf(adoption(group(100, { https: 40 })));
    expect(textOf(byId(page, "penalties"))).toContain("How many sites have one is not counted.");
    expect(textOf(byId(page, "check-bot-wall"))).not.toContain("sites pass");
    expect(textOf(byId(pageOf(null), "penalties"))).not.toContain("not counted");
  });

  it("does not take a check for one that passes because of the name that it shares with an object's member", () => {
    const [first, ...others] = standards.checks;
    const checks = [{ ...first!, id: "constructor" }, ...others];
    const facts = adoption(group(100, {}));
    const page = parsedPage(standardsPage({ ...standards, checks }, CONTEXT, facts));
    expect(textOf(byId(page, "check-constructor"))).toContain("0 of 100 sites pass.");
  });
});

describe("the bands on the methodology's page", () => {
  it("have the number of scored sites in each, with a bar in the band's colour", () => {
    const bands = CONTEXT.rubric.bands;
    const page = pageOf(adoption(group(12, {})));
    const rows = bands.map(({ band, min, max }) => {
      const row = byId(page, `band-${band}`);
      const sites = (min <= 20 && 20 <= max ? 3 : 0) + (min <= 60 && 60 <= max ? 7 : 0);
      expect(textOf(row)).toContain(`${min} to ${max} ${sites} (${10 * sites}%)`);
      return attributeOf(all(row, "rect")[0]!, "class");
    });
    expect(new Set(rows).size).toBe(Math.min(4, bands.length));
    expect(rows.every((name) => name?.startsWith("level-"))).toBe(true);
  });

  it("have no number of sites if fewer than 5 are scored", () => {
    const facts = adoption({ listed: 9, scored: 4, scores: [[20, 4]], passed: {}, exempt: {} });
    expect(textOf(byId(pageOf(facts), "scoring"))).not.toContain("%");
  });
});
