import { describe, expect, it } from "vitest";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { fixTask } from "../../../src/pages/report/to-do.js";
import { all, attributeOf, parsedPage } from "../parsed.js";
import { aFullReport, CONTEXT, reportsOf } from "../reports.js";
import { lost, reportOf } from "./outlook-reports.js";

const taskLinks = (page: string) =>
  all(parsedPage(page), "a").filter((link) => attributeOf(link, "href") === "example.com/fix.md");

describe("a report as a task for a coding agent", () => {
  const failing = reportOf(
    [lost("Sitemap", 0, 20), lost("Titles", 5, 10)],
    [{ checkId: "check-0", prompt: "Write a sitemap.", recoverablePoints: 20 }],
  );

  it("names all faults in the report's order, each with its prompt if the plan shows it", () => {
    const task = fixTask(failing, CONTEXT);
    expect(task.split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# Make example.com readable to AI crawlers",
      "## How to work",
      "## What to do",
      "### 1. Sitemap",
      "### 2. Titles",
    ]);
    expect(task).toContain("```text\nWrite a sitemap.\n```");
    expect(task.match(/```text/g)).toHaveLength(1);
    expect(task).toContain(
      "The scan of 1 August 2026 gave 5 of 100: [the whole report](https://directory.example/sites/example.com).",
    );
  });

  it("has all of a failing report's twin that says what to do", () => {
    const twin = reportMarkdown(failing, CONTEXT);
    const [, items = "?"] = /## What to do\n\n([\s\S]*)\n$/.exec(fixTask(failing, CONTEXT)) ?? [];
    expect(twin).toContain(`## What to do\n\n${items}\n\n### How a coding agent does it`);
  });

  it("says nothing of the plan, which an agent cannot change", () => {
    const hidden = { ...aFullReport(), starterFiles: null, starterFilesOffer: true };
    expect(reportMarkdown(hidden, CONTEXT)).toContain("this listing’s plan");
    expect(fixTask(hidden, CONTEXT)).not.toMatch(/plan|hidden/);
  });

  it("is one click from a page that shows faults, and from no other page", () => {
    const [link] = taskLinks(reportPage(failing, CONTEXT));
    expect(attributeOf(link!, "data-copy")).toBe("Copy this list as one prompt");
    const scan = { ...failing.scan, historical: true };
    const fine = reportOf([{ label: "HTTPS", status: "pass", points: 100, maxPoints: 100 }]);
    for (const other of [{ ...failing, scan }, fine]) {
      expect(taskLinks(reportPage(other, CONTEXT))).toEqual([]);
      expect(reportMarkdown(other, CONTEXT)).not.toContain("fix.md");
    }
  });

  it("says why there is nothing to fix", () => {
    const fine = reportOf([{ label: "HTTPS", status: "pass", points: 100, maxPoints: 100 }]);
    expect(fixTask(fine, CONTEXT)).toBe(
      "# Nothing to fix on example.com\n\nThe scan of 1 August 2026 gave 100 of 100: [the whole " +
        "report](https://directory.example/sites/example.com).\n",
    );
    const { latest } = reportsOf({}, { score: null, status: "moved", block1: null, block2: null });
    const moved = fixTask({ ...latest, checks: [] }, CONTEXT);
    expect(moved).toMatch(/^# Nothing known to fix on example\.com\n\nRedirected: no score\./);
    expect(moved).toContain("gave no score: ");
  });
});
