import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  matrixCsv,
  matrixQuery,
  matrixSites,
  notPassedText,
  readMatrix,
  sortAfter,
} from "../../../src/extras/compare/matrix.js";
import { matrixPage } from "../../../src/extras/compare/matrix-page.js";
import { aCategory, CHECKS, ranked } from "../../pages/categories/example-category.js";
import { HOSTILE_TOGETHER } from "../../pages/hostile.js";
import { all, attributeOf, parsedPage, skeletonOf, textOf } from "../../pages/parsed.js";
import { CONTEXT } from "../../pages/reports.js";

const IDS = CHECKS.map(({ id }) => id);
const SITES = [
  {
    ...ranked("b.example", { capabilities: ["https", "mcp"], latestScore: 90 }),
    exempt: ["sitemap"],
  },
  { ...ranked("c.example", { capabilities: ["sitemap"], latestScore: 60 }), exempt: [] },
  {
    ...ranked("a.example", { capabilities: [], latestScore: null, latestBand: null }),
    exempt: IDS,
  },
];
const RANKED = SITES.map((one, at) => ({
  ...one,
  rank: at < 2 ? { rank: at + 1, of: 1, among: 2 } : null,
}));
const PARTIAL = new Map([["c.example", ["https"]]]);
const pageOf = (
  query = "",
  sites = RANKED,
  changes = {},
  partial: typeof PARTIAL | null = PARTIAL,
) => parsedPage(matrixPage(aCategory("Name", sites, changes), CONTEXT, query, partial));
const classOf = (node: Parameters<typeof attributeOf>[0]) => attributeOf(node, "class") ?? "";
const rowsOf = (page: ReturnType<typeof pageOf>) =>
  all(page, "tr", "data-host").filter((row) => attributeOf(row, "hidden") === null);
const hostsOf = (query: string) =>
  rowsOf(pageOf(query)).map((row) => attributeOf(row, "data-host"));

describe("the matrix of a category's checks", () => {
  it("has a row for each site with its rank, score and the mark of each check", () => {
    const columns = all(pageOf(), "th", "data-check").map((one) => attributeOf(one, "data-check"));
    expect(columns).toEqual(IDS);
    const marks = rowsOf(pageOf()).map((row) => {
      const cells = all(row, "td");
      const own = Object.fromEntries(IDS.map((id, at) => [id, textOf(cells[at + 2]!)]));
      return [textOf(cells[0]!), textOf(cells[1]!), own.https, own.sitemap, own.mcp];
    });
    expect(marks).toEqual([
      ["1", "90", "yes", "n/a", "yes"],
      ["2", "60", "in part", "yes", "no"],
      ["—", "—", "n/a", "n/a", "n/a"],
    ]);
  });

  it("marks what brings no points as optional, so that it never looks failed", () => {
    const classes = all(rowsOf(pageOf("", RANKED, {}, null))[1]!, "td").map(classOf);
    expect(classes[IDS.indexOf("https") + 2]).toBe("fail");
    expect(classes[IDS.indexOf("mcp") + 2]).toBe("fail extra");
  });

  it("says how many sites pass each check, of those to which it applies", () => {
    const tally = all(pageOf(), "tr").find((row) => classOf(row) === "tally")!;
    const cells = all(tally, "td").filter((cell) => classOf(cell).startsWith("count"));
    const texts = Object.fromEntries(cells.map((cell, at) => [IDS[at], textOf(cell)]));
    expect(texts).toEqual({ https: "1 of 2", sitemap: "1 of 1", mcp: "1 of 2" });
    const none = pageOf("", [RANKED[2]!]);
    expect(textOf(all(none, "td").find((cell) => classOf(cell) === "count")!)).toBe("—");
  });

  it("has links for each check to the sites that pass it and to the others, as many as it says", () => {
    const links = all(pageOf("?sort=host"), "a", "data-sites");
    const texts = links.map((link) => [attributeOf(link, "data-sites"), textOf(link)]);
    expect(texts).toEqual([
      ["passes=https", "1 of 2 pass"],
      ["fails=https", "1 site passes only in part"],
      ["passes=sitemap", "1 of 1 pass"],
      ["passes=mcp", "1 of 2 pass"],
      ["fails=mcp", "1 site does not pass"],
    ]);
    for (const link of links) {
      const { search, hash } = new URL(attributeOf(link, "href")!, "http://x.example/matrix/");
      expect([new URLSearchParams(search).get("sort"), hash]).toEqual(["host", "#choices"]);
      expect(rowsOf(pageOf(search)).length).toBe(Number.parseInt(textOf(link), 10));
    }
  });

  it("says in words what is shown", () => {
    const told = (query: string, partial = PARTIAL) =>
      textOf(
        all(pageOf(query, RANKED, {}, partial), "p", "id").find(
          (one) => attributeOf(one, "id") === "told",
        )!,
      );
    expect(told("")).toBe("");
    expect(told("?sort=mcp")).toBe("Sites that do not pass “MCP” come first.");
    expect(told("?sort=-mcp")).toBe("Sites that pass “MCP” come first.");
    expect(told("?fails=https&sort=https")).toBe("1 of 2 sites passes “HTTPS” only in part.");
    expect(told("?fails=https&sort=-https", new Map())).toBe("1 of 2 sites does not pass “HTTPS”.");
    expect(told("?passes=https")).toBe("1 of 2 sites passes “HTTPS”.");
    expect(told("?fails=mcp&sort=https")).toBe(
      "1 of 2 sites does not pass “MCP”. Sites that do not pass “HTTPS” come first.",
    );
    const counts = { pass: 0, warn: 1_600, fail: 4, na: 9 };
    expect(notPassedText(counts)).toBe(
      "1,604 sites do not pass in full: 1,600 in part, 4 not at all",
    );
  });

  it("names checks that do not apply to a tenth of the sites, if they give points", () => {
    const notes = (sites: typeof RANKED) =>
      all(pageOf("", sites), "p")
        .map(textOf)
        .filter((text) => text.startsWith("“"));
    const sitemap = "“Sitemap” does not apply to 1 of 2 sites";
    expect(notes(RANKED)).toEqual([`${sitemap} with results, or was not checked.`]);
    expect(notes(RANKED.slice(0, 2))).toEqual([`${sitemap}, or was not checked.`]);
    expect(notes([RANKED[1]!])).toEqual([]);
    const many = Array.from({ length: 11 }, (_, at) => RANKED[at === 0 ? 0 : 1]!);
    expect([notes(many), notes(many.slice(0, 10)).length]).toEqual([[], 1]);
  });

  it("says that the least passed check is one with points only if there are others", () => {
    const lead = (checks: typeof CHECKS) =>
      textOf(all(pageOf("", RANKED, { checks }), "p").find((one) => classOf(one) === "lead")!);
    expect(lead(CHECKS)).toMatch(/Least passed of the checks with points: /);
    expect(lead(CHECKS.filter(({ isScored }) => isScored))).toMatch(/Passed least often: /);
  });

  it("says of a check that it is passed in part only if the snapshot knows it", () => {
    const legend = (partial: typeof PARTIAL | null) =>
      textOf(
        all(pageOf("", RANKED, {}, partial), "p").find((one) => classOf(one).startsWith("marks"))!,
      );
    expect(legend(PARTIAL)).toContain("passed in part");
    expect(legend(null)).toContain("not passed, or only in part");
    expect(legend(null)).not.toContain("passed in part");
  });

  it.each([
    ["", ["b.example", "c.example", "a.example"]],
    ["?sort=score-asc", ["a.example", "c.example", "b.example"]],
    ["?sort=host", ["a.example", "b.example", "c.example"]],
    ["?sort=sitemap", ["c.example", "b.example", "a.example"]],
    ["?sort=https", ["c.example", "b.example", "a.example"]],
    ["?sort=-https", ["b.example", "c.example", "a.example"]],
    ["?fails=https", ["c.example"]],
    ["?passes=https", ["b.example"]],
    ["?sites=passes%3Dsitemap&fails=https", ["c.example"]],
    ["?sites=&fails=https", ["b.example", "c.example", "a.example"]],
    ["?fails=nothing&sort=nothing", ["b.example", "c.example", "a.example"]],
  ])("at %j shows %j, in that order", (query, hosts) => {
    expect(hostsOf(query)).toEqual(hosts);
  });

  it("has the choice of the address in its form, and tells search engines of the whole table alone", () => {
    const page = pageOf("?fails=https&sort=sitemap");
    const chosen = all(page, "option", "selected").map((one) => attributeOf(one, "value"));
    expect(chosen).toEqual(["fails=https"]);
    const groups = all(page, "optgroup").map((one) => [
      attributeOf(one, "label"),
      ...all(one, "option").map(textOf),
    ]);
    expect(groups).toEqual([
      ["Passing", "HTTPS (1 pass)", "Sitemap (1 pass)", "MCP (1 pass)"],
      ["Not passing", "HTTPS (1 do not)", "Sitemap (0 do not)", "MCP (1 do not)"],
    ]);
    const hidden = all(page, "input").find((one) => attributeOf(one, "name") === "sort");
    expect(attributeOf(hidden!, "value")).toBe("sitemap");
    const boxes = all(pageOf("?extras=0"), "input", "checked").map((one) =>
      attributeOf(one, "name"),
    );
    expect(boxes).toEqual(["extras"]);
    const sorted = all(page, "th", "aria-sort").map((one) => attributeOf(one, "data-check"));
    expect(sorted).toEqual(["sitemap"]);
    const robots = (query: string) =>
      all(pageOf(query), "meta").some((one) => attributeOf(one, "content") === "noindex");
    expect([robots("?fails=https"), robots("")]).toEqual([true, false]);
  });

  it("reads each state back from its address", () => {
    const id = fc.constantFrom(...IDS);
    const state = fc.record({
      filter: fc.option(
        fc.record({ name: fc.constantFrom("fails" as const, "passes" as const), check: id }),
        { nil: null },
      ),
      sort: fc.oneof(
        id,
        id.map((one) => `-${one}`),
        fc.constantFrom("score", "score-asc", "host"),
      ),
      extras: fc.option(fc.boolean(), { nil: null }),
      table: fc.boolean(),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readMatrix(matrixQuery(one), IDS)).toEqual(one);
      }),
      { seed: 1 },
    );
  });

  it("has a link in the head of each column to the rows in its order, and back", () => {
    const state = readMatrix("", IDS);
    const next = (sort: string, column: string) => sortAfter({ ...state, sort }, column);
    expect([next("score", "score"), next("score-asc", "score")]).toEqual(["score-asc", "score"]);
    const first = next("score", "https");
    const second = next(first, "https");
    expect([first, second, next(second, "https")]).toEqual(["https", "-https", "score"]);
    expect([next(first, "mcp"), next(second, "mcp"), next(first, "host")]).toEqual([
      "mcp",
      "mcp",
      "host",
    ]);
    expect(next("host", "host")).toBe("score");
    const sorted = (query: string) =>
      all(pageOf(query), "th", "aria-sort").map((one) => [
        textOf(one),
        attributeOf(one, "aria-sort"),
        attributeOf(all(one, "a")[0]!, "href"),
      ]);
    expect(sorted("")).toEqual([["Score", "descending", "animals?sort=score-asc"]]);
    expect(sorted("?sort=score-asc")).toEqual([["Score", "ascending", "animals"]]);
    expect(sorted("?sort=host&extras=1")).toEqual([["Site", "ascending", "animals?extras=1"]]);
    expect(sorted("?sort=https")).toEqual([["HTTPS", "ascending", "animals?sort=-https"]]);
    expect(sorted("?sort=-https")).toEqual([["HTTPS", "descending", "animals"]]);
  });

  it("tells the stylesheet from which width it needs no box, and shows extras if all columns have room", () => {
    const manyChecks = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...CHECKS[0]!,
        id: `check-${at}`,
        isScored: at % 2 === 0,
      }));
    const boxOf = (checks: typeof CHECKS, sites = RANKED) => {
      const page = pageOf("", sites, { checks });
      const input = all(page, "input").find((one) => attributeOf(one, "name") === "extras");
      const [box] = all(page, "div", "role");
      return [classOf(box!), input && attributeOf(input, "value")];
    };
    const hundred = Array.from({ length: 100 }, () => RANKED[1]!);
    expect(boxOf(manyChecks(3))).toEqual(["scroll fits-36 level-44", "0"]);
    expect(boxOf(manyChecks(5))).toEqual(["scroll fits-36 level-60", "0"]);
    expect(boxOf(manyChecks(8))).toEqual(["scroll fits-44 level-74", "0"]);
    expect(boxOf(manyChecks(9))).toEqual(["scroll fits-44", "0"]);
    expect(boxOf(manyChecks(9), hundred)).toEqual(["scroll fits-60 hundreds", "0"]);
    expect(boxOf(manyChecks(23))).toEqual(["scroll fits-74", "0"]);
    expect(boxOf(manyChecks(24))).toEqual(["scroll fits-60", "1"]);
    expect(boxOf(manyChecks(48))).toEqual(["scroll", "1"]);
  });

  it("has steps if the category has several pages", () => {
    const steps = (page: number) =>
      all(pageOf("", RANKED, { page, total: 1_001 }), "a").flatMap((one) =>
        textOf(one).endsWith(" page") ? [attributeOf(one, "href")] : [],
      );
    expect([steps(1), steps(2)]).toEqual([["animals--2"], ["animals", "animals--3"]]);
  });

  it("is the same tree whatever its texts are, and cuts names that are very long", () => {
    const tree = (text: string) => {
      const sites = RANKED.map((one) => ({ ...one, site: { ...one.site, name: text } }));
      const checks = CHECKS.map((check) => ({ ...check, name: text }));
      return parsedPage(matrixPage(aCategory(text, sites, { checks }), CONTEXT, "", PARTIAL));
    };
    for (const text of HOSTILE_TOGETHER)
      expect([text, skeletonOf(tree(text))]).toEqual([text, skeletonOf(tree("Name"))]);
    expect(textOf(tree("x".repeat(1_000)))).not.toContain("x".repeat(130));
  });

  it("is a table for programs, in which no text is a formula", () => {
    const name = '=1+1,"a"\nb';
    const csv = matrixCsv(
      matrixSites(
        [{ ...RANKED[0]!, site: { ...RANKED[0]!.site, name } }, RANKED[1]!, RANKED[2]!],
        PARTIAL,
      ),
      CHECKS,
    );
    const [head, first, , second, last] = csv.split(/(?<=\n)/);
    expect(head).toBe(
      `\ufeffrank,host,name,score,band,scoreVersion,scannedAt,${IDS.join(",")}\r\n`,
    );
    expect(first).toBe(`1,b.example,"'=1+1,""a""\n`);
    expect(last).toMatch(/^,a\.example,Name,,,/);
    expect(second).toMatch(/^2,c\.example,.*,passed in part,pass,not passed/);
  });
});
