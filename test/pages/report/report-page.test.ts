import { describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import type { Report } from "../../../src/contract/report.js";
import { all, attributeOf, byClass, byId, elementsOf, textOf } from "../parsed.js";
import { aFullReport, linkedDataOf, pageOf } from "../reports.js";

describe("a report's page", () => {
  const full = pageOf(aFullReport());
  const section = (id: string) => textOf(byId(full, id));

  it("shows the score with its band's name and colour, and its place among all bands", () => {
    const card = byClass(full, "card")[0]!;
    expect(attributeOf(card, "class")).toBe("card level-3");
    expect(textOf(card)).toMatch(/^Score: 63 of 100 Open /);
    const [track] = byClass(card, "track");
    expect(all(track!, "rect").map((one) => attributeOf(one, "width"))).toEqual(["49.5%", "50.5%"]);
    // A score has a step of its own: 63.5 of 101.
    expect(all(track!, "svg").map((one) => attributeOf(one, "x"))).toEqual([null, "62.9%"]);
    const bands = all(byClass(card, "legend")[0]!, "li");
    expect(bands.map((one) => [textOf(one), attributeOf(one, "aria-current")])).toEqual([
      ["Closed 0–49", null],
      ["Open 50–100", "true"],
    ]);
  });

  it("shows the change since the last scan of the same scoring version, and none to a scan of another", () => {
    const changeOf = (changes: Partial<Report>) =>
      byClass(pageOf(aFullReport("x", changes)), "change").map(textOf);
    expect(changeOf({})).toEqual(["+23 since the scan of 1 June 2026"]);
    const [own, before, ...others] = aFullReport().history!;
    expect(changeOf({ history: [own!, { ...before!, score: 63 }] })).toEqual([
      "No change since the scan of 1 June 2026",
    ]);
    expect(changeOf({ history: [own!, { ...before!, score: 70 }] })).toEqual([
      "−7 since the scan of 1 June 2026",
    ]);
    expect(changeOf({ history: [own!, ...others] })).toEqual([]);
    expect(changeOf({ history: [own!, { ...before!, score: null }] })).toEqual([]);
  });

  it("has a square for every check, which leads to it and says how it came out", () => {
    const [strip] = byClass(full, "strip");
    expect(textOf(strip!)).toMatch(
      /^Scored checks: 1 in part, 1 passed\. Penalties: 1 found\. Extras: 1 not applicable\. /,
    );
    const squares = all(strip!, "a").map((one) => [
      attributeOf(one, "class"),
      attributeOf(one, "href"),
      attributeOf(one, "title"),
      textOf(one),
    ]);
    expect(squares).toEqual([
      ["warn", "#check-sitemap", "HTTPS: in part", "HTTPS: in part"],
      ["pass", "#check-https", "A text: passed", "A text: passed"],
      ["fail", "#check-bot-wall", "HTTPS: found", "HTTPS: found"],
      ["none", "#check-mcp", "HTTPS: not applicable", "HTTPS: not applicable"],
    ]);
  });

  it("names up to eight checks beside their signs, and only the kinds that it has", () => {
    const report = aFullReport();
    const [usual] = report.checks;
    const stripOf = (count: number) => {
      const checks = Array.from({ length: count }, (_, at) => ({ ...usual!, checkId: `c${at}` }));
      return byClass(pageOf({ ...report, checks }), "strip")[0]!;
    };
    expect(byClass(stripOf(8), "named")).toHaveLength(1);
    expect(byClass(stripOf(9), "named")).toEqual([]);
    expect(textOf(stripOf(9))).toMatch(/^Scored checks: 9 passed\. A text: passed/);
  });

  it("counts what the excerpt omits apart from its checks", () => {
    const strip = byClass(pageOf(aFullReport(), { checks: { more: 3, of: 7 } }), "strip")[0]!;
    expect(textOf(strip)).toContain("Extras: 1 not applicable. 3 more in the JSON. ");
  });

  it("shows the parts of the score, with the rubric's maximum of each", () => {
    expect(section("score")).toContain("Core checks 45.5 60");
    expect(section("score")).toContain("Further checks 27.5 40");
    expect(section("score")).toContain("Penalties −10 —");
    expect(section("score")).toContain("Score 63 100");
    expect(section("score")).not.toContain("Capped");
    expect(section("score")).toContain("Not earned: 27 points");
    const bar = all(byId(full, "score"), "rect").map((one) => [
      ...["class", "x", "width"].map((name) => attributeOf(one, name)),
    ]);
    expect(bar).toEqual([
      ["part-block1", "0%", "45.5%"],
      ["part-block2", "45.5%", "17.5%"],
      ["part-penalties", "63%", "10%"],
      ["part-lost", "73%", "27%"],
    ]);
  });

  it("begins with what to do: what did not pass and what has a fix, the costliest first", () => {
    const items = all(byId(full, "fixes"), "li").map((one) => attributeOf(one, "id"));
    expect(items).toEqual(["check-sitemap", "check-bot-wall", "check-https"]);
    const outcomes = byClass(byId(full, "fixes"), "check-head").map(textOf);
    expect(outcomes).toEqual([
      "HTTPS In part −37.5 points Fixed: HTTPS",
      "HTTPS Found −10 points",
      "A text Passed",
    ]);
    expect(section("fixes")).toContain("2 things to improve, worth up to 37 points.");
    expect(section("fixes")).toContain("Optional: these bring no points A text Passed");
  });

  it("counts extras among those that apply, and tells no check that does not apply as a loss", () => {
    const report = aFullReport();
    const [usual] = report.checks;
    const extra = { ...usual!, kind: "capability", block: null, points: 0, maxPoints: 0 } as const;
    const page = pageOf({
      ...report,
      fixes: { data: [], total: 0, limit: 0, hidden: 0 },
      checks: [
        { ...usual!, checkId: "a", status: "na", points: 0, maxPoints: 40 },
        { ...usual!, checkId: "b", status: "na", points: 2, maxPoints: 2 },
        { ...extra, checkId: "c", status: "pass" },
        { ...extra, checkId: "d", status: "fail" },
        { ...extra, checkId: "e", status: "na" },
      ],
    });
    expect(textOf(byClass(page, "strip")[0]!)).toMatch(
      new RegExp(
        "^Scored checks: 0 passed, 2 not applicable\\. " +
          "Extras: 1 not offered, 1 offered, 1 not applicable\\. 1 check passed in all\\. ",
      ),
    );
    const groups = all(byId(page, "checks"), "details").map(textOf);
    expect(groups[0]).toMatch(/40 points do not apply.*2 of 2 points/);
    expect(groups[1]).toContain("1 of 2 offered");
    const one = pageOf({ ...report, checks: [{ ...extra, status: "pass" }] });
    expect(textOf(byClass(one, "strip")[0]!)).toMatch(
      /^Extras: 1 offered\. 1 check passed in all\. /,
    );
  });

  it("says how many of the scan’s requests the report has, unless it has all", () => {
    const report = aFullReport();
    const requests = (requestCount: number) => {
      const scan = { ...report.scan, stats: { ...report.scan.stats, requestCount } };
      return textOf(byId(pageOf({ ...report, scan }), "observations"));
    };
    expect(requests(14)).toContain("Listed here: 1 of the 14 requests.");
    expect(requests(1)).not.toContain("Listed here");
  });

  it("folds all other checks, one line each", () => {
    const checks = byId(full, "checks");
    const groups = all(checks, "details");
    expect(groups.map((one) => attributeOf(one, "open"))).toEqual([null]);
    expect(textOf(groups[0]!)).toBe(
      "Extras, which add no points: none appliesHTTPS Not applicable Served over HTTPS Experimental: " +
        "it adds no points.",
    );
    const passed = aFullReport("x", { fixes: { data: [], total: 0, limit: 0, hidden: 0 } });
    const lines = all(byId(pageOf(passed), "checks"), "details").map(textOf);
    expect(lines[0]).toBe("1 achievement passedx x 60 of 60 points");
    // A fix that the plan hides is of a check that does not apply, so it is not worth a word.
    const fixes = { data: [], total: 1, limit: 0, hidden: 1 };
    const nothing = pageOf({ ...passed, checks: passed.checks.slice(0, 1), fixes });
    expect(textOf(byId(nothing, "fixes"))).toBe(
      "What to do No check of this report says why the score is below 100.",
    );
  });

  it("has the fixes that the plan includes, with their prompts, and says how many it hides", () => {
    expect(section("fixes")).toContain(
      "2 fixes are known. The first is shown; 1 more is hidden by this listing’s plan.",
    );
    expect(section("fixes")).toContain("+37 points, to 100 of 100");
    expect(section("fixes")).toContain("There is no prompt for this fix.");
    expect(textOf(byId(full, "prompt-1"))).toBe("A text");
  });

  it("says that a plan includes no fixes, and says nothing if none are known", () => {
    const report = aFullReport();
    const fixes = (changes: object) =>
      pageOf({ ...report, fixes: { ...report.fixes, ...changes } });
    const none = fixes({ data: [], total: 3, limit: 0, hidden: 3 });
    expect(textOf(byId(none, "fixes"))).toContain(
      "2 fixes are known, but this listing’s plan does not show them.",
    );
    const one = fixes({ data: [], total: 1, limit: 0, hidden: 1 });
    expect(textOf(byId(one, "fixes"))).toContain(
      "1 fix is known, but this listing’s plan does not show it.",
    );
    const all = fixes({ total: report.fixes.data.length, hidden: 0 });
    expect(textOf(byId(all, "fixes"))).not.toMatch(/known|hidden/);
    const unknown = fixes({ data: [], total: 0, hidden: 0 });
    expect(textOf(byId(unknown, "fixes"))).not.toMatch(/fix|hidden/);
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
      "1 content page sampled. The sample is partial. The sample ended early: A text.",
    );
    expect(section("observations")).toContain(
      "Home pagehttps://example.com/page → https://example.com/page/ 200",
    );
    expect(section("observations")).toContain("54.8 kB 1.2 s 1 Plain");
    const empty = { version: 1, completeness: "empty" as const, pages: [] };
    const none = { ...empty, stopped: "no homepage" };
    expect(textOf(byId(pageOf(aFullReport("x", { pages: none })), "pages"))).toBe(
      "Sampled pages No page could be sampled. The sample ended early: no homepage.",
    );
    expect(section("profile")).toContain("Login Yeshttps://example.com/page");
    expect(section("enrichment")).toContain(
      "Delayed, next try not before 9 August 2026, 04:00 UTC",
    );
    expect(section("starter-files")).toContain("These drafts are ready to use. /llms.txt A text");
    expect(section("prerender")).toContain("Platform: Lovable. Markdown on request: yes.");
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
    expect(linkedDataOf(full)).toMatchObject({
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
      expect(address).toMatch(
        /^(?:\.\.\/(?:assets\/[\w./-]+|favicon\.ico|apple-touch-icon\.png)|example\.com\/badge\.svg)$/,
      );
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
});
