import { type Reads, readsOf } from "../client/reads.js";
import type { FacetScores } from "../contract/listing.js";
import type { Directory } from "../pages/explorer/facet-groups.js";
import type { Found } from "../pages/explorer/results-view.js";
import { facetsOf, type SearchState, searchOf } from "../pages/explorer/search-state.js";
import { levelOf } from "../pages/kit/bands.js";
import { visible } from "../pages/kit/words.js";
import type { Proposal } from "./combobox.js";
import { IN_TREE, type Progress, ROOT } from "./tree.js";
import { treeFetch } from "./tree-search.js";

/** The minimum number of code points for suggestions (contract section 8). */
const SUGGESTED_FROM = 2;

/** In a tree, nothing is lost on the way to the worker, and readers see its progress, however long it takes. */
const PATIENCE = { retries: 0, timeoutMs: Number.POSITIVE_INFINITY };

/** The API beside the page, or a tree's worker. @param tell receives the progress of the files that searches need */
export function searchClient(tell: (progress: Progress) => void): Reads {
  const fetch = treeFetch(tell);
  return readsOf({ baseUrl: ROOT, fetch, ...(IN_TREE && PATIENCE) });
}

/** Counts without scores, in case an older server ignores the wish for them. */
const NO_SCORES: FacetScores = { bands: [], unscored: 0, olderScoring: 0, points: [] };

/** Requests everything that a state shows. Rejects with the client's error, or the signal's reason. */
export async function search(
  client: Reads,
  state: SearchState,
  signal: AbortSignal,
): Promise<Found> {
  const [found, { data }] = await Promise.all([
    client.sites(searchOf(state), { signal }),
    client.facets(facetsOf(state), { signal }),
  ]);
  return {
    sites: found.data,
    pagination: found.pagination,
    didYouMean: found.didYouMean ?? [],
    facets: { ...data, scores: data.scores ?? NO_SCORES },
  };
}

/**
 * Proposals for a text that is being typed: matching sites or, if there are none, corrections of the text; and last, to
 * search for the text.
 */
export async function propose(
  client: Reads,
  text: string,
  directory: Directory,
  signal: AbortSignal,
): Promise<Proposal[]> {
  const q = text.trim();
  if ([...q].length < SUGGESTED_FROM) return [];
  const { data, didYouMean = [] } = await client.suggestions({ q, include: "scores" }, { signal });
  const sites = data.map((site): Proposal => {
    const { host, latestScore = null, latestBand = null, latestScoreVersion = null } = site;
    const level = levelOf({ band: latestBand, scoreVersion: latestScoreVersion }, directory);
    return { kind: "site", host, name: visible(site.name), score: latestScore, level };
  });
  const corrections = didYouMean.map(
    (correction): Proposal => ({ kind: "search", text: correction, isCorrection: true }),
  );
  return [...sites, ...corrections, { kind: "search", text: q, isCorrection: false }];
}
