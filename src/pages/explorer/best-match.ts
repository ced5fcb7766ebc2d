import { filteredFacts, isFound } from "../../contract/filters.js";
import { LIMITS } from "../../contract/limits.js";
import type { Pagination, SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import type { SearchQuery } from "../../contract/query.js";
import { isBestFirst, type SearchState, searchOf } from "./search-state.js";

/*
 * The explorer's own order for a text: the sites that the API suggests for it, which match it best, then all others by
 * score. The API has no such order, so it is made from two of its reads.
 */

/** The body of a search (docs/contract.md#11-search). */
export interface SearchBody {
  readonly data: readonly SiteSummary[];
  readonly pagination: Pagination;
  readonly didYouMean?: readonly string[] | undefined;
}

/** The reads of the API that a search of the explorer needs. */
export interface SearchReads {
  readonly search: (query: SearchQuery) => Promise<SearchBody>;
  readonly suggest: (q: string) => Promise<readonly SiteSummary[]>;
}

/** Searches for a page of a state, in its order. */
export async function searchSites(state: SearchState, reads: SearchReads): Promise<SearchBody> {
  const query = searchOf(state);
  if (!isBestFirst(state)) return reads.search(query);
  // The best sites come first on page one and push others back: later pages begin with sites of the API's page before.
  const isFirst = query.page === 1;
  const [read, before, front] = await Promise.all([
    reads.search(query),
    isFirst ? null : reads.search({ ...query, page: query.page - 1 }),
    bestSites(query, reads),
  ]);
  const known = [...(before?.data ?? []), ...read.data];
  const others = known.filter(({ host }) => !front.some((site) => site.host === host));
  const passed = front.filter((site) => isBefore(site, known[0])).length;
  const from = isFirst ? 0 : query.limit - front.length + passed;
  const data = isFirst ? [...front, ...others] : others.slice(from);
  return { ...read, data: data.slice(0, query.limit) };
}

/** The sites that match a query's text best, as the API suggests them, and that pass its filters; the best first. */
async function bestSites(query: SearchQuery, { suggest }: SearchReads): Promise<SiteSummary[]> {
  const { q = "" } = query;
  if ([...q].length < LIMITS.suggestionTextMin) return [];
  return (await suggest(q)).filter((site) => isFound(filteredFacts(site), query));
}

/** Whether a site is before another one in the API's order (docs/contract.md#5-order). */
function isBefore(site: SiteSummary, other: SiteSummary | undefined): boolean {
  if (other === undefined) return true;
  const scoreOf = ({ latestScore }: SiteSummary) => latestScore ?? -1;
  const difference = scoreOf(site) - scoreOf(other);
  return difference > 0 || (difference === 0 && byCodeUnit(site.host, other.host) < 0);
}
