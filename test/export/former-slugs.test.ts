import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsedPage } from "../pages/parsed.js";
import { afterRenames, beforeRenames, isOffered } from "../renamed.js";
import { treeOf } from "../store/trees.js";
import { aSite, builtSite } from "./sites.js";

describe("a tree whose terms were renamed", () => {
  it("leads from each former page to the present one", async () => {
    const site = await builtSite(afterRenames());
    await site.export({ for: "plain" });
    const text = (path: string) => readFile(join(site.site, path), "utf8");
    for (const [was, now] of [
      ["categories/news", "latest-news"],
      ["categories/scores", "weather"],
      ["matrix/news", "latest-news"],
      ["trends/news", "latest-news"],
      ["checks/mcp", "model-context"],
    ] as const) {
      if (!isOffered(was)) continue;
      const stub = await text(`${was}.html`);
      parsedPage(stub);
      const [folder] = was.split("/");
      expect(stub).toContain(`content="0; url=${now}.html"`);
      expect(stub).toContain(
        `<link rel="canonical" href="https://directory.example/${folder}/${now}.html">`,
      );
      expect(await text(`${folder}/${now}.html`)).toContain("<main");
    }
  });

  it("has the other files under their former names, too", async () => {
    const site = await builtSite(afterRenames());
    await site.export({ for: "cloudflare" });
    const text = (path: string) => readFile(join(site.site, path), "utf8");
    for (const [was, now] of [
      ["feeds/news.xml", "feeds/latest-news.xml"],
      ["feeds/news.json", "feeds/latest-news.json"],
      ["tables/news.csv", "tables/latest-news.csv"],
      ["figures/news--checks.svg", "figures/latest-news--checks.svg"],
      ["api/dump/category-news.txt", "api/dump/category-latest-news.txt"],
      ["api/dump/capability-mcp.txt", "api/dump/capability-model-context.txt"],
      ["api/trends/news.json", "api/trends/latest-news.json"],
    ] as const) {
      if (!isOffered(was)) continue;
      expect([was, await text(was)]).toEqual([was, await text(now)]);
    }
    expect(await text("categories/news.html")).toContain('url=latest-news"');
    const names = Object.keys(await treeOf(site.site));
    expect(names.filter((name) => /zeta|wordpress/.test(name))).toEqual([]);
  });

  it.runIf(isOffered("figures"))(
    "keeps the charts of the directory if a category had their name before",
    async () => {
      const files = beforeRenames();
      const category = {
        slug: "checks",
        name: "Checks",
        group: "topics",
        order: 9,
        formerly: ["scores"],
      };
      const categories = [...(files.taxonomy.categories ?? []), category].filter(
        ({ slug }) => slug !== "scores",
      );
      const site = await builtSite({ ...files, taxonomy: { ...files.taxonomy, categories } });
      await site.export();
      const text = (name: string) => readFile(join(site.site, "figures", name), "utf8");
      expect(await text("scores.svg")).not.toBe(await text("checks.svg"));
    },
  );

  it("tells the explorer's script what terms were called, and its sitemap only what they are called", async () => {
    const site = await builtSite(afterRenames());
    await site.export({ for: "plain" });
    const page = await readFile(join(site.site, "index.html"), "utf8");
    const [, known = ""] = /id="directory">([^<]*)</.exec(page) ?? [];
    expect(JSON.parse(known).former).toMatchObject({
      category: { news: "latest-news" },
      tag: { zeta: "letters", first: "letters" },
      capability: { mcp: "model-context" },
    });
    const sitemap = await readFile(join(site.site, "sitemaps/categories.xml"), "utf8");
    expect(sitemap).toContain("categories/latest-news");
    expect(sitemap).not.toContain("categories/news");
  });

  it("is after an update what a new one is", async () => {
    const site = await aSite(beforeRenames());
    await site.export();
    await site.publish(afterRenames());
    await site.export();
    const other = await builtSite(afterRenames());
    await other.export();
    const pages = async (folder: string) =>
      Object.entries(await treeOf(folder)).filter(([path]) =>
        // Feeds of changes tell what the store has published before.
        /^(?:categories|checks|matrix|tables|feeds|sites)\/(?!.*\/feed\.)/.test(path),
      );
    expect(await pages(site.site)).toEqual(await pages(other.site));
  });
});
