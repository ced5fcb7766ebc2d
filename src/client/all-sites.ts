import type { SiteSummary } from "./answers.js";
import type { Reads, SitesQuery } from "./reads.js";
import type { RequestOptions } from "./request.js";

/** A search without its page. `limit` is how many sites one request reads. */
export type AllSitesQuery = Omit<SitesQuery, "page">;

/** The most sites of a page (contract section 4). */
const LIMIT_MAX = 100;

/** Reads a search page by page. Gives each host once: a publication between two pages may move a site to the next one. */
export async function* sitesOfAllPages(
  sites: Reads["sites"],
  { limit = LIMIT_MAX, ...query }: AllSitesQuery,
  options: RequestOptions,
): AsyncGenerator<SiteSummary, undefined, undefined> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await sites({ ...query, limit, page }, options);
    for (const site of data) {
      if (seen.has(site.host)) continue;
      seen.add(site.host);
      yield site;
    }
    if (data.length === 0 || page >= pagination.totalPages) return;
  }
}
