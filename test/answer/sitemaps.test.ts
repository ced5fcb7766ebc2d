import { setImmediate as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sitemapFileOf, sitemapIndexOf } from "../../src/answer/list-pages.js";
import { hostHash } from "../../src/contract/host.js";
import { aListing, openListings } from "../engine/directory.js";
import { CONTEXT } from "../pages/reports.js";

/** So many that they have four sitemaps. */
const LISTINGS = 100_000;
/** Listings in all states that search knows; a name that tries to pass for another field. */
const indexed = Array.from({ length: 5_000 }, (_, place) =>
  aListing(`site-${place}.example`, {
    name: place % 3 === 0 ? '","host":"evil.example","latestScannedAt":"never' : null,
    latestScore: place % 7 === 0 ? null : place % 101,
    latestScannedAt: place % 5 === 0 ? null : `2026-08-0${1 + (place % 9)}T00:00:00Z`,
  }),
);

const listings = indexed.map(({ summary }) => summary);

describe("the sitemaps of a snapshot", () => {
  const engine = openListings(indexed);
  const source = {
    engine: Promise.resolve(engine),
    listingCount: LISTINGS,
    pause: () => pause(),
  };

  it("have each listing that has a score once, in the sitemap of its hash, with its scan's date", async () => {
    const found = new Map<string, string>();
    for (const sitemap of [0, 1, 2, 3]) {
      const file = (await sitemapFileOf(`${sitemap}.xml`, source, CONTEXT)) ?? "";
      const urls = [
        ...file.matchAll(
          /<url><loc>.*?\/sites\/(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?<\/url>/g,
        ),
      ];
      for (const [, host = "", lastmod = "none"] of urls) {
        expect(Math.floor(hostHash(host) / 2 ** 30)).toBe(sitemap);
        expect(found.has(host)).toBe(false);
        found.set(host, lastmod);
      }
    }
    const expected = listings
      .filter(({ latestScore }) => latestScore !== null)
      .map(({ host, latestScannedAt }) => [host, latestScannedAt ?? "none"] as const);
    expect(found.size).toBeGreaterThan(4_000);
    expect(found).toEqual(new Map(expected));
  });

  it("are all listed in the index, and there are no others", async () => {
    const index = await sitemapIndexOf(source, CONTEXT);
    expect([...index.matchAll(/sitemaps\/([^<]*)</g)].map(([, name]) => name)).toEqual([
      "0.xml",
      "1.xml",
      "2.xml",
      "3.xml",
    ]);
    for (const name of ["4.xml", "0-2.xml", "999999999.xml", "x"]) {
      expect([name, await sitemapFileOf(name, source, CONTEXT)]).toEqual([name, null]);
    }
  });
});
