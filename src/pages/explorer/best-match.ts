import { LIMITS } from "../../contract/limits.js";
import type { Pagination, SiteSummary } from "../../contract/listing.js";
import { foldText } from "../../contract/order.js";
import type { SearchQuery } from "../../contract/query.js";
import { isBestFirst, type SearchState, searchOf } from "./search-state.js";

/*
 * The explorer's own order for a text: how well a site's host or name matches it, then the score. The API has no such
 * order, so it is made from two of its reads: the search by score, and the suggestions, which give the best matches.
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
  readonly suggest: (q: string) => Promise<readonly { readonly host: string }[]>;
}

/** The number of the explorer's pages that are ranked together: as many as one read has room for. */
const PAGES_RANKED = Math.floor(LIMITS.pageSizeMax / LIMITS.pageSizeDefault);
const RANKED = PAGES_RANKED * LIMITS.pageSizeDefault;

/** Searches for a page of a state, in its order. */
export async function searchSites(state: SearchState, reads: SearchReads): Promise<SearchBody> {
  const query = searchOf(state);
  if (!isBestFirst(state)) return reads.search(query);
  const part = Math.ceil(state.page / PAGES_RANKED);
  const read = await reads.search({ ...query, page: part, limit: RANKED });
  const { total } = read.pagination;
  const pagination = {
    page: state.page,
    limit: query.limit,
    total,
    totalPages: Math.ceil(total / query.limit),
  };
  const best = total > RANKED ? await hostsInFront(state, reads) : [];
  // Each part finds the same best sites that pass the filters, so that they are in the first part only.
  const first = await sitesOf(best, part === 1 ? read.data : [], query, reads);
  const others = read.data.filter(({ host }) => !first.some((site) => site.host === host));
  const at = (state.page - 1) % PAGES_RANKED;
  // Moving the best sites to the first part makes it longer and other parts shorter. Its last page has all the rest.
  const end = at === PAGES_RANKED - 1 ? undefined : (at + 1) * query.limit;
  const data = byMatch(part === 1 ? [...others, ...first] : others, state.q).slice(
    at * query.limit,
    end,
  );
  return { ...read, data, pagination };
}

/** The hosts of the directory that match a text best, as the API suggests them; at most `suggestionsMax`. */
async function hostsInFront({ q }: SearchState, { suggest }: SearchReads): Promise<string[]> {
  if ([...q].length < LIMITS.suggestionTextMin) return [];
  return (await suggest(q)).map(({ host }) => host);
}

/**
 * The sites of hosts that pass a query's filters; none for a host that too many others contain. @param known read
 * sites
 */
async function sitesOf(
  hosts: readonly string[],
  known: readonly SiteSummary[],
  query: SearchQuery,
  { search }: SearchReads,
): Promise<SiteSummary[]> {
  const asked = (q: string): SearchQuery => ({ ...query, q, sort: "host", page: 1, limit: RANKED });
  const found = await Promise.all(
    hosts.map(async (host) => {
      const isIt = (site: SiteSummary) => site.host === host;
      return known.find(isIt) ?? (await search(asked(host))).data.find(isIt);
    }),
  );
  return found.filter((site) => site !== undefined);
}

/** Sorts sites by how well they match a text, then by score. */
function byMatch(sites: readonly SiteSummary[], q: string): SiteSummary[] {
  const ranked = sites.map((site) => ({ site, match: matchOf(site, foldText(q)) }));
  const scoreOf = ({ latestScore }: SiteSummary) => latestScore ?? -1;
  return ranked
    .sort((a, b) => a.match - b.match || scoreOf(b.site) - scoreOf(a.site))
    .map(({ site }) => site);
}

/** 0 if a host or name is the text, 1 if one begins with it, 2 if a word does, 3 if one has it elsewhere, else 4. */
function matchOf({ host, name }: SiteSummary, sought: string): number {
  const texts = [foldText(host), foldText(name ?? "")];
  if (texts.includes(sought)) return 0;
  const places = texts.flatMap((text) => occurrences(text, sought));
  if (places.length === 0) return 4;
  return places.includes("start") ? 1 : places.includes("word") ? 2 : 3;
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** Where a text contains a part, for each occurrence: at its start, at the start of a word, or inside a word. */
function occurrences(text: string, part: string): ("start" | "word" | "inside")[] {
  const found: ("start" | "word" | "inside")[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0) found.push("start");
    else found.push(LETTER.test(text[at - 1] ?? "") ? "inside" : "word");
  }
  return found;
}
