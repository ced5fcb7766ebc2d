import { expect, it } from "vitest";
import { categoriesPage } from "../../../src/pages/categories/categories-page.js";
import { all, attributeOf, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";
import { aGroup, CHECKS, theFigures } from "./example-category.js";

const high = aGroup({ scores: [[90, 8]], passed: { https: 4 } });
const few = aGroup({
  listed: 4,
  scored: 4,
  scores: [[100, 4]],
  passed: { https: 4, sitemap: 4, "server-rendered": 4 },
});

function pageOf() {
  const categories = ["low", "high", "few"].map((slug) => ({ slug, name: `Name ${slug}` }));
  const figures = theFigures({ low: aGroup(), high, few });
  return parsedPage(categoriesPage({ figures, categories, checks: CHECKS }, CONTEXT));
}

it("the list of categories has the highest median first, and none of fewer than five scores", () => {
  const rows = all(pageOf(), "tr").slice(1);
  expect(rows.map((row) => [...all(row, "th"), ...all(row, "td")].slice(0, 3).map(textOf))).toEqual(
    [
      ["Name high", "90", "10"],
      ["Name low", "60", "10"],
      ["Name few", "—", "4"],
    ],
  );
});

it("each category leads to its page, and to what it fails most", () => {
  const [row] = all(pageOf(), "tr").slice(1);
  expect(all(row!, "a").map((one) => attributeOf(one, "href"))).toEqual([
    "categories/high",
    expect.stringMatching(/^standards#check-/),
  ]);
  expect(textOf(row!)).toContain("10 of 10");
  const [last] = all(pageOf(), "tr").slice(-1);
  expect(textOf(all(last!, "td")[3]!)).toBe("—");
});

it("the bands of a category are a bar, and the same in words", () => {
  const [, , low] = all(pageOf(), "tr");
  const { bands } = CONTEXT.rubric;
  const [lower, upper] = bands.toSorted((a, b) => a.min - b.min);
  expect(textOf(low!)).toContain(`${lower!.label}: 3, ${upper!.label}: 5`);
  expect(all(low!, "rect").map((one) => attributeOf(one, "width"))).toEqual(["37.50%", "62.50%"]);
});
