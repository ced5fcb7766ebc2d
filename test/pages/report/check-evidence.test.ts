import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { aCheck } from "../../fixtures.js";
import { all, attributeOf, byId, textOf } from "../parsed.js";
import { aFullReport, CONTEXT, pageOf } from "../reports.js";

const { observations, accessPolicy } = aFullReport();
const home = { ...observations[0]!, key: "home", contentType: "text/html", byteLength: 1_200 };
const sitemap = {
  ...home,
  key: "sitemap_xml",
  url: "https://example.com/sitemap.xml",
  finalUrl: null,
  status: null,
  contentType: null,
  rung: "crawler",
  redirects: 0,
};
const failing = (checkId: string): Partial<Report> => ({
  checks: [aCheck({ checkId, label: checkId, status: "fail", points: 0, maxPoints: 9 })],
  fixes: { data: [], total: 0, limit: 0, hidden: 0 },
});

/** The unfolded evidence of the only fault of a report, and its part of the Markdown form. */
function evidenceOf(changes: Partial<Report>): [string, string] {
  const report = aFullReport("A text", { observations: [home], accessPolicy: null, ...changes });
  const page = pageOf(report);
  const [details] = all(byId(page, "fixes"), "details");
  const [, markdown = ""] =
    /## What to do\n([\s\S]*?)\n## /.exec(reportMarkdown(report, CONTEXT)) ?? [];
  return [details === undefined ? "" : textOf(details), markdown];
}

describe("the evidence of a fault", () => {
  it("is the request of the check's own name: what, when, as whom, and the answer", () => {
    const own = { ...sitemap, key: "sitemap", status: 404, contentType: "text/plain" };
    const [text, markdown] = evidenceOf({ ...failing("sitemap"), observations: [home, own] });
    expect(text).toBe(
      "What the scan saw (sitemap)Requested Sitemap: https://example.com/sitemap.xml When In the scan " +
        "that finished on 9 August 2026, 03:31 UTC Asked as Crawler Answer Status 404, text/plain, 1.2 kB",
    );
    for (const line of [
      "- Requested: Sitemap, [https\\://example.com/sitemap.xml](https://example.com/sitemap.xml)",
      "- When: in the scan that finished on 9 August 2026, 03:31 UTC",
      "- Asked as: Crawler",
      "- Answer: Status 404, text/plain, 1.2 kB",
    ]) {
      expect(markdown).toContain(`${line}\n`);
    }
  });

  it("is that of the home page for all other checks, and nothing without it", () => {
    const [text] = evidenceOf(failing("canonical"));
    expect(text).toContain("Requested Home page: https://example.com/page When");
    expect(text).toContain("Answer Status 200, text/html, 1.2 kB, 1 redirect");
    expect(evidenceOf({ ...failing("canonical"), observations: [sitemap] })[0]).toBe("");
  });

  it("says that there was no answer", () => {
    const [text] = evidenceOf({ ...failing("sitemap-xml"), observations: [sitemap] });
    expect(text).toMatch(/Answer No answer$/);
  });

  it("has the lines that decided, if the access policy names the check", () => {
    const [text, markdown] = evidenceOf({ ...failing("https"), accessPolicy });
    expect(text).toContain("A text A text Disallow: /");
    expect(markdown).toContain("- A text `A text` `Disallow: /`");
    expect(evidenceOf({ ...failing("canonical"), accessPolicy })[0]).not.toContain("Disallow");
  });

  it("has a way to how it is checked, if the methodology has the check", () => {
    const report = aFullReport("A text", failing("sitemap"));
    const links = all(byId(pageOf(report), "fixes"), "a");
    const [first] = links.filter((one) => textOf(one).startsWith("How we check this"));
    expect(attributeOf(first!, "href")).toBe("../checks/sitemap");
    expect(reportMarkdown(report, CONTEXT)).toContain(
      "[How we check this](https://directory.example/checks/sitemap)",
    );
  });

  it("has the methodology's line beside it where the plan shows no fix", () => {
    const without = aFullReport("A text", failing("sitemap"));
    const text = textOf(byId(pageOf(without), "fixes"));
    expect(text).toContain("What is checked: Lists pages.");
    expect(reportMarkdown(without, CONTEXT)).toContain("What is checked: Lists pages.");
    const { fixes } = aFullReport();
    const withFix = aFullReport("A text", { ...failing("sitemap"), fixes });
    expect(textOf(byId(pageOf(withFix), "fixes"))).not.toContain("What is checked: Lists pages.");
  });
});
