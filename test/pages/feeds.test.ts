import { describe, expect, it } from "vitest";
import { type FeedShown, scanFeed } from "../../src/pages/feeds/feed.js";
import { feedAddress, feedNamed } from "../../src/pages/kit/page-names.js";
import { aSite } from "./found.js";
import { HOSTILE_TOGETHER } from "./hostile.js";
import { CONTEXT } from "./reports.js";
import { childrenOf, parsedXml, type XmlElement } from "./xml.js";

const NEWS = { slug: "news", name: "News & weather" };
const sites = [
  aSite("First", { host: "first.example", latestScannedAt: "2026-08-09T03:31:00Z" }),
  aSite("Second", { host: "second.example", latestScannedAt: "2026-08-01T00:00:00Z" }),
  aSite("Third", { host: "third.example", latestScore: null, latestBand: null }),
  aSite("Fourth", { host: "fourth.example", latestScannedAt: null }),
];

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const one = (parent: XmlElement, name: string): XmlElement => {
  const found = childrenOf(parent, name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0] as XmlElement;
};

/** Asserts what RFC 4287, section 4.1, requires of a feed. @returns its entries */
function expectAtom(text: string): XmlElement[] {
  const feed = parsedXml(text);
  expect([feed.name, feed.attributes.xmlns]).toEqual(["feed", "http://www.w3.org/2005/Atom"]);
  const entries = childrenOf(feed, "entry");
  for (const part of [feed, ...entries]) {
    expect(one(part, "title").text).not.toBe("");
    expect(one(part, "updated").text).toMatch(RFC_3339);
    expect(new URL(one(part, "id").text).protocol).toBe("https:");
    for (const { attributes } of childrenOf(part, "link")) new URL(attributes.href ?? "");
    const alternates = childrenOf(part, "link").filter(
      ({ attributes }) => attributes.rel === "alternate",
    );
    expect(alternates).toHaveLength(1);
    for (const { attributes } of childrenOf(part, "category")) expect(attributes.term).toMatch(/./);
  }
  expect(one(one(feed, "author"), "name").text).toMatch(/./);
  const ids = [feed, ...entries].map((part) => one(part, "id").text);
  expect(new Set(ids).size).toBe(ids.length);
  const [self] = childrenOf(feed, "link").filter(({ attributes }) => attributes.rel === "self");
  expect(self?.attributes.href).toBe(one(feed, "id").text);
  return entries;
}

const feeds: [string, FeedShown][] = [
  ["of the directory", { category: null, sites }],
  ["of a category", { category: NEWS, sites }],
  ["without scans", { category: null, sites: [] }],
  ...HOSTILE_TOGETHER.map((text, place): [string, FeedShown] => [
    `with hostile text ${place}`,
    { category: { slug: "news", name: text }, sites: [aSite(text, { logoUrl: null })] },
  ]),
];

describe("an Atom feed", () => {
  it.each(feeds)("%s is one that RFC 4287 allows", (_, feed) => {
    const entries = expectAtom(scanFeed("xml", feed, CONTEXT));
    expect(entries).toHaveLength(feed.sites.filter((site) => site.latestScannedAt).length);
  });

  it("names the score of a scan, its time and the report; without a score it has no number", () => {
    const [first, , third] = expectAtom(scanFeed("xml", { category: NEWS, sites }, CONTEXT));
    expect(one(first!, "title").text).toBe("first.example: 62 of 100, Open");
    expect(one(first!, "updated").text).toBe("2026-08-09T03:31:00Z");
    expect(one(first!, "link").attributes.href).toBe(
      "https://directory.example/sites/first.example",
    );
    expect(one(third!, "title").text).toBe("third.example: not scored");
    expect(one(third!, "summary").text).not.toMatch(/\b62\b|of 100/);
  });

  it("has another entry for the next scan of a site, and the date of the newest scan", () => {
    const ids = ["2026-08-09T03:31:00Z", "2026-08-10T03:31:00Z"].map((latestScannedAt) => {
      const text = scanFeed(
        "xml",
        { category: null, sites: [aSite("A", { latestScannedAt })] },
        CONTEXT,
      );
      expect(one(parsedXml(text), "updated").text).toBe(latestScannedAt);
      return one(expectAtom(text)[0]!, "id").text;
    });
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe("a JSON Feed", () => {
  it.each(feeds)("%s has what version 1.1 requires, and the items of the Atom feed", (_, feed) => {
    const json = JSON.parse(scanFeed("json", feed, CONTEXT));
    expect(json).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      title: expect.stringMatching(/./),
      feed_url: expect.stringMatching(/^https:.*\.json$/),
      authors: [{ name: "A directory" }],
    });
    const entries = expectAtom(scanFeed("xml", feed, CONTEXT));
    const items: { id: string; title: string; content_text: string }[] = json.items;
    expect(items.map(({ id, title }) => [id, title])).toEqual(
      entries.map((entry) => [one(entry, "id").text, one(entry, "title").text]),
    );
    for (const { content_text: text } of items) expect(text).toMatch(/Scanned on/);
  });
});

describe("a feed's name", () => {
  it("is read as it is written", () => {
    for (const form of ["xml", "json"] as const) {
      expect(feedNamed(feedAddress("a-b", form).replace("feeds/", ""))).toEqual({
        slug: "a-b",
        form,
      });
    }
    for (const name of ["news", "news.rss", "a--b.xml", ".xml", "News.xml", "a/b.xml"]) {
      expect([name, feedNamed(name)]).toEqual([name, null]);
    }
  });
});
