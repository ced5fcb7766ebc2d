import { describe, expect, it } from "vitest";
import { all, attributeOf, byClass, byId, type Element, textOf } from "../parsed.js";
import { aFullReport, pageOf } from "../reports.js";

describe("the history of a report", () => {
  const full = pageOf(aFullReport());

  it("draws the history without a point for a scan without a score, and has it as a table", () => {
    const history = byId(full, "history");
    const [chart] = byClass(history, "chart");
    expect(all(chart!, "circle").map(textOf)).toEqual([
      "1 April 2026: 0 of 100, Poor",
      "1 June 2026: 40 of 100, Closed",
      "9 August 2026: 63 of 100, Open",
    ]);
    const lost = all(chart!, "path").filter((path) => attributeOf(path, "class") === "dot-none");
    expect(lost.map(textOf)).toEqual(["1 May 2026: No score"]);
    // A missing score and another scoring version part the line.
    expect(byClass(chart!, "line").length).toBe(1);
    expect(byClass(chart!, "boundary").length).toBe(1);
    // Bands are drawn behind the scores of the current version only.
    const stripes = byClass(chart!, "stripe").map((one) => attributeOf(one, "x"));
    expect(stripes).toEqual(["25%", "25%"]);
    const rows = all(history, "tr").slice(1).map(textOf);
    expect(rows).toEqual([
      "9 August 2026 (this one) 63 of 100 Open 2026.1",
      "1 June 2026 40 of 100 Closed 2026.1",
      "1 May 2026 No score — —",
      "1 April 2026 0 of 100 Poor 2025.1",
    ]);
    const linksIn = (node: Element) => all(node, "a").map((link) => attributeOf(link, "href"));
    const scans = ["old", "failed", "older"].map((scan) => `example.com?scan=${scan}`);
    expect(linksIn(all(history, "table")[0]!)).toEqual(scans);
    expect(linksIn(chart!)).toEqual(scans.toReversed());
    // The table has the same links, so keyboards and screen readers skip the chart.
    expect(attributeOf(chart!, "aria-hidden")).toBe("true");
    expect(all(chart!, "a").map((link) => attributeOf(link, "tabindex"))).toEqual([
      "-1",
      "-1",
      "-1",
    ]);
  });

  it("names the bands beside the plot, where no line covers them", () => {
    const [chart] = byClass(byId(full, "history"), "chart");
    const [names] = byClass(chart!, "stripe-names");
    expect(all(names!, "text").map(textOf)).toEqual(["Closed", "Open"]);
    const [plot] = byClass(chart!, "plot");
    expect(textOf(plot!)).not.toMatch(/\bClosed$|\bOpen$/);
    const [first] = all(names!, "text");
    const y = Number(attributeOf(first!, "y"));
    expect(y).toBeGreaterThan(0);
  });

  it("connects no scores of different scoring versions in the chart, nor across a scan without a score", () => {
    const entry = (id: string, score: number | null, scoreVersion: string | null) => ({
      id,
      score,
      scoreVersion,
      band: null,
      finishedAt: `2026-0${id}-01T00:00:00Z`,
    });
    const linesOf = (...history: ReturnType<typeof entry>[]) =>
      byClass(byId(pageOf(aFullReport("x", { history })), "history"), "line").length;
    const a = entry("4", 40, "2");
    const b = entry("3", 30, "2");
    expect(linesOf(a, b)).toBe(1);
    expect(linesOf(a, b, entry("2", 20, "1"), entry("1", 10, "1"))).toBe(2);
    expect(linesOf(entry("3", 1, null), entry("2", null, null), entry("1", 2, null))).toBe(0);
  });
});
