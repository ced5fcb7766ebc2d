import type { Enrichment, SiteSummary } from "./answers.js";
import { Changes, type ChangesOptions } from "./changes.js";
import { type Reads, readsOf, type SitesQuery } from "./reads.js";
import { type ClientOptions, type RequestOptions, settingsOf } from "./request.js";
import { type WatchOptions, watch } from "./watch.js";

export type {
  AccessPolicy,
  BatchAnswer,
  DumpAnswer,
  Enrichment,
  Facets,
  Issue,
  Report,
  SiteChange,
  SiteSummary,
  Standards,
  Suggestion,
  TaxonomyEntry,
  TrendsAnswer,
} from "./answers.js";
export { Changes, type ChangesOptions } from "./changes.js";
export { CrawldexError, type ErrorKind } from "./error.js";
export type {
  Answer,
  FacetQuery,
  Filters,
  Reads,
  ReportOptions,
  SitesQuery,
  SuggestQuery,
  TrendQuery,
} from "./reads.js";
export type { ClientOptions, RequestOptions } from "./request.js";
export type { WatchOptions } from "./watch.js";

/** The reads of one API, all pages of a search, and the watch over a report's enrichment. */
export interface Client extends Reads {
  /**
   * Finds all listings of a search, and reads each page when the loop gets there. Each host comes once. A
   * publication meanwhile may change the order, so that a listing is left out; with `sort: "host"` only one that is new can
   * be. Throws CrawldexError as `sites` does, after the listings of the pages before.
   * @example for await (const site of client.allSites({ category: ["news"], sort: "host" })) console.log(site.host);
   */
  allSites(
    query?: AllSitesQuery,
    options?: RequestOptions,
  ): AsyncGenerator<SiteSummary, undefined, undefined>;
  /**
   * Reads what changed in search since a publication, the oldest first, page after page. `site` is each site as it is now,
   * null if it was removed: a copy of all sites stays complete if it inserts or deletes what each change names. Store
   * `cursor` and give it as `since` the next time. Throws CrawldexError with status 410 if the changes are no longer
   * known: then read all sites again. It is beyond the contract, and a publisher can switch it off (404).
   * @example const changes = client.changes({ since }); for await (const { host, change } of changes) console.log(host, change);
   */
  changes(options?: ChangesOptions): Changes;
  /**
   * Follows a report's enrichment: yields its state immediately and after every change, until nothing is queued,
   * generating or delayed. Yields null if the report has none. Waits while the page is hidden or offline, and after
   * failures. Throws CrawldexError if a retry cannot help, for example a 404 for a missing report.
   * @example for await (const enrichment of client.watchEnrichment("example.org")) console.log(enrichment?.copy.state);
   */
  watchEnrichment(host: string, options?: WatchOptions): AsyncIterableIterator<Enrichment | null>;
}

/** Makes a client of one API. Sends nothing before the first read. @throws TypeError if `baseUrl` is not valid */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options);
  const { reads, changes } = readsOf(options, settings);
  return {
    ...reads,
    allSites: (query = {}, requested = {}) => sitesOfAllPages(reads.sites, query, requested),
    changes: (asked = {}) => new Changes(changes, asked),
    watchEnrichment: (host, watched = {}) =>
      watch((requested) => reads.enrichment(host, requested), settings.random, watched),
  };
}

/** A search without its page. `limit` is how many sites one request reads. */
export type AllSitesQuery = Omit<SitesQuery, "page">;

/** The most sites of a page (docs/contract.md#9-limits). */
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
