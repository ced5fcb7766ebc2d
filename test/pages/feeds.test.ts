import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import RssParser from "rss-parser";
import { expect, it } from "vitest";
import { type FeedShown, scanFeed } from "../../src/pages/feeds/feed.js";
import { feedsPage } from "../../src/pages/feeds/feeds-page.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import { feedAddress, feedNamed } from "../../src/pages/kit/page-names.js";
import { aSite } from "./example-sites.js";
import { HOSTILE_TOGETHER } from "./hostile.js";
import { all, attributeOf, parsedPage, textOf } from "./parsed.js";
import { CONTEXT } from "./reports.js";

const sites = [
  aSite("First", { host: "first.example", latestScannedAt: "2026-08-09T03:31:00Z" }),
  aSite("Second", { host: "second.example", latestScannedAt: "2026-08-01T00:00:00Z" }),
  aSite("Third", { host: "third.example", latestScore: null, latestBand: null }),
  aSite("Fourth", { host: "fourth.example", latestScannedAt: null }),
];
const NEWS = { slug: "news", name: "News & weather" };
const feeds: [string, FeedShown][] = [
  ["of the directory", { category: null, sites }],
  ["of a category", { category: NEWS, sites }],
  ["without scans", { category: null, sites: [] }],
  ...HOSTILE_TOGETHER.map((text, place): [string, FeedShown] => [
    `with hostile text ${place}`,
    { category: { slug: "news", name: text }, sites: [aSite(text, { logoUrl: null })] },
  ]),
];
const atomOf = (feed: FeedShown) => parseAtomFeed(scanFeed("xml", feed, CONTEXT));

it.each(feeds)("a feed %s is the same as Atom and as JSON, for two parsers", async (_, feed) => {
  const atom = atomOf(feed);
  const json = parseJsonFeed(scanFeed("json", feed, CONTEXT));
  const plain = (text?: string) => text?.replace(/\s+/g, " ").trim();
  expect(plain(atom.title?.value)).toBe(plain(json.title));
  expect(atom.authors?.[0]?.name).toBe("A directory");
  expect(atom.links?.find(({ rel }) => rel === "self")?.href).toBe(atom.id);
  const entries = (atom.entries ?? []).map(({ id, title, links, summary }) => [
    id,
    plain(title?.value),
    links?.[0]?.href,
    plain(summary?.value),
  ]);
  expect(entries).toHaveLength(feed.sites.filter((site) => site.latestScannedAt).length);
  expect(entries).toEqual(
    (json.items ?? []).map(({ id, title, url, content_text: text }) => [
      id,
      plain(title),
      url,
      plain(text),
    ]),
  );
  expect(new Set(entries.map(([id]) => id)).size).toBe(entries.length);
  // This one takes only well-formed XML.
  const { items } = await new RssParser().parseString(scanFeed("xml", feed, CONTEXT));
  expect(items.map(({ id }) => id)).toEqual(entries.map(([id]) => id));
});

it("a scan in a feed has its score, its time and the report; without a score it has no number", () => {
  const { entries: [first, , third] = [] } = atomOf({ category: NEWS, sites });
  expect(first).toMatchObject({
    title: { value: "first.example: 62 of 100, Open" },
    updated: "2026-08-09T03:31:00Z",
    links: [{ href: "https://directory.example/sites/first.example" }],
  });
  expect(third?.title?.value).toBe("third.example: not scored");
  expect(third?.summary?.value).not.toMatch(/\b62\b|of 100/);
});

it("the next scan of a site is another entry, and the newest scan dates the feed", () => {
  const ids = ["2026-08-09T03:31:00Z", "2026-08-10T03:31:00Z"].map((latestScannedAt) => {
    const atom = atomOf({ category: null, sites: [aSite("A", { latestScannedAt })] });
    expect(atom.updated).toBe(latestScannedAt);
    return atom.entries?.[0]?.id;
  });
  expect(ids[0]).not.toBe(ids[1]);
});

it("a feed's name is read as it is written", () => {
  for (const form of ["xml", "json"] as const) {
    const name = feedAddress("a-b", form).replace("feeds/", "");
    expect(feedNamed(name)).toEqual({ slug: "a-b", form });
  }
  for (const name of ["news", "news.rss", "a--b.xml", ".xml", "News.xml", "a/b.xml"])
    expect([name, feedNamed(name)]).toEqual([name, null]);
});

it("the page of feeds has the address of each to copy, and those of changes if a page has them", () => {
  const changes = { name: "news", path: "/news", contentType: "text/html", searchFeed: "news.xml" };
  const shownWith = (pages: PageContext["pages"], extensions?: false) => {
    const page = parsedPage(feedsPage([NEWS], { ...CONTEXT, pages, extensions }));
    const links = all(page, "a").map((one) => attributeOf(one, "href"));
    for (const link of ["feed.json", "feeds/news.xml", "feeds/news.json"])
      expect(links).toContain(link);
    return all(page, "pre").map(textOf);
  };
  const scans = "https://directory.example/feed.xml";
  expect(shownWith(undefined)).toEqual([scans]);
  expect(shownWith([changes])).toEqual(["https://directory.example/news.xml", scans]);
  expect(shownWith([changes], false)).toEqual([scans]);
});
