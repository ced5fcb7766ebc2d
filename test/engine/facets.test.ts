import { expect, it } from "vitest";
import { facetsValue } from "../../src/answer/bodies.js";
import type { Facets, Vocabulary } from "../../src/contract/listing.js";
import type { ListingFilters } from "../../src/contract/query.js";
import { type MemoryEngine, openEngine } from "../../src/engine/engine.js";
import { aListing, category, indexOf, openListings, VOCABULARY } from "./directory.js";

/* What facets count under any filters, test/engine/model.test.ts compares with a model. */

async function facetsOf(engine: MemoryEngine, query: ListingFilters): Promise<Facets> {
  return facetsValue(await engine.facets(query));
}

it("facets count a listing once, even if it names a platform twice", async () => {
  const twice = openListings([
    aListing("a.com", { platforms: ["wp", "shop", "wp"], capabilities: ["https", "https"] }),
    aListing("b.com"),
  ]);
  for (const query of [{}, { q: "a.com" }]) {
    const { signals, platforms } = await facetsOf(twice, query);
    expect(signals[0]).toMatchObject({ id: "https", count: 1 });
    expect(platforms.slice(0, 2)).toMatchObject([
      { slug: "shop", count: 1 },
      { slug: "wp", count: 1 },
    ]);
  }
});

it("facets count the values that listings have, where the vocabulary has no terms for a facet", async () => {
  const { platforms: _, ...others } = VOCABULARY;
  const listings = [
    aListing("a.com", { platforms: ["wp"] }),
    aListing("b.com", { platforms: ["shop", "astro"] }),
    aListing("c.com", { platforms: ["shop"], category: category("art") }),
  ];
  const unnamed = openEngine(indexOf(listings, 2, others as Vocabulary));
  expect((await facetsOf(unnamed, {})).platforms).toEqual([
    { slug: "shop", count: 2 },
    { slug: "astro", count: 1 },
    { slug: "wp", count: 1 },
  ]);
  expect((await facetsOf(unnamed, { category: ["art"], platform: ["wp"] })).platforms).toEqual([
    { slug: "shop", count: 1 },
    { slug: "astro", count: 0 },
    { slug: "wp", count: 0 },
  ]);
});
