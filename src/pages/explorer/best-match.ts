import { filteredFacts, isFound } from "../../contract/filters.js";
import { canonicalHostOf } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import type { Pagination, SiteSummary } from "../../contract/listing.js";
import { byCodeUnit, foldText } from "../../contract/order.js";
import type { SearchQuery } from "../../contract/query.js";
import { isBestFirst, type SearchState, searchOf } from "./search-state.js";

/*
 * What the explorer makes of the API's literal searches. Its own order for a text: the sites that the API suggests for
 * it, which match it best, then all others by score. And where no site has the text, the sites with all of its words.
 */

/** The body of a search (docs/contract.md#11-search). */
export interface SearchBody {
  readonly data: readonly SiteSummary[];
  readonly pagination: Pagination;
  readonly didYouMean?: readonly string[] | undefined;
}

/** What the explorer finds. */
export interface FoundSites extends SearchBody {
  /** The best other sites that have all words of the text, unless the text itself fills a page. */
  readonly withAllWords: readonly SiteSummary[];
}

/** The reads of the API that a search of the explorer needs. */
export interface SearchReads {
  readonly search: (query: SearchQuery) => Promise<SearchBody>;
  readonly suggest: (q: string) => Promise<readonly SiteSummary[]>;
}

/** Searches for a page of a state, in its order. */
export async function searchSites(state: SearchState, reads: SearchReads): Promise<FoundSites> {
  const query = searchOf(state);
  const found = await orderedSites(state, query, reads);
  const { total, totalPages } = found.pagination;
  const isShort = total === 0 || (totalPages === 1 && query.page === 1);
  const withWords = isShort ? await sitesWithAllWords(query, total, reads) : [];
  const hosts = new Set(found.data.map(({ host }) => host));
  return { ...found, withAllWords: withWords.filter(({ host }) => !hosts.has(host)) };
}

/**
 * The first sites of a search, with the pagination of the whole page. Null on later pages, and if the search finds no
 * more sites than these.
 * @param limit the number of first sites
 */
export async function firstSites(
  state: SearchState,
  limit: number,
  reads: SearchReads,
): Promise<SearchBody | null> {
  const query = searchOf(state);
  if (query.page > 1) return null;
  const { data, pagination } = await orderedSites(state, { ...query, limit }, reads);
  const { total } = pagination;
  if (total <= limit) return null;
  const totalPages = Math.ceil(total / query.limit);
  return { data, pagination: { ...pagination, limit: query.limit, totalPages } };
}

/** The most words that are searched for one by one; a longer text is a sentence, which no site has in parts. */
const WORDS_MAX = 5;
/** The most pages of sites with the rarest word in which the other words are looked for. */
const PAGES_MAX = 3;

/**
 * The sites that have all words of a query's text and pass its filters, in its order: at most a page of them. Those
 * with the rarest word are searched for, and are looked through for the others.
 * @param total the number of sites that have the text itself
 */
async function sitesWithAllWords(
  query: SearchQuery,
  total: number,
  { search }: SearchReads,
): Promise<readonly SiteSummary[]> {
  const words = wordsOf(query.q ?? "");
  if (words.length === 0 || words.length > WORDS_MAX) return [];
  // Sites have the word itself: its spelling in hosts is not looked for.
  if (words.length === 1 && total > 0) return [];
  const read = (q: string, page: number) =>
    search({ ...query, q, page, limit: LIMITS.pageSizeMax });
  const answers = await Promise.all(words.map((q) => read(q, 1)));
  const totals = answers.map(({ pagination }) => pagination.total);
  const rarest = totals.indexOf(Math.min(...totals));
  const { data, pagination } = answers[rarest]!;
  const word = words[rarest]!;
  const sites = [...data];
  for (let page = 2; page <= Math.min(PAGES_MAX, pagination.totalPages); page += 1)
    sites.push(...(await read(word, page)).data);
  return sites.filter((site) => words.every((one) => hasText(site, one))).slice(0, query.limit);
}

/**
 * The words of a text, if it has several. One word with letters beyond ASCII may be a part of a host, where it is in
 * Punycode.
 */
function wordsOf(text: string): string[] {
  const words = [...new Set(foldText(text).split(/[\s,;]+/))].filter((word) => word !== "");
  const [only = ""] = words;
  if (words.length > 1) return words;
  const isPart = /[^\0-\x7f]/.test(only) && !only.includes(".");
  const host = isPart ? canonicalHostOf(`${only}${SOME_END}`) : null;
  return host === null ? [] : [host.slice(0, -SOME_END.length)];
}

/** Makes a host of a label. */
const SOME_END = ".example";

/** Whether the API's search for a folded text finds a site (docs/contract.md#11-search). */
function hasText({ host, name, tagline }: SiteSummary, text: string): boolean {
  return [host, name, tagline].some((one) => one !== null && foldText(one).includes(text));
}

async function orderedSites(
  state: SearchState,
  query: SearchQuery,
  reads: SearchReads,
): Promise<SearchBody> {
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
