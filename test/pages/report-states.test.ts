import { describe, expect, it } from "vitest";
import type { Report } from "../../src/contract/report.js";
import { reportMarkdown } from "../../src/pages/report/report-markdown.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { aCheck } from "../fixtures.js";
import { all, attributeOf, byClass, byId, textOf } from "./parsed.js";
import { CONTEXT, linkedDataOf, pageOf, reportsOf } from "./reports.js";

describe("a report without a score", () => {
  const states: [string, Report, RegExp][] = [
    [
      "failed",
      reportsOf(
        {},
        { status: "failed", score: null, checks: [aCheck({ status: "fail", points: 0 })] },
      ).latest,
      /No score\. The scan ended as “failed” and could not be scored/,
    ],
    [
      "failed before anything was seen",
      reportsOf(
        {},
        { status: "failed", score: null, summary: "DNS lookup failed", checks: [], profile: null },
      ).latest,
      /No score\. The scan ended as “failed” and could not be scored/,
    ],
    [
      "failed with nothing but its verdict on robots.txt",
      reportsOf({}, { status: "failed", score: null, robotsVerdict: "open", checks: [] }).latest,
      /No score\. The scan ended as “failed” and could not be scored/,
    ],
    [
      "blocked",
      reportsOf({ visibility: "blocked" }, {}).latest,
      /No results, so no score\. The directory knows example\.com but shows no results for it\. That/,
    ],
    [
      "blocked after a scan that failed",
      reportsOf({ visibility: "blocked" }, { status: "failed", score: null }).latest,
      /No results, so no score\. .* no results for it\. Its scan ended as “failed”\. That/,
    ],
    [
      "opted-out",
      reportsOf({ visibility: "opted-out" }, {}).latest,
      /No results, so no score\. The directory knows example\.com but shows no results for it\. That/,
    ],
    [
      "redirected",
      reportsOf({ visibility: "redirected" }, { redirect: { host: "other.example", status: null } })
        .latest,
      /Redirected: no score\. .* redirects to other\.example, so/,
    ],
    [
      "moved",
      reportsOf(
        {},
        { status: "moved", score: null, redirect: { host: "other.example", status: 301 } },
      ).latest,
      /Redirected: no score\. .* redirects to other\.example \(HTTP status 301\)/,
    ],
    [
      "moved to nowhere that is known",
      reportsOf({}, { status: "moved", score: null, redirect: { host: null, status: null } })
        .latest,
      /redirects to another domain, so/,
    ],
  ];

  it("has the results of its checks, but no points, also where they passed", () => {
    const checks = [
      aCheck({ label: "HTTPS", points: 45, maxPoints: 45 }),
      aCheck({ label: "Hreflang", checkId: "hreflang", status: "na", points: 0, maxPoints: 10 }),
      aCheck({ checkId: "sitemap", status: "fail", points: 0, maxPoints: 15 }),
    ];
    const { latest } = reportsOf({}, { status: "failed", score: null, checks });
    const scan = { ...latest.scan, block1: 45, block2: 0, penalties: 0 };
    for (const report of [latest, { ...latest, scan }]) {
      const page = pageOf(report);
      expect(textOf(byClass(page, "strip")[0]!)).toMatch(
        /^Checks: 1 failed, 1 passed, 1 not applicable\. HTTPS/,
      );
      expect(textOf(byId(page, "checks"))).toContain("HTTPS");
      expect(reportMarkdown(report, CONTEXT)).toContain("- **HTTPS**: Passed.");
      for (const text of [textOf(page), reportMarkdown(report, CONTEXT)])
        expect(text).not.toMatch(/\d points?\b/);
    }
  });

  it.each(states)("that is %s says so in words, and shows no zero", (_, report, words) => {
    const page = pageOf(report);
    const text = textOf(page);
    expect(text).toMatch(words);
    expect(text).toContain("That is not a score of zero.");
    expect(text).not.toMatch(/\b0 of 100|\b0\/100|Score: 0/);
    const [card] = byClass(page, "card");
    expect(textOf(card!)).toBe("No score");
    // The track has neither bands nor a mark.
    expect(all(card!, "rect").map((one) => attributeOf(one, "class"))).toEqual(["track-none"]);
    expect(byClass(page, "mark")).toEqual([]);
    const robots = all(page, "meta").find((one) => attributeOf(one, "name") === "robots");
    expect(attributeOf(robots!, "content")).toBe("noindex");
    expect(reportPage(report, CONTEXT)).not.toContain("reviewRating");
    const markdown = reportMarkdown(report, CONTEXT);
    expect(markdown.replace(/\\|\*\*/g, "")).toMatch(words);
    expect(markdown).toMatch(/^# example\.com: no score\n/);
    expect(markdown).toContain("- Score: No score\n");
    expect(markdown).not.toMatch(/\b0 of 100/);
  });

  it("differs from a report with a score of zero", () => {
    const { latest } = reportsOf({}, { score: 0, block1: 0 });
    expect(textOf(byClass(pageOf(latest), "card")[0]!)).toMatch(/^Score: 0 of 100 Closed/);
    expect(textOf(pageOf(latest))).not.toContain("No score");
  });

  it("that is withheld shows nothing of the scan except that it took place", () => {
    const canary = "CANARY-9d1f";
    const { latest } = reportsOf(
      { visibility: "opted-out", entitlements: { history: true, fixPrompts: null } },
      { summary: canary, checks: [aCheck({ label: canary })] },
    );
    expect(reportPage(latest, CONTEXT)).not.toContain(canary);
    const sections = all(pageOf(latest), "section").map((one) => attributeOf(one, "id"));
    expect(sections).toEqual(["about"]);
  });
});

describe("a historical report", () => {
  it("says that it is historical, is not indexed, and names the latest report as canonical", () => {
    const { historical } = reportsOf(
      { entitlements: { history: true } },
      { id: "new", finishedAt: "2026-08-09T00:00:00Z" },
      {
        id: "old",
        finishedAt: "2026-01-02T00:00:00Z",
        score: 12,
        scoreVersion: "2025.1",
        band: "quite-poor",
      },
    );
    const page = pageOf(historical[0]!);
    const text = textOf(page);
    expect(text).toContain("This is a historical report. It shows the scan of 2 January 2026");
    expect(text).toContain("Quite poor");
    // What its blocks could bring is the older rubric's to say.
    expect(textOf(byId(page, "score"))).toContain("Core checks 60 —");
    expect(
      all(page, "link")
        .map((link) => attributeOf(link, "href"))
        .slice(0, 3),
    ).toEqual([
      "https://directory.example/sites/example.com",
      "example.com/report.md?scan=old",
      "../api/sites/example.com/report?scan=old",
    ]);
    expect(all(page, "meta").some((one) => attributeOf(one, "content") === "noindex")).toBe(true);
  });

  const { latest, historical } = reportsOf(
    { entitlements: { history: true } },
    { id: "new", finishedAt: "2026-08-09T00:00:00Z" },
    { id: "scored", finishedAt: "2026-01-02T00:00:00Z", score: 12 },
    { id: "failed", finishedAt: "2025-01-02T00:00:00Z", status: "failed", score: null },
  );
  const [scored, failed] = historical;

  it("says so in its title, and is a separate page for machines", () => {
    const title = (report: Report) => textOf(all(pageOf(report), "title")[0]!);
    expect(title(latest)).toBe(
      "Example (example.com): 60 of 100 for crawler readiness · A directory",
    );
    expect(title(scored!)).toBe(
      "Example (example.com): 12 of 100 for crawler readiness, scan of 2 January 2026 · A directory",
    );
    expect(title(failed!)).toBe(
      "Example (example.com): no crawler-readiness score, scan of 2 January 2025 · A directory",
    );
    const address = "https://directory.example/sites/example.com";
    expect(linkedDataOf(pageOf(latest))).toMatchObject({
      "@id": address,
      url: address,
      encoding: { contentUrl: `${address}/report.md` },
    });
    expect(linkedDataOf(pageOf(scored!))).toMatchObject({
      "@id": `${address}?scan=scored`,
      url: `${address}?scan=scored`,
      encoding: { contentUrl: `${address}/report.md?scan=scored` },
    });
  });

  it("without a score says both in its description: that it has none and that it is historical", () => {
    expect(linkedDataOf(pageOf(failed!)).description).toMatch(
      /^No score\. The scan ended as “failed”.*This is a historical report\. It shows/,
    );
  });
});
