import type { ChangesAnswer, Enrichment, SiteChange, SiteSummary } from "./answers.js";
import { type Reads, readsOf, type SitesQuery } from "./reads.js";
import { askOf, type ClientOptions, type RequestOptions } from "./request.js";
import { chance } from "./timing.js";
import { type WatchOptions, watch } from "./watch.js";

export type {
  AccessAnswer,
  AccessPolicy,
  BatchAnswer,
  DumpAnswer,
  Enrichment,
  Facets,
  Issue,
  PreflightAnswer,
  Report,
  SiteChange,
  SiteSummary,
  Standards,
  Suggestion,
  TaxonomyEntry,
  TrendsAnswer,
} from "./answers.js";
export type {
  Answer,
  CrawlerQuery,
  FacetQuery,
  Filters,
  PreflightOptions,
  Reads,
  ReportOptions,
  SitesQuery,
  SuggestQuery,
  TrendQuery,
} from "./reads.js";
export {
  type ClientOptions,
  CrawldexError,
  type ErrorKind,
  type RequestOptions,
} from "./request.js";
export type { WatchOptions } from "./watch.js";

/** A search without its page. `limit` is how many sites one request reads. */
export type AllSitesQuery = Omit<SitesQuery, "page">;

export interface ChangesOptions extends RequestOptions {
  /** The number of a publication, or the cursor of an earlier read. Default: all changes that are known. */
  readonly since?: string | number | undefined;
  /** How many changes one request reads: 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
}

/** The changes after a position. Each loop resumes after the last page that the loop before has finished. */
export class Changes implements AsyncIterable<SiteChange, undefined, undefined> {
  readonly #read: (since: string | undefined) => Promise<ChangesAnswer>;
  #cursor: string | undefined;

  /** @internal */
  constructor(
    read: (since: string | undefined) => Promise<ChangesAnswer>,
    since?: string | number,
  ) {
    this.#read = read;
    this.#cursor = since === undefined ? undefined : String(since);
  }

  /**
   * The `since` for the next read: all changes up to it have been given. It advances at the end of each page, so a loop
   * that ends early is given some changes again. Undefined before the first page, if there was no `since`.
   */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SiteChange, undefined, undefined> {
    for (let next: string | null = ""; next !== null; ) {
      const page = await this.#read(this.#cursor);
      yield* page.data;
      this.#cursor = page.cursor;
      next = page.next;
    }
  }
}

/** The reads of one API, all pages of a search, and the watch over a report's enrichment. */
export interface Client extends Reads {
  /**
   * Finds all listings of a search, and reads each page when the loop gets there. Each host comes once. A
   * publication meanwhile may change the order, so that a listing is left out; with `sort: "host"` only one that is
   * new can be. Throws CrawldexError as `sites` does, after the listings of the pages before.
   * @example for await (const site of client.allSites({ category: ["news"], sort: "host" })) console.log(site.host);
   */
  allSites(
    query?: AllSitesQuery,
    options?: RequestOptions,
  ): AsyncGenerator<SiteSummary, undefined, undefined>;
  /**
   * Reads what changed in search since a publication, the oldest first, page after page. `site` is each site as it is
   * now, null if it was removed: a copy of all sites stays complete if it inserts or deletes what each change names.
   * Store `cursor` and give it as `since` the next time. Throws CrawldexError with status 410 if the changes are no
   * longer known: then read all sites again. It is beyond the contract, and a publisher can switch it off (404).
   * @example const changes = client.changes({ since }); for await (const { host, change } of changes)
   * console.log(host, change);
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
  const ask = askOf(options);
  const reads = readsOf(ask);
  return {
    ...reads,
    async *allSites({ limit = 100, ...query } = {}, requested) {
      // A publication between two pages may move a site to the next one.
      const seen = new Set<string>();
      for (let page = 1; ; page += 1) {
        const { data, pagination } = await reads.sites({ ...query, limit, page }, requested);
        const added = data.filter(({ host }) => !seen.has(host));
        for (const { host } of added) seen.add(host);
        yield* added;
        if (data.length === 0 || page >= pagination.totalPages) return undefined;
      }
    },
    changes({ since, limit = 1_000, ...requested } = {}) {
      const read = (cursor: string | undefined) =>
        ask<ChangesAnswer>("/api/changes", { ...requested, query: { since: cursor, limit } });
      return new Changes(read, since);
    },
    watchEnrichment: (host, watched = {}) =>
      watch((requested) => reads.enrichment(host, requested), options.random ?? chance, watched),
  };
}
