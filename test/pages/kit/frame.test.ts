import { expect, it } from "vitest";
import { explorerPage } from "../../../src/pages/explorer/explorer-page.js";
import { readState } from "../../../src/pages/explorer/search-state.js";
import { aDirectory, found } from "../found.js";
import { all, attributeOf, parsedPage } from "../parsed.js";
import { CONTEXT } from "../reports.js";

it("a page links to its data as JSON, if that is known to exist, in its head and at its end", () => {
  const addresses = (page: ReturnType<typeof parsedPage>) =>
    [...all(page, "link"), ...all(page, "a")]
      .map((one) => attributeOf(one, "href") ?? "")
      .filter((href) => href.startsWith("api/sites"));
  const shown = { state: readState("?q=a"), found: found("Name"), tags: aDirectory().tags };
  const json = "api/sites?q=a";
  expect(addresses(parsedPage(explorerPage(CONTEXT, shown)))).toEqual([json, json]);
  expect(addresses(parsedPage(explorerPage(CONTEXT, null)))).toEqual([]);
});
