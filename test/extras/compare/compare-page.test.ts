import { describe, expect, it } from "vitest";
import { comparePage } from "../../../src/extras/compare/compare-page.js";
import { comparedQuery, comparedTexts } from "../../../src/extras/compare/compared-query.js";
import { comparisonCsv } from "../../../src/extras/compare/comparison.js";
import {
  type ComparedSite,
  comparedChecks,
  comparedSite,
} from "../../../src/pages/report/comparison.js";
import { all, attributeOf, parsedPage, textOf } from "../../pages/parsed.js";
import { aFullReport, CONTEXT } from "../../pages/reports.js";

type Result = ComparedSite["checks"][number];
const check = (checkId: string, status: Result["status"], points = 0, more = {}): Result => ({
  checkId,
  status,
  points,
  label: checkId.toUpperCase(),
  kind: "achievement",
  maxPoints: 6,
  ...more,
});
const site = (host: string, checks: readonly Result[], scan = {}): ComparedSite => ({
  host,
  name: `Name of ${host}`,
  checks,
  scan: { ...comparedSite(aFullReport()).scan, ...scan },
});
const EXTRA = { kind: "capability", maxPoints: 0 };
const A = site("a.example", [
  check("https", "pass", 6),
  check("sitemap", "fail"),
  check("mcp", "pass", 0, EXTRA),
]);
const B = site("b.example", [
  check("https", "pass", 6),
  check("sitemap", "warn", 3),
  check("mcp", "fail", 0, EXTRA),
]);
const C = site("c.example", [check("sitemap", "na"), check("gone", "pass", 6)], { score: null });
const markupOf = (sites: readonly (ComparedSite | string)[], others: readonly string[] = []) =>
  comparePage(
    sites.map((one) => (typeof one === "string" ? [one, null] : [one.host, one])),
    others,
    CONTEXT,
  );
const pageOf = (sites: readonly (ComparedSite | string)[]) => parsedPage(markupOf(sites));
const rowsOf = (page: ReturnType<typeof pageOf>) =>
  all(page, "tr").map((row) => row.childNodes.map(textOf).filter((text) => text !== ""));

describe("the hosts of a comparison", () => {
  it.each([
    ["sites=a.example,b.example", ["a.example", "b.example"], []],
    ["sites=a.example&sites=b.example", ["a.example", "b.example"], []],
    ["sites=https://www.A.example/x?y, b.example%20a.example", ["a.example", "b.example"], []],
    ["sites=,,not a host,a,&other=b.example", [], ["not", "a", "host"]],
    ["sites=<script>,a.example", ["a.example"], ["<script>"]],
    ['sites=["a.example"]&sites=me@b.example,%26%25', [], ['["a.example"]', "me@b.example", "&%"]],
    ["", [], []],
  ])("of %j are %j; %j cannot be hosts", (query, hosts, others) => {
    const texts = comparedTexts(query);
    expect([texts.hosts, [...texts.others.keys()]]).toEqual([hosts, others]);
    const again = comparedTexts(comparedQuery([...hosts, ...others]));
    expect([again.hosts, [...again.others.keys()]]).toEqual([hosts, others]);
  });

  it("are twenty at most, of a text of any length", () => {
    const many = Array.from({ length: 30 }, (_, at) => `h${at}.example`);
    expect(comparedTexts(`sites=${many.join(",")}`).hosts).toEqual(many.slice(0, 20));
    const long = `${"x".repeat(600)}.example`;
    const { hosts, others } = comparedTexts(`sites=a.example,${long}`);
    expect([hosts, [...others]]).toEqual([["a.example"], [[long, 1]]]);
  });
});

it("texts that cannot be hosts are named above a comparison, five of them, and stay in the form", () => {
  const others = ['["a.example"]', "x".repeat(200), "3", "4", "5", "6", "7"];
  const page = parsedPage(markupOf([A], others));
  const notices = all(page, "p").filter((one) => attributeOf(one, "class") === "notice");
  expect(notices.map(textOf)).toEqual([
    `“["a.example"]”, “${"x".repeat(80)}…”, “3”, “4”, “5” and 2 other texts cannot be hosts, and are ` +
      "left out. Write a host such as example.org, or a web address.",
  ]);
  const [input] = all(page, "input").filter((one) => attributeOf(one, "name") === "sites");
  expect(input && attributeOf(input, "value")).toBe(["a.example", ...others].join(", "));
  expect(textOf(parsedPage(markupOf([A], ["one"])))).toContain(
    "“one” cannot be a host, and is left",
  );
});

describe("a comparison", () => {
  it("has what differs first, the most points before the others, then the methodology's order", () => {
    const found = comparedChecks([A, B], CONTEXT.checkIds);
    expect(found.map(({ id, isDifferent, spread }) => [id, isDifferent, spread])).toEqual([
      ["sitemap", true, 3],
      ["mcp", true, 0],
      ["https", false, 0],
    ]);
    const [, , , last] = comparedChecks([A, C], CONTEXT.checkIds);
    expect([last?.id, last?.isDifferent]).toEqual(["gone", true]);
  });

  it("shows each site's score, points and results", () => {
    const rows = rowsOf(pageOf([A, B, C]));
    expect(rows[1]).toEqual(["Score", `${A.scan.score}`, `${B.scan.score}`, "Not scored"]);
    expect(rows).toContainEqual(["Points earned", "6", "9", "—"]);
    expect(rows).toContainEqual(["SITEMAP", "no 0 of 6", "in part 3 of 6", "n/a"]);
    expect(rows).toContainEqual(["HTTPS", "yes 6 of 6", "yes 6 of 6", "Not checked"]);
    expect(rows).toContainEqual(["Different: 4 checks"]);
  });

  it("has no points of a site without a score", () => {
    expect(rowsOf(pageOf([C]))).toContainEqual(["GONE", "yes"]);
    const scored = site("c.example", C.checks);
    expect(rowsOf(pageOf([scored]))).toContainEqual(["GONE", "yes 6 of 6"]);
  });

  it("compares sites with results alone; the others have one cell for all checks of a group", () => {
    const withheld = site("w.example", [], { score: null });
    const groups = (sites: readonly ComparedSite[]) =>
      rowsOf(pageOf(sites))
        .flat()
        .filter((text) => /^(Different|The same|Checks$)/.test(text));
    expect(groups([A, B, withheld])).toEqual([
      "Different: 2 checks",
      "The same for all with results: 1 check",
    ]);
    expect(groups([A, B])).toEqual(["Different: 2 checks", "The same for all: 1 check"]);
    expect(groups([withheld, A])).toEqual(["Checks"]);
    const rows = rowsOf(pageOf([A, withheld, B]));
    expect(rows).toContainEqual(["SITEMAP", "no 0 of 6", "No results", "in part 3 of 6"]);
    expect(rows).toContainEqual(["MCP", "yes", "no"]);
    expect(rows).toContainEqual(["HTTPS", "yes 6 of 6", "No results", "yes 6 of 6"]);
    const spans = all(pageOf([A, withheld, B]), "td", "rowspan").map((cell) =>
      attributeOf(cell, "rowspan"),
    );
    expect(spans).toEqual(["2", "1"]);
  });

  it("marks what brings no points as optional, so that it never looks failed", () => {
    const spans = all(pageOf([A, B]), "span").filter((one) => textOf(one) === "no");
    const classes = spans.map((one) => attributeOf(one, "class"));
    // The first two are the legend's.
    expect(classes).toEqual(["fail", "fail extra", "fail", "fail extra"]);
  });

  it("lets long hosts wrap after their dots", () => {
    const page = markupOf([A]);
    expect(page).toContain('<span class="address">a.<wbr>example</span>');
  });

  it("leads to reports and on to the comparison without a site, and names hosts without a report", () => {
    const page = pageOf([A, "x.example", B]);
    const hrefs = all(page, "a").map((one) => attributeOf(one, "href"));
    expect(hrefs).toEqual(
      expect.arrayContaining([
        "sites/a.example",
        "compare?sites=b.example",
        "standards#check-https",
        "compare.csv?sites=a.example,x.example,b.example",
      ]),
    );
    expect(textOf(page)).toContain("x.example has no report here.");
    expect(all(pageOf([A]), "a").map((one) => attributeOf(one, "href"))).toContain("compare");
  });

  it("says so where scores are of different versions", () => {
    const older = site("old.example", A.checks, { scoreVersion: "2020" });
    expect(rowsOf(pageOf([A, older])).flat()).toContain("Scoring version");
    expect(rowsOf(pageOf([A, B])).flat()).not.toContain("Scoring version");
  });

  it("of no site is a form, in a tree with a script and no link to a file that is not there", () => {
    expect(rowsOf(pageOf([]))).toEqual([]);
    const tree = { links: "files", isPacked: false, hasPages: true, hasAnswers: true } as const;
    const page = parsedPage(comparePage([], [], { ...CONTEXT, tree }));
    const hrefs = all(page, "a").map((one) => attributeOf(one, "href") ?? "");
    expect(hrefs.filter((href) => href.includes("csv"))).toEqual([]);
    const scripts = all(page, "script", "src").map((one) => attributeOf(one, "src"));
    expect(scripts).toEqual([expect.stringMatching(/^assets\/compare-/)]);
  });

  it("is a table for programs", () => {
    const lines = comparisonCsv([A, C], CONTEXT.checkIds).split("\r\n");
    expect(lines[0]).toBe("\ufeffcheck,name,a.example,a.example points,c.example,c.example points");
    expect(lines[1]).toBe(`score,,${A.scan.score},,,`);
    expect(lines).toContain("sitemap,SITEMAP,fail,0,na,0");
    expect(lines).toContain("https,HTTPS,pass,6,,");
  });
});
