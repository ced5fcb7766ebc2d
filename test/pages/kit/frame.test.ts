import { expect, it } from "vitest";
import { categoryPage } from "../../../src/pages/categories/category-page.js";
import { explorerPage } from "../../../src/pages/explorer/explorer-page.js";
import { aCategory } from "../categories/shown.js";
import { shownOf } from "../found.js";
import { all, attributeOf, parsedPage } from "../parsed.js";
import { CONTEXT } from "../reports.js";

it("a page links to its data as JSON, if that is known to exist, in its head and at its end", () => {
  const addresses = (page: ReturnType<typeof parsedPage>) =>
    [...all(page, "link"), ...all(page, "a")]
      .map((one) => attributeOf(one, "href") ?? "")
      .filter((href) => href.startsWith("api/sites"));
  const category = aCategory("A", [], { total: 1 });
  const json = "api/sites?q=a";
  expect(addresses(parsedPage(explorerPage(CONTEXT, shownOf("?q=a"))))).toEqual([json, json]);
  expect(addresses(parsedPage(categoryPage(category, CONTEXT)))).toEqual([]);
});
