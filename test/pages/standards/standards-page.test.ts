import { describe, expect, it } from "vitest";
import type { Standards } from "../../../src/contract/standards.js";
import { standardsPage } from "../../../src/pages/standards/standards-page.js";
import { all, attributeOf, byId, elementsOf, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";

/** A methodology of which every text is the one given. */
function standards(text: string, url = "https://example.com/"): Standards {
  const check = (id: string, changes: Partial<Standards["checks"][number]>) => ({
    id,
    name: text,
    title: text,
    version: 3,
    reviewedVersion: 2,
    reviewedOn: text,
    specificationStatus: text,
    overview: text,
    whyItMatters: text,
    whatWeCheck: text,
    results: text,
    limitations: text,
    sources: [{ label: text, url }],
    sourceNote: text,
    related: ["two", "gone"],
    checkClass: "universal" as const,
    lifecycle: "active" as const,
    kind: "achievement" as const,
    block: 1,
    weight: 1,
    maxPoints: 12,
    ...changes,
  });
  return {
    rubric: CONTEXT.rubric,
    badgeExamples: [{ ...CONTEXT.rubric.bands[0]!, score: 7, capabilities: 2 }],
    checks: [
      check("one", {}),
      check("two", { block: 2, lifecycle: "experimental" }),
      check("three", { kind: "penalty", block: null, maxPoints: -5 }),
      check("four", { kind: "capability", block: null, maxPoints: 0 }),
      check("five", { block: null }),
      check("six", { kind: "penalty", block: null, weight: 10, maxPoints: 0 }),
    ],
    aiCrawlers: [
      { name: "GPTBot", operator: "OpenAI", purpose: "training" },
      { name: text, operator: text, purpose: "search" },
    ],
    crawlerCatalogue: [
      {
        id: "gpt bot",
        name: "GPTBot",
        operator: "OpenAI",
        group: text,
        kind: text,
        httpIdentity: text,
        status: text,
        verification: text,
        reviewed: text,
        summary: text,
        robotsToken: text,
        aliases: [text],
        purposes: [text],
        sources: [url],
        notes: text,
        scanner: { recognized: true, visibilityPenalty: true, trainingOptOut: false },
      },
    ],
  };
}

const pageOf = (text: string, url?: string) =>
  parsedPage(standardsPage(standards(text, url), CONTEXT, null));

describe("the methodology's page", () => {
  it(
    "has bands and blocks with their points, and each check under the block or kind that it counts " +
      "towards, by its points",
    () => {
      const page = pageOf("Text");
      const { bands, block1Points, block2Points } = CONTEXT.rubric;
      const scoring = textOf(byId(page, "scoring"));
      for (const { label, min, max } of bands)
        expect(scoring).toContain(`${label} ${min} to ${max}`);
      expect(scoring).toContain("7 points, 2 capabilities");
      expect(scoring).toContain(
        `Core checks bring up to ${block1Points} points, further checks up to ${block2Points}`,
      );
      const places = ["block-1", "block-2", "penalties", "capabilities", "no-block"];
      const ids = [["one"], ["two"], ["six", "three"], ["four"], ["five"]];
      for (const [at, place] of places.entries()) {
        const items = all(byId(page, place), "li", "id").map((one) => attributeOf(one, "id"));
        expect([place, items]).toEqual([place, ids[at]?.map((id) => `check-${id}`)]);
      }
    },
  );

  it.each([
    ["one", "Up to 12 points"],
    ["two", "Experimental No points"],
    ["three", "Up to 5 points less"],
    ["six", "Up to 10 points less"],
    ["four", "No points"],
  ])("shows the points of the check %s: %s", (id, points) => {
    const [outcome] = all(byId(pageOf("Text"), `check-${id}`), "p");
    expect(textOf(outcome!)).toBe(points);
  });

  it("has unique anchors, and every link within the page leads to one", () => {
    const page = pageOf("Text");
    const ids = elementsOf(page).flatMap((one) => attributeOf(one, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const within = all(page, "a").flatMap((one) => {
      const href = attributeOf(one, "href") ?? "";
      return href.startsWith("#") ? [href.slice(1)] : [];
    });
    expect(within.length).toBeGreaterThan(8);
    expect(within.filter((id) => !ids.includes(id))).toEqual([]);
    // What is related but not there is not linked to.
    expect(within).not.toContain("check-gone");
  });

  it("names each crawler with its documentation, and those that the catalogue lacks", () => {
    const crawlers = byId(pageOf("Text"), "crawlers");
    expect(all(crawlers, "li", "data-found")).toHaveLength(2);
    const text = textOf(byId(pageOf("Text"), "crawler-gpt%20bot"));
    expect(text).toContain(
      "They recognise it, count blocking it as a penalty, count it under training.",
    );
    expect(all(crawlers, "a").map((one) => attributeOf(one, "href"))).toEqual([
      "https://example.com/",
    ]);
  });

  it("never links to hostile addresses", () => {
    const page = pageOf("Text", "javascript:alert(1)");
    const addresses = all(page, "a").map((one) => attributeOf(one, "href"));
    expect(addresses.filter((one) => one?.startsWith("javascript"))).toEqual([]);
    expect(textOf(page)).toContain("javascript:alert(1)");
  });

  it("may have no checks and no crawlers", () => {
    const none = { ...standards("x"), checks: [], aiCrawlers: [], crawlerCatalogue: [] };
    const page = parsedPage(standardsPage(none, CONTEXT, null));
    expect(all(page, "section").map((one) => attributeOf(one, "id"))).toEqual(["scoring"]);
  });
});
