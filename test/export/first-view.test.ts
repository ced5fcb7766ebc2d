import { afterAll, beforeAll, expect, it } from "vitest";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { EXAMPLES, isExtraFile } from "../extras/examples.js";
import { aListing, aPublishedDirectory, aScan, type PublishedFiles } from "../fixtures.js";
import { all, attributeOf, parsedPage } from "../pages/parsed.js";
import { asked } from "../server/asked.js";
import { builtStore, treeOf } from "../store/trees.js";
import { aSite, type Site } from "./sites.js";

/** Sites of one category, and some of another one and of none; some are withheld, some have no score. */
function sites(count: number): PublishedFiles {
  const visibility = (i: number) => (i % 31 === 7 ? { visibility: "blocked" as const } : {});
  const category = (i: number) => (i % 20 === 0 ? null : i % 20 === 1 ? "weather" : "news");
  const listings = Array.from({ length: count }, (_, i) =>
    aListing({ host: `h${i}.example`, name: `Site ${i}`, category: category(i), ...visibility(i) }),
  );
  const scans = listings.map(({ host }, i) =>
    aScan({
      host,
      id: "s",
      ...(i % 60 === 5 ? { status: "failed", score: null } : { score: (i * 7) % 101 }),
    }),
  );
  return aPublishedDirectory({ listings, scans });
}

const files = sites(60);
const cleanUps: (() => Promise<void>)[] = [];
let site: Site;
beforeAll(async () => {
  site = await aSite(files, {}, (cleanUp) => cleanUps.push(cleanUp));
  await site.export({ only: "pages" });
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

it("a category's pages have every site in search once, in the order of the API, and no other site", async () => {
  const files = sites(620);
  const { store, result } = await builtStore(files);
  const { snapshot, close } = await loadSnapshot(store, result.id);
  const sitesOn = async (name: string) => {
    const { status, bytes } = await asked(snapshot, `/categories/${name}`);
    if (status === 404) return [];
    const rows = all(parsedPage(bytes.toString()), "th").filter(
      (one) => attributeOf(one, "scope") === "row",
    );
    return rows.map((one) => all(one, "a").map((link) => attributeOf(link, "href")?.slice(9))[0]!);
  };
  const expected = (slug: string) =>
    files.listings
      .map((listing, i) => ({ ...listing, score: files.scans[i]!.score }))
      .filter(({ category, visibility }) => category === slug && visibility === "listed")
      .sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.host < b.host ? -1 : 1))
      .map(({ host }) => host);
  const pages = await Promise.all(["news", "news--2", "news--3"].map(sitesOn));
  expect(pages.map(({ length }) => length > 0)).toEqual([true, true, false]);
  expect(pages.flat()).toEqual(expected("news"));
  expect(await sitesOn("weather")).toEqual(expected("weather"));
  close();
});

it("a new score of one site rewrites only its own files and the pages and feeds that show it", async () => {
  const before = await treeOf(site.site);
  expect(await site.export({ only: "pages" })).toMatchObject({ written: 0, deleted: 0 });
  // h1 is a site of "weather". The start of the explorer shows it neither before nor after, but counts its score.
  const scans = files.scans.map((scan) =>
    scan.host === "h1.example" ? { ...scan, score: 9 } : scan,
  );
  await site.publish({ ...files, scans });
  await site.export({ only: "pages" });
  const after = await treeOf(site.site);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  const others = changed.filter(
    (path) => !/h1\.example|^data\/|^changes\/\w{32}\.json$/.test(path),
  );
  const feeds = ["feed.json", "feed.xml"];
  const extra = EXAMPLES.flatMap((one) => one.scoredFiles("weather"));
  const isOfExtra = (path: string) => isExtraFile(path) || extra.includes(path);
  expect(others.filter(isOfExtra)).toEqual(extra.sort());
  expect(others.filter((path) => !isOfExtra(path))).toEqual([
    "categories/weather.html",
    ...feeds,
    "feeds/weather.json",
    "feeds/weather.xml",
    "figures.json",
    "index.html",
  ]);
});

it("a category whose last site leaves loses its page, and the sitemap with the last category", async () => {
  const files = aPublishedDirectory({ listings: [aListing({ category: "news" })] });
  const site = await aSite(files);
  await site.export();
  expect(Object.keys(await treeOf(site.site))).toEqual(
    expect.arrayContaining(["categories/news.html", "sitemaps/categories.xml"]),
  );
  const next = aPublishedDirectory({ listings: [aListing()] });
  await site.publish(next);
  await site.export();
  await site.expectTree(next);
  const left = Object.keys(await treeOf(site.site)).filter(
    (path) => !/^(?:data|assets)\//.test(path),
  );
  expect(left.filter((path) => /categories|news/.test(path))).toEqual([
    "api/categories.json",
    "categories.html",
  ]);
});
