import { describe, expect, it } from "vitest";
import type { Facets, Vocabulary } from "../../../src/contract/listing.js";
import type { ListingFilters } from "../../../src/contract/query.js";
import { openEngine } from "../../../src/engine/engine.js";
import { aListing, category, indexOf, jsonOf, openListings, VOCABULARY } from "../directory.js";

const engine = openListings([
  aListing("a.com", { category: category("art"), platforms: ["wp"], capabilities: ["https"] }),
  aListing("b.com", { category: category("art"), platforms: ["shop"] }),
  aListing("c.com", {
    category: category("food"),
    platforms: ["wp", "shop"],
    capabilities: ["https", "sitemap"],
    status: "claimed",
  }),
  aListing("d.com", { platforms: ["wp"], capabilities: ["sitemap"], latestScore: null }),
]);

function facetsOf(query: ListingFilters): Facets {
  return (JSON.parse(jsonOf(engine.facets(query))) as { data: Facets }).data;
}

/** The values that are counted at all, with their counts. */
function counts({
  categories,
  signals,
  platforms,
}: Facets): Record<string, Record<string, number>> {
  const above = (all: readonly (readonly [string, number])[]) =>
    Object.fromEntries(all.filter(([, count]) => count > 0));
  return {
    categories: above(categories.items.map(({ slug, count }) => [slug, count])),
    signals: above(signals.map(({ id, count }) => [id, count])),
    platforms: above(platforms.map(({ slug, count }) => [slug, count])),
  };
}

describe("facets (contract section 4, GET /api/sites/facets)", () => {
  it("without filters count every listing", () => {
    const facets = facetsOf({});
    expect(facets.total).toBe(4);
    expect(facets.categories.total).toBe(4);
    expect(counts(facets)).toEqual({
      categories: { art: 2, food: 1 },
      signals: { https: 2, sitemap: 2 },
      platforms: { wp: 3, shop: 2 },
    });
  });

  it("ignore the selected category only in category counts", () => {
    const facets = facetsOf({ category: ["food"] });
    expect(facets.total).toBe(1);
    expect(facets.categories.total).toBe(4);
    expect(counts(facets)).toEqual({
      categories: { art: 2, food: 1 },
      signals: { https: 1, sitemap: 1 },
      platforms: { wp: 1, shop: 1 },
    });
  });

  it("ignore the selected platform only in platform counts", () => {
    const facets = facetsOf({ platform: ["shop"] });
    expect(facets.total).toBe(2);
    expect(facets.categories.total).toBe(2);
    expect(counts(facets)).toEqual({
      categories: { art: 1, food: 1 },
      signals: { https: 1, sitemap: 1 },
      platforms: { wp: 3, shop: 2 },
    });
  });

  it("keep every current filter in signal counts and add the candidate", () => {
    const facets = facetsOf({ capability: ["https"], category: ["art"], platform: ["wp"] });
    expect(facets.total).toBe(1);
    expect(counts(facets)).toEqual({
      categories: { art: 1, food: 1 },
      signals: { https: 1 },
      platforms: { wp: 1 },
    });
  });

  it("are empty for an unknown category or platform, except in the counts that ignore it", () => {
    const facets = facetsOf({ category: ["unknown"] });
    expect([facets.total, facets.categories.total]).toEqual([0, 4]);
    expect(counts(facets)).toEqual({
      categories: { art: 2, food: 1 },
      signals: {},
      platforms: {},
    });
    expect(counts(facetsOf({ platform: ["__proto__"] }))).toEqual({
      categories: {},
      signals: {},
      platforms: { wp: 3, shop: 2 },
    });
  });

  it("count under q, status and scores", () => {
    expect(facetsOf({ q: "c.com" }).total).toBe(1);
    expect(facetsOf({ status: "claimed" }).total).toBe(1);
    expect(facetsOf({ minScore: 0 }).total).toBe(3);
  });

  it("list categories and signals in their own order, zero counts included (decisions, Order)", () => {
    const { categories, signals } = facetsOf({ q: "b.com" });
    expect(categories.items.map(({ slug }) => slug)).toEqual(
      VOCABULARY.categories.map(({ slug }) => slug),
    );
    expect(signals.map(({ id }) => id)).toEqual(VOCABULARY.signals.map(({ id }) => id));
  });

  it("list platforms by descending count, then slug, zero counts included (decisions, Order)", () => {
    expect(facetsOf({ q: "b.com" }).platforms.map(({ slug, count }) => [slug, count])).toEqual([
      ["shop", 1],
      ["astro", 0],
      ["drupal", 0],
      ["other", 0],
      ["unused", 0],
      ["wp", 0],
    ]);
  });

  it("count a listing once, even if it names a platform twice", () => {
    const twice = openListings([
      aListing("a.com", { platforms: ["wp", "shop", "wp"], capabilities: ["https", "https"] }),
      aListing("b.com"),
    ]);
    for (const query of [{}, { q: "a.com" }]) {
      const { data } = JSON.parse(jsonOf(twice.facets(query))) as { data: Facets };
      expect(counts(data)).toEqual({
        categories: {},
        signals: { https: 1 },
        platforms: { wp: 1, shop: 1 },
      });
    }
  });

  it("count the values that listings have, where the vocabulary has no terms for a facet", () => {
    const { platforms: _, ...others } = VOCABULARY;
    const listings = [
      aListing("a.com", { platforms: ["wp"] }),
      aListing("b.com", { platforms: ["shop", "astro"] }),
      aListing("c.com", { platforms: ["shop"], category: category("art") }),
    ];
    const unnamed = openEngine(indexOf(listings, 2, others as Vocabulary));
    const platformsFor = (query: ListingFilters) =>
      (JSON.parse(jsonOf(unnamed.facets(query))) as { data: Facets }).data.platforms;
    expect(platformsFor({})).toEqual([
      { slug: "shop", count: 2 },
      { slug: "astro", count: 1 },
      { slug: "wp", count: 1 },
    ]);
    expect(platformsFor({ category: ["art"], platform: ["wp"] })).toEqual([
      { slug: "shop", count: 1 },
      { slug: "astro", count: 0 },
      { slug: "wp", count: 0 },
    ]);
  });

  it("never carry didYouMean", () => {
    expect(Object.keys(JSON.parse(jsonOf(engine.facets({ q: "zzzz" }))))).toEqual(["data"]);
  });
});
