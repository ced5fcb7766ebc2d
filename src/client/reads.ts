import type {
  AccessAnswer,
  Answers,
  BatchAnswer,
  DumpAnswer,
  Parameters,
  PreflightAnswer,
  TrendsAnswer,
} from "./answers.js";
import { type Ask, type RequestOptions, searchOf } from "./request.js";

/** Parameters as a caller gives them: lists may be read-only, and undefined values are not sent. */
type Given<T> = {
  readonly [K in keyof T]?:
    | (T[K] extends (infer V)[] | undefined ? readonly V[] : T[K])
    | undefined;
};

/** The filters that search and facets share (docs/contract.md#31-filters). */
export type Filters = Given<Omit<Parameters["facets"], "include">>;
/** The query of facets (docs/contract.md#13-facets); `include` is beyond the contract. */
export type FacetQuery = Given<Parameters["facets"]>;
/** The query of a search (docs/contract.md#11-search). */
export type SitesQuery = Given<Parameters["search"]>;
export type SuggestQuery = Given<Parameters["suggestions"]> & { readonly q: string };
/** The query of `trends`. */
export interface TrendQuery {
  /** Only the listings of this category. Default: all listings. */
  readonly category?: string | undefined;
  /** An achievement or a capability, whose share of passing sites each point then has. */
  readonly check?: string | undefined;
}
/** The query of `access`. */
export interface CrawlerQuery {
  /** A crawler's name, as in robots.txt. Default: only the figures of all crawlers are read. */
  readonly crawler?: string | undefined;
  /** Only sites that declare this to the crawler. */
  readonly declared?: "allowed" | "disallowed" | "mixed" | "unstated" | undefined;
  /** Only sites whose server did this with the crawler's requests. */
  readonly served?: "answered" | "refused" | "mixed" | "unknown" | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}
/** `crawler` is a crawler's name, as in robots.txt; without it, `preflight` tells of all crawlers. */
export type PreflightOptions = RequestOptions & { readonly crawler?: string | undefined };
/** `scan` is the id of a published scan of the site; without it, the latest is read. */
export type ReportOptions = RequestOptions & Given<Parameters["report"]>;

/** The body of an endpoint's 200 answer (docs/contract.md#1-the-nine-reads), by the route's name. */
export type Answer<N extends keyof Answers> = Answers[N];

/**
 * The reads (docs/contract.md#1-the-nine-reads), one function each. All reject with CrawldexError, or with the reason
 * of the signal that aborts them. Callers may modify the objects that they receive.
 */
export interface Reads {
  /**
   * Searches the listings: one page of them, best scores first unless `sort` says otherwise, and how many there are
   * in all. Filters combine with AND, the values of one filter with OR; those of `capability` with AND. A page after
   * the last is empty. `allSites` reads all pages.
   * @example const { data, pagination } = await client.sites({ q: "coffee", minScore: 50, page: 2 });
   */
  sites(query?: SitesQuery, options?: RequestOptions): Promise<Answer<"search">>;
  /**
   * Suggests up to five listings for a text that somebody types, of two characters or more: exact hosts first, then
   * exact names, then hosts and names that begin with the text, then those that contain it.
   * @example const { data } = await client.suggestions({ q: "coff" });
   */
  suggestions(query: SuggestQuery, options?: RequestOptions): Promise<Answer<"suggestions">>;
  /**
   * Counts the listings of a search by category, signal and platform. The counts of categories ignore the category
   * that is searched for, those of platforms the platform; those of signals add the signal to all filters.
   * @example const { data } = await client.facets({ minScore: 50 });
   */
  facets(query?: FacetQuery, options?: RequestOptions): Promise<Answer<"facets">>;
  /**
   * Reads the latest report of a listing, or an older one by the id of its scan. Its score is null if there is none,
   * which is not zero. Fails with 404 if the host has no report, and with 403 if its plan does not include older
   * ones.
   * @param host a canonical host: lowercase, in punycode, without `www.`, a port or a dot at its end
   * @example const { data } = await client.report("example.org", { scan: "scn_2026_07" });
   */
  report(host: string, options?: ReportOptions): Promise<Answer<"report">>;
  /**
   * Reads the state of the generated texts of a report; null if it gets none. `watchEnrichment` follows them.
   * @example const { data } = await client.enrichment("example.org");
   */
  enrichment(host: string, options?: RequestOptions): Promise<Answer<"enrichment">>;
  /**
   * Reads how scores are made: the bands, all checks with their points, and the crawlers.
   * @example const { data } = await client.standards();
   */
  standards(options?: RequestOptions): Promise<Answer<"standards">>;
  /**
   * Lists the active categories in their order, including those without listings.
   * @example const { data } = await client.categories();
   */
  categories(options?: RequestOptions): Promise<Answer<"categories">>;
  /**
   * Lists the active tags in their order, including those without listings.
   * @example const { data } = await client.tags();
   */
  tags(options?: RequestOptions): Promise<Answer<"tags">>;
  /**
   * Reads the OpenAPI 3.1 description of the API.
   * @example const { paths } = await client.openapi();
   */
  openapi(options?: RequestOptions): Promise<Answer<"openapi">>;
  /**
   * Reads the API catalogue (RFC 9727): a linkset that names the API, its description and its documentation.
   * @example const { linkset } = await client.catalog();
   */
  catalog(options?: RequestOptions): Promise<Answer<"catalog">>;
  /**
   * Reads the summaries of up to 1,000 hosts, in their order. Any pasted address counts as its host, and each host
   * may come once. Beyond the contract: a directory may have switched it off, and then it fails with 404.
   * @example const { data } = await client.batch(["example.org", "https://www.example.com/about"]);
   */
  batch(hosts: readonly string[], options?: RequestOptions): Promise<BatchAnswer>;
  /**
   * Reads for each of up to 1,000 hosts whether crawlers may read it, how well it reads and which checks it passes, by
   * its latest report. Any pasted address counts as its host, and each host may come once. Fails with 400 for a crawler
   * that the directory does not know; the message names near ones. Beyond the contract, like `batch`.
   * @example const { data } = await client.preflight(["example.org"], { crawler: "GPTBot" });
   */
  preflight(hosts: readonly string[], options?: PreflightOptions): Promise<PreflightAnswer>;
  /**
   * Reads what sites declare to crawlers against what their servers do: counts for each crawler and, with `crawler`, a
   * page of the sites. Beyond the contract, like `batch`.
   * @example const { data } = await client.access({ crawler: "GPTBot", declared: "allowed", served: "refused" });
   */
  access(query?: CrawlerQuery, options?: RequestOptions): Promise<AccessAnswer>;
  /**
   * Reads which files have all listings, with the address, the size and the sha256 of each. The addresses are of this
   * dump: once another has replaced it, they answer 410. Beyond the contract, like `batch`.
   * @example const { data } = await client.dump(); console.log(data.files.map(({ url }) => url));
   */
  dump(options?: RequestOptions): Promise<DumpAnswer>;
  /**
   * Reads how many listings there were at each publication, their median score and bands and, with `check`, how many of
   * them passed it. Null where there was no such figure, which is not zero. Beyond the contract, like `batch`.
   * @example const { data } = await client.trends({ category: "news", check: "llms-txt" });
   */
  trends(query?: TrendQuery, options?: RequestOptions): Promise<TrendsAnswer>;
}

/** The most hosts, and characters of a query, of a GET, whose answer caches may keep. */
const GET_HOSTS_MAX = 100;
const GET_LENGTH_MAX = 4_000;

/** A list of hosts in a query, which caches may keep; in a body if it is long. @param more what is asked beside it */
function askedOf(hosts: readonly string[], more: { readonly crawler?: string | undefined } = {}) {
  const query = { host: hosts, ...more };
  const isShort = hosts.length <= GET_HOSTS_MAX && searchOf(query).length <= GET_LENGTH_MAX;
  return isShort ? { query } : { posted: { hosts, ...more } };
}

export function readsOf(ask: Ask): Reads {
  return {
    sites: (query, options) => ask("/api/sites", { ...options, query }),
    suggestions: (query, options) => ask("/api/sites/suggestions", { ...options, query }),
    facets: (query, options) => ask("/api/sites/facets", { ...options, query }),
    report: (host, { scan, ...options } = {}) =>
      ask("/api/sites/{host}/report", { ...options, host, query: { scan } }),
    enrichment: (host, options) => ask("/api/sites/{host}/enrichment", { ...options, host }),
    standards: (options) => ask("/api/standards", options),
    categories: (options) => ask("/api/categories", options),
    tags: (options) => ask("/api/tags", options),
    openapi: (options) => ask("/api/openapi.json", { ...options, member: "openapi" }),
    catalog: (options) => ask("/.well-known/api-catalog", { ...options, member: "linkset" }),
    batch: (hosts, options) => ask("/api/batch", { ...options, ...askedOf(hosts) }),
    preflight: (hosts, { crawler, ...options } = {}) =>
      ask("/api/preflight", { ...options, ...askedOf(hosts, { crawler }) }),
    access: (query, options) => ask("/api/access", { ...options, query }),
    // A tree of plain files has the index at this address, too.
    dump: (options) => ask("/api/dump/index.json", options),
    trends: (query, options) => ask("/api/trends", { ...options, query }),
  };
}
