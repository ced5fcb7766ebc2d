import type { ListingFilters } from "../../../src/contract/query.js";
import type { FacetCounts } from "./bodies.js";
import type { Entry } from "./catalog.js";

/** Facets by going through the entries that pass every filter but category and platform. */
export function countFacets(shared: readonly Entry[], query: ListingFilters): FacetCounts {
  const { category, platform } = query;
  const inCategory = ({ summary }: Entry): boolean =>
    category === undefined || category.includes(summary.category?.slug ?? "");
  const onPlatform = ({ summary }: Entry): boolean =>
    platform === undefined || platform.some((slug) => summary.platforms.includes(slug));
  const anyCategory = shared.filter(onPlatform);
  const matching = anyCategory.filter(inCategory);
  return {
    total: matching.length,
    anyCategory: anyCategory.length,
    categories: count(anyCategory, ({ category: own }) => (own === null ? [] : [own.slug])),
    signals: count(matching, ({ capabilities }) => capabilities),
    platforms: count(shared.filter(inCategory), ({ platforms }) => platforms),
  };
}

function count(
  entries: readonly Entry[],
  valuesOf: (summary: Entry["summary"]) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { summary } of entries) {
    for (const value of valuesOf(summary)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
