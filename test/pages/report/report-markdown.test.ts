import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { anyText, HOSTILE } from "../hostile.js";
import { aFullReport, CONTEXT, reportsOf } from "../reports.js";

const markdownOf = (report: Report) => reportMarkdown(report, CONTEXT);

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
  const full = markdownOf(aFullReport());

  it("says everything that the page says", () => {
    expect(full.split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# example.com: 63 of 100",
      "## Score",
      "## Rendering for crawlers",
      "## What to do",
      "### 1. HTTPS",
      "### 2. HTTPS",
      "### 3. A text",
      "### How a coding agent does it",
      "## Checks",
      "### Core checks",
      "### Further checks",
      "### Penalties",
      "### Extras",
      "## What crawlers may do",
      "## Sampled pages",
      "## Observations",
      "## Observed features",
      "## History",
      "## Generated content",
      "## Starter files",
    ]);
    for (const line of [
      "- Score: 63 of 100 (Open)",
      "| Core checks | 45.5 | 60 |",
      "| Penalties | −10 | — |",
      "2 fixes are known. The first is shown; 1 more is hidden by this listing’s plan.",
      "```text\nA text\n```",
      "There is no prompt for this fix.",
      "The same [as a task alone](https://directory.example/sites/example.com/fix.md).",
      "- **A text**: Passed, 60 of 60 points. A text. A text",
      "  - Experimental: it adds no points",
      "| A text | `GPTBot`, `ClaudeBot` | Not observed | A text | A text, for `A text`: " +
        "[https\\://example.com/page](https://example.com/page) | `A text` `Disallow: /` |",
      "| 9 August 2026 (this one) | 63 of 100 | Open | 2026.1 |",
      "| [1 June 2026](https://directory.example/sites/example.com/report.md?scan=old) | 40 of 100 | Closed | 2026.1 |",
      "| [1 May 2026](https://directory.example/sites/example.com/report.md?scan=failed) | No score | — | — |",
      "- Starter files: Delayed, next try not before 9 August 2026, 04:00 UTC",
      "[as JSON](https://api.directory.example/api/sites/example.com/report)",
    ]) {
      expect(full).toContain(line);
    }
    expect(full).toMatch(/[^\n]\n$/);
    expect(full).not.toMatch(/\n{3}|undefined|NaN|\bnull\b|\[object/);
  });

  it("has the same blocks for hostile texts as for harmless ones", () => {
    const benign = skeletonOf(markdownOf(aFullReport("Text")));
    const texts = anyText.map((text) => `x ${text}`.slice(0, 120).replace(/\s+/g, " "));
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletonOf(markdownOf(aFullReport(text)))).toEqual(benign);
      }),
      { numRuns: 10, examples: HOSTILE.map((text) => [`x ${text.replace(/\s+/g, " ")}`]) },
    );
  });

  it("keeps a prompt of several lines in its block, whatever fences it has", () => {
    const prompt = "First\n```sh\nrm -rf x\n```\n# Not a heading\n````\n";
    const { latest } = reportsOf(
      { entitlements: { fixPrompts: null } },
      { fixes: [{ ...aFullReport().fixes.data[0]!, prompt }] },
    );
    expect(markdownOf(latest)).toContain(`\`\`\`\`\`text\n${prompt}\`\`\`\`\``);
  });

  it("puts a long text of a free-form object into a block below its item", () => {
    const markdown = markdownOf(aFullReport("x", { starterFiles: { text: "# One\n- two" } }));
    expect(markdown).toContain("- Text:\n\n  ```text\n  # One\n  - two\n  ```\n");
  });
});
