import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { listingHint } from "../../../src/pages/kit/publisher-links.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { standardsPage } from "../../../src/pages/standards/standards-page.js";
import { theStandards } from "../../fixtures.js";
import { all, attributeOf, byClass, byId, parsedPage, textOf } from "../parsed.js";
import { aFullReport, CONTEXT, reportsOf } from "../reports.js";

const context = {
  ...CONTEXT,
  publisher: {
    license: "CC-BY-4.0",
    contact: "mailto:team@directory.example",
    claimUrl: "https://directory.example/claim/{host}",
    rescanUrl: "https://directory.example/rescan?host={host}&again={host}",
    correctionUrl: "https://directory.example/correct",
  },
};
const CLAIM = ["https://directory.example/claim/example.com", "Claim this listing"];
const RESCAN = [
  "https://directory.example/rescan?host=example.com&again=example.com",
  "Ask for a new scan",
];
const CORRECT = ["https://directory.example/correct", "Say that something here is wrong"];

const linksIn = (node: Parameters<typeof all>[0]) =>
  all(node, "a").map((link) => [attributeOf(link, "href"), textOf(link)]);
const pageOf = (report: Report, around = context) => parsedPage(reportPage(report, around));
const footerOf = (page: Parameters<typeof all>[0]) => all(page, "footer")[0]!;
const unclaimed = (report: Report): Report => ({
  ...report,
  site: { ...report.site, claimed: false },
});
const linkedDataOf = (markup: string) =>
  JSON.parse(/ld\+json">(.*?)<\/script>/.exec(markup)?.[1] ?? "") as Record<string, unknown>;

describe("the publisher's addresses", () => {
  it("lead on from a report and its footer, with the host in them", () => {
    const report = unclaimed(aFullReport());
    const page = pageOf(report);
    const [ways] = byClass(byId(page, "fixes"), "near");
    expect(linksIn(ways!)).toEqual([CLAIM, RESCAN, CORRECT]);
    expect(linksIn(footerOf(page))).toEqual(expect.arrayContaining([CLAIM, RESCAN, CORRECT]));
    const markdown = reportMarkdown(report, context);
    expect(markdown).toContain(
      "[Claim this listing](https://directory.example/claim/example.com).",
    );
  });

  it.each([
    [{}, "The publisher of this directory decides which sites it has.", []],
    [
      { contact: "mailto:team@directory.example" },
      "To have it listed, write to team@directory.example.",
      [["mailto:team@directory.example", "team@directory.example"]],
    ],
    [
      { contact: "mailto:team@directory.example", contactUrl: "https://d.example/?about={host}" },
      "To have it listed, write to the publisher.",
      [["https://d.example/?about=new.example", "write to the publisher"]],
    ],
  ])("say how a site gets listed: %j", (publisher, text, links) => {
    const way = parsedPage(
      `<!doctype html><p>${listingHint("new.example", { publisher }).markup}</p>`,
    );
    expect(textOf(way)).toBe(text);
    expect(linksIn(way)).toEqual(links);
  });

  it("lead on from a withheld report, beside what is said of it", () => {
    const { latest } = reportsOf({ visibility: "opted-out" }, {});
    const [notice] = byClass(pageOf(latest), "notice");
    expect(linksIn(notice!)).toEqual(expect.arrayContaining([CLAIM, RESCAN, CORRECT]));
  });

  it("are left out where they make no sense: who owns a listing claims none, an old scan is not made again", () => {
    const { historical, latest } = reportsOf(
      { status: "claimed", entitlements: { history: true } },
      { id: "old", finishedAt: "2026-01-01T00:00:00Z" },
      { id: "new", finishedAt: "2026-02-01T00:00:00Z" },
    );
    expect(linksIn(footerOf(pageOf(latest)))).not.toContainEqual(CLAIM);
    expect(linksIn(footerOf(pageOf(historical[0]!)))).not.toContainEqual(RESCAN);
  });

  it("say the license and the contact in every footer and in the linked data", () => {
    const markup = reportPage(aFullReport(), context);
    const standards = standardsPage(theStandards(), context, null);
    for (const page of [markup, standards]) {
      expect(textOf(footerOf(parsedPage(page)))).toContain(
        "License of the data: CC-BY-4.0. Contact: team@directory.example.",
      );
      expect(linkedDataOf(page).license).toBe("https://spdx.org/licenses/CC-BY-4.0.html");
    }
    expect(linkedDataOf(markup).publisher).toMatchObject({
      contactPoint: { "@type": "ContactPoint", email: "team@directory.example" },
    });
    expect(reportMarkdown(aFullReport(), context)).toContain("License of the data: [CC-BY-4.0](");
  });

  it("are not needed", () => {
    const markup = reportPage(aFullReport(), CONTEXT);
    expect(byClass(parsedPage(markup), "near")).toEqual([]);
    expect(textOf(footerOf(parsedPage(markup)))).not.toMatch(/License|Contact/);
    expect(linkedDataOf(markup)).not.toHaveProperty("license");
  });
});
