import { describe, expect, it } from "vitest";
import { explorerPage } from "../../../src/pages/explorer/explorer-page.js";
import { found, shownOf } from "../example-sites.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";

const pageOf = (query: string) => parsedPage(explorerPage(CONTEXT, shownOf(query)));

describe("the start of the explorer", () => {
  it("shows the sites that were scanned last, and leads to all sites", () => {
    const page = pageOf("");
    expect(textOf(byId(page, "found"))).toBe("Recently scanned");
    const [all60] = all(page, "a").filter((one) => attributeOf(one, "class") === "all");
    expect([textOf(all60!), attributeOf(all60!, "href")]).toEqual([
      "All 60 sites, best first",
      "?sort=score",
    ]);
    expect(all(page, "select")).toEqual([]);
  });

  it("says how many sites there are, their median score, and when the last was scanned", () => {
    const figures = all(pageOf(""), "dl").map(textOf);
    expect(figures).toEqual(["Sites 60 Median score 62 Last scan 9 August 2026"]);
    expect(all(pageOf("q=x"), "dl")).toEqual([]);
  });

  it("has no median without scores, and says so if there is no site", () => {
    const scores = { bands: [], unscored: 0, olderScoring: 0, points: [] };
    const none = found("Name", { sites: [] }, 0);
    const facets = { ...none.facets, scores };
    const page = parsedPage(explorerPage(CONTEXT, shownOf("", "Name", { ...none, facets })));
    expect(all(page, "dl").map(textOf)).toEqual(["Sites 0"]);
    expect(textOf(byId(page, "results"))).toContain("No site has been published yet.");
  });

  it("describes the directory as a dataset, which a search does not", () => {
    const files = [{ address: "api/all.csv", contentType: "text/csv" }];
    const context = { ...CONTEXT, downloads: [{ index: "api/all", formats: "CSV", files }] };
    const typesOf = (query: string) => {
      const page = explorerPage(context, shownOf(query));
      const data = JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? "");
      return data["@graph"] as Record<string, unknown>[];
    };
    expect(typesOf("q=x").map((one) => one["@type"])).toEqual(["WebSite"]);
    const [, dataset] = typesOf("");
    expect(dataset).toMatchObject({
      "@type": "Dataset",
      url: "https://directory.example/",
      dateModified: "2026-08-09T03:31:00Z",
      distribution: [
        { "@type": "DataDownload", encodingFormat: "application/json" },
        { "@type": "DataDownload", contentUrl: "https://directory.example/feed.json" },
        { encodingFormat: "text/csv", contentUrl: "https://api.directory.example/api/all.csv" },
      ],
    });
  });
});
