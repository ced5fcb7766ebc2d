import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { markdownText, oneLine } from "../../../src/pages/kit/escape.js";
import { html } from "../../../src/pages/kit/html.js";
import { markdownOf } from "../../../src/pages/kit/markdown.js";
import { fixTask, reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { anyText, HOSTILE, UNSEEN } from "../hostile.js";
import { all, attributeOf, byClass, parsedPage, textsIn } from "../parsed.js";
import { aFullReport, CONTEXT, reportsOf } from "../reports.js";
import { lost, reportOf } from "./outlook-reports.js";

const markdownOfReport = (report: Report) => reportMarkdown(report, CONTEXT);

/** The lines that begin something: headings, items, rows, fences, quotes, rules. */
function skeletonOf(markdown: string): string[] {
  let fence = "";
  const lines: string[] = [];
  for (const line of markdown.split("\n")) {
    const [, mark = ""] = /^\s*(`{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (line.trim() === fence) {
        lines.push("end of code");
        fence = "";
      }
    } else if (mark !== "") {
      fence = mark;
      lines.push("code");
    } else {
      const [begin = "text"] = /^\s*(?:#+ |- |> |\| |---$|$)/.exec(line) ?? [];
      const cells = begin === "| " ? (line.match(/(?<!\\)\|/g)?.length ?? 0) : "";
      lines.push(`${begin}${cells}`);
    }
  }
  return lines;
}

describe("a report in Markdown", () => {
  const full = markdownOfReport(aFullReport());

  it("has the sections of the page, and all that they say", () => {
    const page = parsedPage(reportPage(aFullReport(), CONTEXT));
    const shown = all(page, "section").filter((one) => attributeOf(one, "id") !== "share");
    expect(full.split("\n").filter((line) => line.startsWith("## "))).toEqual(
      shown.map((one) => `## ${textsIn(all(one, "h2")[0]!).join("")}`),
    );
    const said = full.replace(/\\(.)/g, "$1");
    const texts = shown.flatMap(textsIn).flatMap((text) => text.split("\n").map(oneLine));
    expect(texts.length).toBeGreaterThan(150);
    // A folded text has no title in a cell.
    for (const text of texts.filter((one) => one !== "Original text")) expect(said).toContain(text);
  });

  it("begins with the score and the site's name, and ends with the ways on", () => {
    expect(full).toMatch(
      /^# example\.com: 63 of 100\n\n\*\*A text\*\*\n\nexample\.com scores 63 of/,
    );
    expect(full).toContain("[as JSON](https://api.directory.example/api/sites/example.com/report)");
    expect(full).toContain("has the id `new`.");
    expect(full).toMatch(/[^\n]\n$/);
    expect(full).not.toMatch(/\n{3}|undefined|NaN|\bnull\b|\[object/);
  });

  it("has tables, lists, blocks and links of its own, and the details of passed checks", () => {
    for (const block of [
      "| GPTBot, ClaudeBot | Not observed | A text A text, for `A text`: [https\\://example.com/page](https://example.com/page) `A text` `Disallow: /` |",
      "| Core checks | 45.5 | 60 |",
      "| A text A text |  |  |",
      "| [1 June 2026](https://directory.example/sites/example.com?scan=old) | 40 of 100 | Closed | 2026.1 |",
      "**Prompt**\n\n```text\nA text\n```",
      "- Starter files: Delayed, next try not before 9 August 2026, 04:00 UTC",
      "- Login: Yes\n  - [https\\://example.com/page](https://example.com/page)",
      "[All of it as a task for a coding agent](https://directory.example/sites/example.com/fix.md)",
    ]) {
      expect(full).toContain(block);
    }
    const fixes = { data: [], total: 0, limit: 0, hidden: 0 };
    expect(markdownOfReport(aFullReport("A text", { fixes }))).toContain("  - Said: A text");
  });

  it("has the same blocks for hostile texts as for harmless ones", () => {
    const benign = skeletonOf(markdownOfReport(aFullReport("Text")));
    const texts = anyText.map((text) => `x ${text}`.slice(0, 120).replace(/\s+/g, " "));
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletonOf(markdownOfReport(aFullReport(text)))).toEqual(benign);
      }),
      { numRuns: 60, examples: HOSTILE.map((text) => [`x ${text.replace(/\s+/g, " ")}`]) },
    );
  });

  it.each(HOSTILE)("has %j as a text wherever it stands, and no drawing", (text) => {
    const view = html`<h3>${text}</h3><p>${text}</p><svg><text>drawn</text></svg><ul><li><bdi>${text}</bdi></li></ul>`;
    const escaped = markdownText(text);
    expect(markdownOf(view)).toBe([`### ${escaped}`, escaped, `- ${escaped}`].join("\n\n"));
  });

  it.each(UNSEEN)("has no empty marks if all texts are %j", (text) => {
    expect(markdownOfReport(aFullReport(text))).not.toMatch(/\*{4}|^ *[->] *$|^#+ *$|\[\]/m);
  });

  it("keeps a prompt of several lines in its block, whatever fences it has", () => {
    const prompt = "First\n```sh\nrm -rf x\n```\n# Not a heading\n````\n";
    const { latest } = reportsOf(
      { entitlements: { fixPrompts: null } },
      { fixes: [{ ...aFullReport().fixes.data[0]!, prompt }] },
    );
    expect(markdownOfReport(latest)).toContain(`\`\`\`\`\`text\n${prompt}\`\`\`\`\``);
  });

  it("puts a block of an item below it", () => {
    const view = html`<dl><dt>A</dt><dd><pre># One\n- two</pre></dd><dt>B</dt><dd>c<ul><li>d</li></ul></dd></dl>`;
    expect(markdownOf(view)).toBe("- A:\n\n  ```text\n  # One\n  - two\n  ```\n- B: c\n  - d");
  });
});

describe("a report as a task for a coding agent", () => {
  const failing = reportOf(
    [lost("Sitemap", 0, 20), lost("Titles", 5, 10)],
    [{ checkId: "check-0", prompt: "Write a sitemap.", recoverablePoints: 20 }],
  );
  const fine = reportOf([{ label: "HTTPS", status: "pass", points: 100, maxPoints: 100 }]);

  it("is what the twin says to do, with rules before it", () => {
    const task = fixTask(failing, CONTEXT);
    expect(task.split("\n").filter((line) => /^##?#? /.test(line))).toEqual([
      "# Make example.com readable to AI crawlers",
      "## How to work",
      "## What to do",
      "### Sitemap",
      "### Titles",
    ]);
    expect(task).toContain("**Prompt**\n\n```text\nWrite a sitemap.\n```");
    expect(task).toContain(
      "The scan of 1 August 2026 gave 5 of 100: [the whole report](https://directory.example/sites/example.com).",
    );
    const [, items = "?"] = /## What to do\n\n([\s\S]*)\n$/.exec(task) ?? [];
    expect(markdownOfReport(failing)).toContain(`${items}\n\n### How a coding agent does it`);
  });

  it("is one click from a page that shows faults, and from no other page", () => {
    const linksOf = (report: Report) => byClass(parsedPage(reportPage(report, CONTEXT)), "task");
    const [link] = all(linksOf(failing)[0]!, "a");
    expect(attributeOf(link!, "href")).toBe("example.com/fix.md");
    const scan = { ...failing.scan, historical: true };
    for (const other of [{ ...failing, scan }, fine]) {
      expect(linksOf(other)).toEqual([]);
      expect(markdownOfReport(other)).not.toMatch(/fix\.md|coding agent/);
    }
  });

  it("says why there is nothing to fix", () => {
    expect(fixTask(fine, CONTEXT)).toBe(
      "# Nothing to fix on example.com\n\nThe scan of 1 August 2026 gave 100 of 100: [the whole report](https://directory.example/sites/example.com).\n",
    );
    const { latest } = reportsOf({}, { score: null, status: "moved", block1: null, block2: null });
    const moved = fixTask({ ...latest, checks: [] }, CONTEXT);
    expect(moved).toMatch(/^# Nothing to fix on example\.com\n\n\*\*Redirected: no score\.\*\*/);
    expect(moved).toContain("gave no score: ");
  });
});
