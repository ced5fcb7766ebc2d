import { type Client, createClient } from "../client/client.js";
import type { Directory } from "../pages/explorer/facet-groups.js";
import type { Found } from "../pages/explorer/results-view.js";
import {
  bandSearches,
  filtersOf,
  type SearchState,
  searchOf,
} from "../pages/explorer/search-state.js";
import type { Proposal } from "./combobox.js";
import { IN_TREE, type Progress, ROOT } from "./tree.js";
import { treeFetch } from "./tree-search.js";

/** The minimum number of code points for suggestions (contract section 8). */
const SUGGESTED_FROM = 2;

/** In a tree, nothing is lost on the way to the worker, and readers see its progress, however long it takes. */
const PATIENCE = { retries: 0, timeoutMs: Number.POSITIVE_INFINITY };

/** The API beside the page, or a tree's worker. @param tell receives the progress of the files that searches need */
export function searchClient(tell: (progress: Progress) => void): Client {
  const fetch = treeFetch(tell);
  return createClient({ baseUrl: ROOT, fetch, ...(IN_TREE && PATIENCE) });
}

/** Requests everything that a state shows. Rejects with the client's error, or the signal's reason. */
export async function search(
  client: Client,
  state: SearchState,
  { rubric }: Directory,
  signal: AbortSignal,
): Promise<Found> {
  const bands = rubric.bands.map(({ band }) => band);
  const [found, facets, ...byBand] = await Promise.all([
    client.sites(searchOf(state), { signal }),
    client.facets(filtersOf(state), { signal }),
    // The facets endpoint does not count bands, so one search per band provides its total.
    ...bandSearches(state, bands).map((query) => client.sites(query, { signal })),
  ] as const);
  return {
    sites: found.data,
    pagination: found.pagination,
    didYouMean: found.didYouMean ?? [],
    facets: facets.data,
    bands: Object.fromEntries(bands.map((band, at) => [band, byBand[at]?.pagination.total ?? 0])),
  };
}

/** Proposals for a text that is being typed: matching sites or, if there are none, corrections of the text. */
export async function propose(
  client: Client,
  text: string,
  signal: AbortSignal,
): Promise<Proposal[]> {
  const q = text.trim();
  if ([...q].length < SUGGESTED_FROM) return [];
  const { data, didYouMean = [] } = await client.suggestions({ q }, { signal });
  if (data.length > 0) return data.map(({ host, name }) => ({ text: host, about: name }));
  return didYouMean.map((correction) => ({ text: correction, about: "Did you mean this?" }));
}
