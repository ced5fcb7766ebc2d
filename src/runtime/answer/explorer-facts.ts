import { type SearchBody, searchSites } from "../../pages/explorer/best-match.js";
import type { Shown } from "../../pages/explorer/explorer-page.js";
import type { ScoredFacets } from "../../pages/explorer/facet-groups.js";
import { filtersOf, isStart, readState } from "../../pages/explorer/search-state.js";
import { filledCategories } from "./categories.js";
import { madeJson, type SnapshotView } from "./content.js";
import { tagsOf } from "./page-facts.js";

/** The parts of a snapshot that the explorer shows. */
export type ExplorerSource = Pick<
  SnapshotView,
  "engine" | "directory" | "history" | "readDocument"
>;

/**
 * Returns the data that the explorer shows at an address, as its script would request it.
 * @param query the text after the `?`; parameters that a search does not have are ignored
 * @throws as a rejection, if a stored document is missing or damaged
 */
export async function shownAt(query: string, snapshot: ExplorerSource): Promise<Shown> {
  const { directory } = snapshot;
  const engine = await snapshot.engine;
  const state = readState(query);
  const { data, pagination, didYouMean } = await searchSites(state, {
    search: async (asked) => madeJson<SearchBody>(await engine.search(asked)),
    suggest: async (q) => madeJson<Pick<SearchBody, "data">>(await engine.suggest({ q })).data,
  });
  const facets = madeJson<{ readonly data: ScoredFacets }>(
    await engine.facets(filtersOf(state), directory.rubric),
  ).data;
  const tags = await tagsOf(snapshot);
  return {
    state,
    found: { sites: data, pagination, didYouMean: didYouMean ?? [], facets },
    tags,
    categories: isStart(state)
      ? facets.categories.items.filter(({ count }) => count > 0)
      : await filledCategories(engine),
    generation: snapshot.history.generation,
  };
}
