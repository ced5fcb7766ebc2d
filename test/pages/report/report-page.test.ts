import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import type { Report } from "../../../src/contract/report.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { anyText } from "../hostile.js";
import { all, attributeOf, byId, elementsOf, parsedPage, skeletonOf, textOf } from "../parsed.js";
import { aFullReport, CONTEXT } from "../reports.js";

const pageOf = (report: Report) => parsedPage(reportPage(report, CONTEXT));
const gaugeOf = (report: Report) =>
  all(pageOf(report), "svg").find((svg) => attributeOf(svg, "class") === "gauge")!;

describe("a report's page", () => {
  const full = pageOf(aFullReport());
  const section = (id: string) => textOf(byId(full, id));

  it("shows the score with its band, in the gauge and in words", () => {
    const gauge = gaugeOf(aFullReport());
    expect(attributeOf(gauge, "aria-label")).toBe("Score: 63 of 100, band Open");
    expect(textOf(gauge)).toContain("63");
    const [value] = all(gauge, "path").filter((path) => attributeOf(path, "stroke-dasharray"));
    expect(attributeOf(value!, "stroke-dasharray")).toBe("63 200");
    expect(textOf(byId(full, "report"))).toContain("Open");
  });

  it("shows the parts of the score, with the rubric's maximum of each", () => {
    expect(section("score")).toContain("Block 1 45.5 60");
    expect(section("score")).toContain("Block 2 27.5 40");
    expect(section("score")).toContain("Penalties −10 —");
    expect(section("score")).toContain("Score 63 100");
    expect(section("score")).not.toContain("Capped");
  });

  it("explains a cap", () => {
    const report = aFullReport();
    const capped = { ...report, scan: { ...report.scan, score: 25, cappedAt: 25 } };
    const text = textOf(byId(pageOf(capped), "score"));
    expect(text).toContain(
      "The score is capped at 25: the homepage gave a crawler without a browser nothing",
    );
  });

  it("has every check in its group, with its status and points", () => {
    const checks = byId(full, "checks");
    expect(all(checks, "h3").map(textOf)).toEqual([
      "Block 1",
      "Block 2",
      "Penalties",
      "Capabilities",
    ]);
    const outcomes = elementsOf(checks)
      .filter((one) => attributeOf(one, "class") === "outcome")
      .map(textOf);
    expect(outcomes).toEqual([
      "Passed 60 of 60 points",
      "In part 2.5 of 40 points",
      "Found −10 points",
      "Not applicable",
    ]);
    expect(textOf(byId(full, "check-mcp"))).toContain("Experimental: it adds no points");
  });

  it("has the fixes that the plan includes, with their prompts, and says how many it hides", () => {
    expect(section("fixes")).toContain(
      "3 fixes are known. The first 2 are shown; 1 more is hidden by this listing's plan.",
    );
    expect(section("fixes")).toContain("+40 points, to 100 of 100");
    expect(section("fixes")).toContain("There is no prompt for this fix.");
    expect(textOf(byId(full, "prompt-1"))).toBe("A text");
  });

  it("says that a plan includes no fixes, and says nothing if none are known", () => {
    const report = aFullReport();
    const fixes = (changes: object) =>
      pageOf({ ...report, fixes: { ...report.fixes, ...changes } });
    const none = fixes({ data: [], total: 3, limit: 0, hidden: 3 });
    expect(textOf(byId(none, "fixes"))).toContain("includes none of them: 3 are hidden");
    const unknown = fixes({ data: [], total: 0, hidden: 0 });
    expect(elementsOf(unknown).map((one) => attributeOf(one, "id"))).not.toContain("fixes");
  });

  it("has a table of what each crawler may do, each cell with its heading", () => {
    const [table] = all(byId(full, "access"), "table");
    expect(all(table!, "th").map((th) => attributeOf(th, "scope"))).toEqual([
      "col",
      "col",
      "col",
      "rowgroup",
    ]);
    expect(textOf(table!)).toContain("GPTBot ClaudeBot Not observed A text");
  });

  it("has the sampled pages, the observations, the profile and the generated content", () => {
    expect(section("pages")).toContain(
      "1 content page sampled. The sample is partial. It ended early: A text.",
    );
    expect(section("observations")).toContain(
      "Homehttps://example.com/page → https://example.com/page/ 200",
    );
    expect(section("observations")).toContain("54.8 kB 1.2 s 1 Plain");
    expect(section("profile")).toContain("Observed yes");
    expect(section("enrichment")).toContain(
      "Delayed, next try not before 9 August 2026, 04:00 UTC",
    );
    expect(section("starter-files")).toContain("/llms.txt");
    expect(section("prerender")).toContain("Platform: Lovable. Markdown on request: yes.");
  });

  it("draws the history without a point for a scan without a score, and has it as a table", () => {
    const history = byId(full, "history");
    const [chart] = all(history, "svg");
    expect(all(chart!, "circle").length).toBe(3);
    const lost = all(chart!, "path").filter((path) => attributeOf(path, "class") === "dot-none");
    expect(lost.map(textOf)).toEqual(["1 May 2026: No score"]);
    // A missing score and another scoring version part the line.
    expect(
      all(chart!, "polyline").map((line) => attributeOf(line, "points")?.split(" ").length),
    ).toEqual([2]);
    const rows = all(history, "tr").slice(1).map(textOf);
    expect(rows).toEqual([
      "9 August 2026 (this one) 63 of 100 Open 2026.1",
      "1 June 2026 40 of 100 Closed 2026.1",
      "1 May 2026 No score — —",
      "1 April 2026 0 of 100 Poor 2025.1",
    ]);
    const links = all(history, "a").map((link) => attributeOf(link, "href"));
    expect(links).toEqual(["old", "failed", "older"].map((scan) => `example.com?scan=${scan}`));
  });

  it("connects no scores of different scoring versions in the chart, nor across a scan without a score", () => {
    const entry = (id: string, score: number | null, scoreVersion: string | null) => ({
      ...{ id, score, scoreVersion, band: null },
      finishedAt: `2026-0${id}-01T00:00:00Z`,
    });
    const linesOf = (...history: ReturnType<typeof entry>[]) =>
      all(byId(pageOf(aFullReport("x", { history })), "history"), "polyline").map(
        (line) => attributeOf(line, "points")?.split(" ").length,
      );
    const [a, b] = [entry("4", 40, "2"), entry("3", 30, "2")];
    expect(linesOf(a, b)).toEqual([2]);
    expect(linesOf(a, b, entry("2", 20, "1"), entry("1", 10, "1"))).toEqual([2, 2]);
    expect(linesOf(entry("3", 1, null), entry("2", null, null), entry("1", 2, null))).toEqual([]);
  });

  it("names its canonical address, its other formats, and its machine-readable description", () => {
    const links = all(full, "link").map((link) => [
      attributeOf(link, "rel"),
      attributeOf(link, "type"),
      attributeOf(link, "href"),
    ]);
    expect(links.slice(0, 3)).toEqual([
      ["canonical", null, "https://directory.example/sites/example.com"],
      ["alternate", "text/markdown", "example.com/report.md"],
      ["alternate", "application/json", "../api/sites/example.com/report"],
    ]);
    const meta = (name: string) =>
      all(full, "meta").find((one) =>
        [attributeOf(one, "property"), attributeOf(one, "name")].includes(name),
      );
    expect(attributeOf(meta("og:url")!, "content")).toBe(
      "https://directory.example/sites/example.com",
    );
    expect(attributeOf(meta("og:title")!, "content")).toBe(
      "A text (example.com): 63 of 100 for crawler readiness",
    );
    expect(meta("robots")).toBeUndefined();
    const [data] = all(full, "script").filter(
      (one) => attributeOf(one, "type") === "application/ld+json",
    );
    const [text] = data!.childNodes as { value?: string }[];
    expect(JSON.parse(text?.value ?? "")).toMatchObject({
      "@type": "WebPage",
      mainEntity: { reviewRating: { ratingValue: 63, bestRating: 100, worstRating: 0 } },
    });
  });

  it("loads nothing from elsewhere, and has neither inline script nor inline style", () => {
    const loaded = elementsOf(full).flatMap((one) => [
      attributeOf(one, "src"),
      one.tagName === "link" && /stylesheet|icon/.test(attributeOf(one, "rel") ?? "")
        ? attributeOf(one, "href")
        : null,
    ]);
    for (const address of loaded.filter((one) => one !== null))
      expect(address).toMatch(/^\.\.\/assets\/[\w./-]+$/);
    expect(
      elementsOf(full)
        .flatMap(({ attrs }) => attrs.map(({ name }) => name))
        .filter((name) => /^on|^style$/.test(name)),
    ).toEqual([]);
    expect(all(full, "style")).toEqual([]);
    expect(
      all(full, "script").map((one) => attributeOf(one, "src") ?? attributeOf(one, "type")),
    ).toEqual([`../assets/${SCRIPTS.watch.name}`, "application/ld+json"]);
  });

  it("has one first-level heading, skips no level, and has no id twice", () => {
    const levels = elementsOf(full).flatMap(({ tagName }) =>
      /^h[1-6]$/.test(tagName) ? [Number(tagName[1])] : [],
    );
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    for (const [place, level] of levels.entries())
      expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1);
    const ids = elementsOf(full).flatMap((one) => attributeOf(one, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of all(full, "a")) {
      const address = attributeOf(link, "href") ?? "";
      if (address.startsWith("#")) expect(ids).toContain(address.slice(1));
    }
  });
});

describe("a page of hostile texts", () => {
  const benign = skeletonOf(pageOf(aFullReport("Text")));

  it("has the same elements and attributes as a page of harmless texts", () => {
    const texts = anyText.map((text) => `x ${text}`.slice(0, 120).replace(/\s+/g, " "));
    fc.assert(
      fc.property(texts, (text) => {
        expect(skeletonOf(pageOf(aFullReport(text)))).toEqual(benign);
      }),
      { numRuns: 60 },
    );
  });

  it("links only to http and https addresses, whatever addresses the report has", () => {
    const bad = "javascript:alert(1)";
    const report = aFullReport();
    const page = pageOf({
      ...report,
      site: { ...report.site, url: bad },
      observations: report.observations.map((one) => ({
        ...one,
        url: bad,
        finalUrl: "data:text/html,x",
      })),
      profile: { evidence: [bad] },
      accessPolicy: { ...report.accessPolicy!, url: bad },
      prerender: { ...report.prerender!, sources: [{ label: "x", url: bad }] },
    });
    const addresses = all(page, "a").map((link) => attributeOf(link, "href") ?? "");
    expect(
      addresses.filter(
        (address) =>
          !/^(?:https?:\/\/|#|example\.com|\.\.\/(?:api$|api\/|standards|$))/.test(address),
      ),
    ).toEqual([]);
    expect(textOf(page)).toContain(bad);
  });

  it("shows a deep object with any keys as text, down to a limit", () => {
    let deep: object = { "</dd><script>": "</script>" };
    for (let level = 0; level < 190; level += 1) deep = { a: deep };
    const page = pageOf(aFullReport("x", { profile: deep as Report["profile"] }));
    expect(all(page, "script").length).toBe(2);
    expect(textOf(byId(page, "profile"))).toContain("</dd><script>");
  });
});
