import { describe, expect, it } from "vitest";
import {
  FACET_FILTERS,
  FILTER_NAMES,
  LIST_FILTERS,
  SHOWN_FILTERS,
} from "../../src/contract/filters.js";
import { Facets } from "../../src/contract/listing.js";
import { ListingFilters, SearchQuery } from "../../src/contract/query.js";

describe("the table of filters", () => {
  it("gives each list filter a place of its own in the explorer, counted from 1", () => {
    const ranks = SHOWN_FILTERS.map((name) => LIST_FILTERS[name].rank);
    expect(ranks).toEqual(ranks.map((_, at) => at + 1));
  });

  it("is the search's and the facets' parameters, but for the text and the scores", () => {
    const others = ["q", "minScore", "maxScore"];
    const named = (query: object) => Object.keys(query).filter((name) => !others.includes(name));
    expect(named(ListingFilters)).toEqual(FILTER_NAMES);
    const ofPages = ["sort", "page", "limit"];
    const searched = named(SearchQuery).filter((name) => !ofPages.includes(name));
    expect(searched).toEqual(FILTER_NAMES);
  });

  it("gives the facets answer its members, in the explorer's order", () => {
    const members = FACET_FILTERS.map((name) => LIST_FILTERS[name].facet.member);
    expect(Object.keys(Facets.shape)).toEqual(["total", ...members, "scores"]);
  });
});
