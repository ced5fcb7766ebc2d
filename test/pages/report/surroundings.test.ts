import { describe, expect, it } from "vitest";
import type { Figures, GroupFigures } from "../../../src/contract/figures.js";
import type { Report } from "../../../src/contract/report.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import {
  NO_SURROUNDINGS,
  rankText,
  type Surroundings,
} from "../../../src/pages/report/surroundings.js";
import { aSite } from "../example-sites.js";
import { all, attributeOf, byClass, byId, elementsOf, parsedPage, textOf } from "../parsed.js";
import { aFullReport, CONTEXT, linkedDataOf, pageOf, reportsOf } from "../reports.js";

const pageIn = (report: Report, around: Partial<Surroundings>) =>
  pageOf(report, undefined, { ...NO_SURROUNDINGS, ...around });
const listing = aSite("Name", {
  category: { slug: "science", name: "Science", group: "g", order: 0 },
  latestScore: 86,
});
const scores: [number, number][] = [
  [10, 7],
  [90, 3],
];
const all10 = { listed: 10, scored: 10, scores, passed: {}, exempt: {} };
const figures: Figures = { lastScannedAt: null, all: all10, categories: { science: all10 } };
const linksOf = (node: Parameters<typeof all>[0]) =>
  all(node, "a").map((link) => [attributeOf(link, "href"), textOf(link)]);
const ranksOf = (page: Parameters<typeof all>[0]) =>
  elementsOf(page)
    .filter((one) => attributeOf(one, "id") === "rank")
    .map(textOf);

describe("a report's page within its directory", () => {
  it("has the way from the directory to the report, for people and machines", () => {
    const page = pageIn(aFullReport(), { listing });
    expect(linksOf(byClass(page, "crumbs")[0]!)).toEqual([
      ["../", "A directory"],
      ["../categories/science", "Science"],
    ]);
    expect(linkedDataOf(page).breadcrumb).toEqual({
      "@type": "BreadcrumbList",
      itemListElement: [
        ["A directory", "https://directory.example/"],
        ["Science", "https://directory.example/categories/science"],
        ["example.com", "https://directory.example/sites/example.com"],
      ].map(([name, item], place) => ({ "@type": "ListItem", position: place + 1, name, item })),
    });
    expect(linksOf(byClass(pageIn(aFullReport(), {}), "crumbs")[0]!)).toEqual([
      ["../", "A directory"],
    ]);
  });

  it("compares the score with others of its category", () => {
    expect(ranksOf(pageIn(aFullReport(), { listing, figures }))).toEqual([
      "Higher than 70% of Science",
    ]);
  });

  it("leaves the comparison to the page's script if the page is a file", () => {
    const page = pageIn(aFullReport(), { listing, figures: "fetched" });
    expect(ranksOf(page)).toEqual([""]);
    expect(JSON.parse(attributeOf(byId(page, "rank"), "data-known") ?? "")).toEqual({
      score: 63,
      category: { slug: "science", name: "Science" },
    });
  });

  it("compares no historical score, none of another scoring version, and none of a listing out of search", () => {
    const { scan, ...report } = aFullReport();
    const with_ = (changes: object) => ({ ...report, scan: { ...scan, ...changes } });
    for (const one of [with_({ historical: true }), with_({ scoreVersion: "2025.1" })]) {
      expect(ranksOf(pageIn(one, { listing, figures }))).toEqual([]);
    }
    expect(ranksOf(pageIn(aFullReport(), { figures }))).toEqual([]);
    expect(ranksOf(pageIn(aFullReport(), { listing }))).toEqual([]);
  });
});

describe("a report that leads on", () => {
  const noticeOf = (report: Report, around: Partial<Surroundings> = {}) =>
    byClass(pageIn(report, around), "notice").at(-1)!;

  it("leads from a historical report to the latest one, with both scores", () => {
    const { scan, ...report } = aFullReport();
    const past = { ...report, scan: { ...scan, historical: true } };
    const notice = noticeOf(past, { listing });
    expect(textOf(notice)).toContain(
      "See the latest report of 9 August 2026: 86 of 100, Open. This one: 63 of 100, Open.",
    );
    expect(linksOf(notice)[0]?.[0]).toBe("example.com");
    expect(linksOf(noticeOf(past))).toEqual([["example.com", "See the latest report"]]);
  });

  it("leads from a redirected site to its target, and to the target's report if there is one", () => {
    const redirect = { host: "www.Other.example", status: 301 };
    const { latest } = reportsOf({}, { status: "moved", score: null, redirect });
    expect(linksOf(noticeOf(latest, { hasTarget: true }))).toEqual([
      ["other.example", "See the report of other.example"],
      ["https://www.other.example/", "www.Other.example"],
    ]);
    expect(linksOf(noticeOf(latest))).toEqual([
      ["https://www.other.example/", "www.Other.example"],
    ]);
    const odd = { host: "localhost", status: null };
    const local = reportsOf({}, { status: "moved", score: null, redirect: odd }).latest;
    expect(linksOf(noticeOf(local))).toEqual(
      [["http://localhost/", "localhost"]].map(([, text]) => ["https://localhost/", text]),
    );
    const nowhere = { host: null, status: null };
    const lost = reportsOf({}, { status: "moved", score: null, redirect: nowhere }).latest;
    expect(linksOf(noticeOf(lost))).toEqual([["../", "Explore other sites of the directory"]]);
  });

  it("leads from an unscored site to others of its category, and from a withheld one to the directory", () => {
    const { latest: failed } = reportsOf({}, { status: "failed", score: null });
    expect(linksOf(noticeOf(failed, { listing }))).toEqual([
      ["../categories/science", "See other sites in Science"],
    ]);
    const { latest: blocked } = reportsOf({ visibility: "blocked" }, {});
    expect(linksOf(noticeOf(blocked))).toEqual([["../", "Explore other sites of the directory"]]);
  });
});

describe("the part to share", () => {
  it("has the badge, and code with absolute addresses", () => {
    const share = byId(pageIn(aFullReport(), {}), "share");
    const [badge] = all(share, "img");
    expect(attributeOf(badge!, "src")).toBe("example.com/badge.svg");
    const page = "https://directory.example/sites/example.com";
    expect(all(share, "pre").map(textOf)).toEqual([
      `<a href="${page}"><img src="${page}/badge.svg" alt="Crawler readiness of example.com"></a>`,
      `[![Crawler readiness of example.com](${page}/badge.svg)](${page})`,
      page,
    ]);
    expect(textOf(share)).toContain("?style=flat-square");
  });

  it("names no looks of a badge that is a file, and is absent from withheld and historical reports", () => {
    const tree = { links: "clean", isPacked: false, hasPages: true, hasAnswers: true } as const;
    const file = parsedPage(reportPage(aFullReport(), { ...CONTEXT, tree }));
    expect(textOf(byId(file, "share"))).not.toContain("?style");
    const { scan, ...report } = aFullReport();
    const past = { ...report, scan: { ...scan, historical: true } };
    const { latest } = reportsOf({ visibility: "blocked" }, {});
    for (const one of [past, latest]) {
      const ids = elementsOf(pageIn(one, {})).map((element) => attributeOf(element, "id"));
      expect(ids).not.toContain("share");
    }
  });
});

const group = (...scores: [number, number][]): GroupFigures => {
  const scored = scores.reduce((sum, [, count]) => sum + count, 0);
  return { listed: scored, scored, scores, passed: {}, exempt: {} };
};

describe("the rank of a score", () => {
  const figures = {
    lastScannedAt: null,
    all: group([10, 50], [60, 40], [90, 10]),
    categories: {
      science: group([10, 2], [40, 1], [60, 2], [90, 1]),
      perfect: group([50, 3], [100, 25]),
      tied: group([20, 2], [60, 4], [90, 1]),
      small: group([10, 4]),
    },
  };
  const rankIn = (slug: string | null, score: number) =>
    rankText(figures, { score, category: slug === null ? null : { slug, name: `The ${slug}` } });

  it("compares with the site's category", () => {
    expect(rankIn("science", 40)).toBe("Higher than 33% of The science");
    expect(rankIn("science", 60)).toBe(
      "Higher than 50% of The science; 1 other has the same score",
    );
    expect(rankIn("science", 90)).toBe("The highest score in The science");
  });

  it("says how near a score is to the lowest, where a share of lower ones would sound like praise", () => {
    const many = group([0, 1], [1, 1], [2, 1], [3, 1], [4, 2], [50, 40]);
    const told = (score: number) =>
      rankText({ lastScannedAt: null, all: many, categories: {} }, { score, category: null });
    expect([0, 1, 2, 3].map(told)).toEqual([
      "The lowest score of all sites",
      "The second lowest score of all sites",
      "The third lowest score of all sites",
      "Among the lowest of all sites",
    ]);
    expect(told(4)).toBe("Among the lowest of all sites; 1 other has the same score");
  });

  it("names ties, and never tells a large one as a loss", () => {
    expect(rankIn("perfect", 100)).toBe(
      "Shares the top score with 24 of 27 other sites in The perfect",
    );
    expect(rankIn("science", 10)).toBe(
      "Shares the lowest score with 1 of 5 other sites in The science",
    );
    expect(rankIn("tied", 60)).toBe(
      "Shares its score with 3 of 6 other sites in The tied; 1 is higher",
    );
    expect(rankIn("tied", 90)).toBe("The highest score in The tied");
  });

  it("compares with all sites if there is no category, or too few sites in it", () => {
    expect(rankIn(null, 90)).toBe("Shares the top score with 9 of 99 other sites");
    expect(rankIn(null, 10)).toBe("Shares the lowest score with 49 of 99 other sites");
    for (const slug of ["small", "unknown", "constructor"]) {
      expect([slug, rankIn(slug, 60)]).toEqual([
        slug,
        "Shares its score with 39 of 99 other sites; 10 are higher",
      ]);
    }
  });

  it("is empty if the directory has too few scores", () => {
    const few = { lastScannedAt: null, all: group([10, 4]), categories: {} };
    expect(rankText(few, { score: 10, category: null })).toBe("");
  });
});
