import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matrixCsv, matrixQuery, readMatrix } from "../../../src/extras/compare/matrix.js";
import { matrixPage } from "../../../src/extras/compare/matrix-page.js";
import { aCategory, CHECKS, ranked } from "../../pages/categories/example-category.js";
import { all, attributeOf, parsedPage, textOf } from "../../pages/parsed.js";
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
const pageOf = (query = "", sites = RANKED) =>
  parsedPage(matrixPage(aCategory("Name", sites), CONTEXT, query));
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
      ["2", "60", "no", "yes", "no"],
      ["—", "—", "n/a", "n/a", "n/a"],
    ]);
  });

  it("marks what brings no points as optional, so that it never looks failed", () => {
    const classes = all(rowsOf(pageOf())[1]!, "td").map((one) => attributeOf(one, "class"));
    expect(classes[IDS.indexOf("https") + 2]).toBe("fail");
    expect(classes[IDS.indexOf("mcp") + 2]).toBe("fail extra");
  });

  it.each([
    ["", ["b.example", "c.example", "a.example"]],
    ["?sort=score-asc", ["a.example", "c.example", "b.example"]],
    ["?sort=host", ["a.example", "b.example", "c.example"]],
    ["?sort=sitemap", ["c.example", "b.example", "a.example"]],
    ["?sort=https", ["c.example", "b.example", "a.example"]],
    ["?fails=https", ["c.example"]],
    ["?fails=nothing&sort=nothing", ["b.example", "c.example", "a.example"]],
  ])("at %j shows %j, in that order", (query, hosts) => {
    expect(hostsOf(query)).toEqual(hosts);
  });

  it("has the choice of the address in its form, and tells search engines of the whole table alone", () => {
    const page = pageOf("?fails=https&sort=sitemap");
    const chosen = all(page, "option", "selected").map((one) => attributeOf(one, "value"));
    expect(chosen).toEqual(["https", "sitemap"]);
    const sorted = all(page, "th", "aria-sort").map((one) => attributeOf(one, "data-check"));
    expect(sorted).toEqual(["sitemap"]);
    const robots = (query: string) =>
      all(pageOf(query), "meta").some((one) => attributeOf(one, "content") === "noindex");
    expect([robots("?fails=https"), robots("")]).toEqual([true, false]);
  });

  it("reads each state back from its address", () => {
    const id = fc.constantFrom(...IDS);
    const state = fc.record({
      fails: fc.option(id, { nil: null }),
      sort: fc.oneof(id, fc.constantFrom("score", "score-asc", "host")),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readMatrix(matrixQuery(one), IDS)).toEqual(one);
      }),
      { seed: 1 },
    );
  });

  it("is a table for programs, in which no text is a formula", () => {
    const name = '=1+1,"a"\nb';
    const csv = matrixCsv(
      [{ ...RANKED[0]!, site: { ...RANKED[0]!.site, name } }, RANKED[2]!],
      CHECKS,
    );
    const [head, first, , last] = csv.split(/(?<=\n)/);
    expect(head).toBe(
      `\ufeffrank,host,name,score,band,scoreVersion,scannedAt,${IDS.join(",")}\r\n`,
    );
    expect(first).toBe(`1,b.example,"'=1+1,""a""\n`);
    expect(last).toMatch(/^,a\.example,Name,,,/);
    expect(csv).toContain("pass");
  });
});
