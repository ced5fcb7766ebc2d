import { domainToASCII } from "node:url";
import { describe, expect, it } from "vitest";
import { markdownText } from "../../../src/pages/kit/escape.js";
import { siteRow } from "../../../src/pages/kit/site-row.js";
import { hostInScript, hostText } from "../../../src/pages/kit/words.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { aDirectory, aSite } from "../example-sites.js";
import { all, parsedPage, parsedPiece, textOf } from "../parsed.js";
import { aFullReport, CONTEXT } from "../reports.js";

const NAMES = [
  "münchen.example",
  "日本語.例え",
  "مثال.إختبار",
  "пример.испытание",
  "παράδειγμα.δοκιμή",
  "a-ü-b.straße-x.example",
  "bücher.𐐨𐐩.example",
  "💩.example",
  `${"ä".repeat(50)}.example`,
];

describe("a host in its own script", () => {
  it.each(NAMES)("is %s", (name) => {
    const host = domainToASCII(name);
    expect(host).toContain("xn--");
    expect(hostInScript(host)).toBe(name);
    expect(hostText(host)).toBe(`${name} (${host})`);
  });

  it.each([
    "plain.example",
    // Not the Punycode of any text, or of one that leads to another host.
    "xn--a.example",
    "xn--99999999.example",
    "xn--zzzzzzzzzzzzzzzzzzzz.example",
    "xn--abc-.example",
    "xn--abc-!.example",
    "xn--.example",
  ])("is not given for %s", (host) => {
    expect(hostInScript(host)).toBeNull();
    expect(hostText(host)).toBe(host);
  });

  it("stands in lists and reports, with Punycode beside it", () => {
    const host = "xn--mnchen-3ya.example";
    const both = `münchen.example (${host})`;
    const row = (name: string | null) => {
      const directory = { ...aDirectory(), achievements: [] };
      const piece = parsedPiece(siteRow(aSite("Name", { host, name }), directory).markup);
      return [...all(piece, "h3"), ...all(piece, "p")].map(textOf);
    };
    expect(row("Name")).toContain(both);
    expect(row(null)).toEqual(expect.arrayContaining(["münchen.example Highlighted", host]));
    const report = aFullReport();
    const own = { ...report, site: { ...report.site, host, name: null } };
    const page = parsedPage(reportPage(own, CONTEXT));
    expect(all(page, "h1").map(textOf)).toEqual(["münchen.example"]);
    expect(all(page, "p").map(textOf)).toContain(host);
    expect(textOf(all(page, "title")[0]!)).toContain(both);
    expect(reportMarkdown(own, CONTEXT)).toContain(`# ${markdownText(both)}:`);
  });
});
