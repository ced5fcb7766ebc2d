import { serializeOuter } from "parse5";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/contract/report.js";
import { reportMarkdown } from "../../src/pages/report/report-markdown.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { aCheck } from "../fixtures.js";
import { isUnseen, UNSEEN } from "./hostile.js";
import {
  all,
  attributeOf,
  byClass,
  byId,
  type Element,
  elementsOf,
  parsedPage,
  textOf,
} from "./parsed.js";
import { aFullReport, CONTEXT, pageOf } from "./reports.js";

/* Parts of a report's page that are there or not, and what they are called. */

const markdownOf = (report: Report) => reportMarkdown(report, CONTEXT);
const idsOf = (report: Report) =>
  elementsOf(pageOf(report)).flatMap((one) => attributeOf(one, "id") ?? []);

/** What has a text of its own; the page's script fills the place for news. */
function isBlockOfText(one: Element): boolean {
  const isBlock =
    /^(?:p|li|dt|dd|th|td|pre|code|summary|caption|time|strong)$/.test(one.tagName) ||
    (one.tagName === "span" &&
      /^(?:quiet|status|points|gain)/.test(attributeOf(one, "class") ?? ""));
  return isBlock && attributeOf(one, "id") !== "enrichment-news";
}

describe("a report of texts without visible characters", () => {
  it.each(UNSEEN)("has a name for every link, heading and summary if all texts are %j", (text) => {
    const { site, scan, ...others } = aFullReport(text);
    const report = {
      ...others,
      site: { ...site, claimed: false, status: text },
      scan: { ...scan, status: text },
    };
    const page = parsedPage(reportPage(report, { ...CONTEXT, name: text }));
    const named = elementsOf(page).filter(({ tagName }) =>
      /^(?:a|h\d|summary|title)$/.test(tagName),
    );
    expect(named.filter((one) => isUnseen(textOf(one)))).toEqual([]);
    expect(textOf(page)).not.toMatch(/\(\)|early:/);
    expect(textOf(byId(page, "check-https"))).toMatch(/^https Passed/);
    expect(textOf(byId(page, "fix-3"))).toBe("Add a sitemap");
    expect(textOf(byId(page, "prerender-title"))).toBe("Rendering for crawlers");
    expect(textOf(all(page, "title")[0]!)).toMatch(/^example\.com: 63 of 100/);
    const drawn = new Set(all(byId(page, "score"), "td"));
    const blocks = elementsOf(byId(page, "report")).filter(
      (one) => isBlockOfText(one) && !drawn.has(one),
    );
    expect(blocks.length).toBeGreaterThan(100);
    expect(blocks.filter((one) => isUnseen(textOf(one))).map((one) => serializeOuter(one))).toEqual(
      [],
    );
  });

  it.each(UNSEEN)("has no empty Markdown marks if all texts are %j", (text) => {
    const markdown = markdownOf(aFullReport(text));
    expect(markdown).not.toMatch(/\*{4}|^ *[->] *$|^#+ *$|\[\]/m);
    expect(markdown).toContain("## What crawlers may do\n\n- Training\n\n| Use |");
    expect(markdown).toContain("### 3. https\n");
    expect(markdown.match(/There is no prompt for this fix/g)).toHaveLength(2);
    expect(markdown).toContain("[https\\://example.com/page](https://example.com/page)");
  });
});

describe("starter files", () => {
  const { enrichment } = aFullReport();
  const noState = { enrichment: { ...enrichment!, starterFiles: null } };
  const withFiles = (starterFiles: Report["starterFiles"], isInPlan: boolean) => {
    const { access } = aFullReport();
    return aFullReport("x", {
      ...noState,
      access: { ...access, starterFiles: isInPlan },
      starterFiles,
    });
  };

  it.each<[string, Report, string]>([
    ["in the plan, of a scan without any", withFiles(null, true), "None for this scan"],
    ["in the plan, of a scan with an empty list", withFiles({}, true), "None for this scan"],
    ["there, with no word on their state", withFiles({ a: 1 }, true), "Shown below"],
  ])("%s", (_, report, words) => {
    expect(textOf(byId(pageOf(report), "enrichment"))).toContain(`Starter files ${words}`);
    expect(markdownOf(report)).toContain(`- Starter files: ${words}\n`);
  });

  it("have no state in words where the plan does not include them", () => {
    const report = withFiles(null, false);
    expect(textOf(byId(pageOf(report), "enrichment"))).not.toContain("Starter files");
    expect(markdownOf(report)).not.toContain("- Starter files:");
  });

  it("have no section if there are none", () => {
    const report = aFullReport("x", { starterFiles: {} });
    expect(idsOf(report)).not.toContain("starter-files");
    expect(markdownOf(report)).not.toContain("## Starter files");
  });
});

describe("a report by another scoring version", () => {
  const cardOf = (scoreVersion: string) => {
    const { scan, ...report } = aFullReport();
    const page = pageOf({ ...report, scan: { ...scan, scoreVersion } });
    const [card] = byClass(page, "card");
    const bands = all(byClass(card!, "track")[0]!, "rect").map((one) => attributeOf(one, "class"));
    return [attributeOf(card!, "class"), bands, byClass(card!, "legend").length];
  };

  it("has neither the colours nor the bounds of the current bands, and says why", () => {
    expect(cardOf(CONTEXT.rubric.version)).toEqual(["card level-3", ["level-0", "level-3"], 1]);
    expect(cardOf("2025.1")).toEqual(["card level-none", ["level-none"], 0]);
    const { scan, ...report } = aFullReport();
    const older = { ...report, scan: { ...scan, scoreVersion: "2025.1" } };
    expect(textOf(byClass(pageOf(older), "card")[0]!)).toContain(
      "Scored with version 2025.1, so today’s bands and comparisons do not apply.",
    );
  });

  it("does not link checks that are not in the methodology", () => {
    const report = aFullReport("x", {
      checks: [aCheck(), aCheck({ checkId: "dropped", label: "Dropped" })],
      fixes: { data: [], total: 0, limit: 0, hidden: 0 },
    });
    const checks = byId(pageOf(report), "checks");
    expect(all(checks, "a").map((link) => attributeOf(link, "href"))).toEqual(["../checks/https"]);
    const failed = aFullReport("x", {
      checks: [aCheck({ checkId: "dropped", status: "fail" })],
    });
    expect(textOf(byId(pageOf(failed), "check-dropped"))).not.toContain("How it is judged");
  });
});
