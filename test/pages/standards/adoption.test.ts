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
    expect(textOf(check)).toContain("62% of 1,204 sites pass. See them: sites that pass HTTPS");
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
      "Sitemap 90% of 100",
      "HTTPS 40% of 100",
      "MCP 12% of 100",
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
    ["fewer than 5 sites pass", 4, 100, "Fewer than 5 of 100 sites pass.", "0%"],
    ["fewer than 5 sites do not pass", 96, 100, "All but fewer than 5 of 100 sites pass.", "100%"],
  ])("is told without a share where %s", (_, passed, listed, text, width) => {
    const check = byId(pageOf(adoption(group(listed, { https: passed }))), "check-https");
    expect(textOf(check)).toContain(text);
    expect(all(check, "rect").map((one) => attributeOf(one, "width"))).toEqual([width]);
  });

  it("is not told of fewer than 5 sites, nor where both sides are that few, nor without figures", () => {
    const few = adoption(group(4, { https: 4 }));
    const both = adoption(group(8, { https: 4 }));
    for (const facts of [few, both, null]) {
      expect(textOf(byId(pageOf(facts), "check-https"))).not.toMatch(/sites (?!that pass \()|%/);
    }
    for (const facts of [few, null]) {
      const sections = all(pageOf(facts), "section").map((one) => attributeOf(one, "id"));
      expect(sections).not.toContain("adoption");
    }
    expect(textOf(byId(pageOf(both), "adoption"))).not.toContain("HTTPS");
  });

  it("is not counted for penalties, and the page says so", () => {
    const page = pageOf(adoption(group(100, { https: 40 })));
    expect(textOf(byId(page, "penalties"))).toContain("How many sites have one is not counted.");
    expect(textOf(byId(page, "check-bot-wall"))).not.toContain("sites pass");
    expect(textOf(byId(pageOf(null), "penalties"))).not.toContain("not counted");
  });

  it("by category is folded, has the greatest share first, and names those with too few sites once", () => {
    const categories = {
      arts: group(40, { https: 10 }),
      constructor: group(20, { https: 15 }),
      few: group(4, { https: 4 }),
      none: group(30, {}),
      most: group(30, { https: 28 }),
    };
    const check = byId(pageOf(adoption(group(124, { https: 57 }), categories)), "check-https");
    const [details] = all(check, "details");
    expect(attributeOf(details!, "open")).toBeNull();
    expect(all(details!, "li").map(textOf)).toEqual(["CONSTRUCTOR 75% of 20", "ARTS 25% of 40"]);
    expect(textOf(details!)).toContain(
      "Too few sites pass or do not pass to say: FEW, MOST, NONE.",
    );
    expect(textOf(check).match(/Too few/g)).toHaveLength(1);
    const other = byId(pageOf(adoption(group(124, { https: 57 }), categories)), "check-sitemap");
    expect(textOf(other)).not.toContain("By category");
  });

  it("does not take a check for one that passes because of the name that it shares with an object's member", () => {
    const [first, ...others] = standards.checks;
    const checks = [{ ...first!, id: "constructor" }, ...others];
    const facts = adoption(group(100, {}));
    const page = parsedPage(standardsPage({ ...standards, checks }, CONTEXT, facts));
    expect(textOf(byId(page, "check-constructor"))).toContain("Fewer than 5 of 100 sites pass.");
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
