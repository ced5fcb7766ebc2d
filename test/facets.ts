import {
  FACET_FILTERS,
  LIST_FILTER_NAMES,
  LIST_FILTERS,
  type ListFilterName,
} from "../src/contract/filters.js";
import type { SiteSummary } from "../src/contract/listing.js";

/*
 * The filters and facets that this project may have beyond the contract. The models of the tests spell out the
 * contract's own filters by themselves; for any other filter they follow the table, so that a new one needs tests of
 * its own only. A facet beyond the contract counts the values that listings have, and comes after the contract's.
 */

const CONTRACT: readonly string[] = ["category", "tag", "platform", "capability", "band"];

export const FILTERS_BEYOND = LIST_FILTER_NAMES.filter((name) => !CONTRACT.includes(name));
const FACETS_BEYOND = FACET_FILTERS.filter((name) => !CONTRACT.includes(name));

/** A request's values by filter. */
type Given = Readonly<Partial<Record<ListFilterName, readonly string[] | undefined>>>;

/** Whether a listing passes every filter beyond the contract that a request gives, but for the ignored one. */
export function passesBeyond(summary: SiteSummary, given: Given, ignored?: string): boolean {
  return FILTERS_BEYOND.every((name) => {
    const wanted = given[name] ?? [];
    if (name === ignored || wanted.length === 0) return true;
    const { match } = LIST_FILTERS[name];
    const values = valuesOf(summary, name);
    const has = (value: string) => values.includes(value);
    return match === "all" ? wanted.every(has) : wanted.some(has);
  });
}

/** The values of a filter that a listing has: texts, or the slugs of terms. */
function valuesOf(summary: SiteSummary, name: ListFilterName): string[] {
  const value = summary[LIST_FILTERS[name].column];
  return [value].flat().flatMap((one) => {
    if (one === null) return [];
    return typeof one === "object" ? one.slug : String(one);
  });
}

/**
 * The members of a facets answer beyond the contract.
 * @param all every listing in search
 * @param without the listings that pass every filter of the request but the named one
 */
export function facetsBeyond(
  all: readonly SiteSummary[],
  without: (ignored: string | undefined) => readonly SiteSummary[],
): Record<string, { slug: string; count: number }[]> {
  const members = FACETS_BEYOND.map((name) => {
    const { match, facet } = LIST_FILTERS[name];
    const among = without(match === "any" ? name : undefined);
    const items = [...new Set(all.flatMap((summary) => valuesOf(summary, name)))]
      .sort()
      .map((slug) => ({
        slug,
        count: among.filter((summary) => valuesOf(summary, name).includes(slug)).length,
      }));
    return [facet.member, items.sort((a, b) => b.count - a.count)];
  });
  return Object.fromEntries(members);
}

/** The members of a facets answer beyond the contract, without values. */
export function noFacetsBeyond(): Record<string, { slug: string; count: number }[]> {
  return facetsBeyond([], () => []);
}
