import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import { binGroups, histogram, type ScoreBin } from "../kit/histogram.js";
import { flag, type Html, html } from "../kit/html.js";
import { counted, numberOf } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { changed, type SearchState, scoreRange, stateLink } from "./search-state.js";

/**
 * The scores of the sites that pass the other filters: bars in the colours of the bands, and the bands with their
 * numbers. A bar is a link to the sites with its scores, of all bands; a band is a link to its sites alone. If it is in
 * use, the link removes it.
 */
export function histogramView(
  state: SearchState,
  { rubric, to }: Pick<Directory, "rubric" | "to">,
  { bands, points, unscored, olderScoring }: FacetScores,
): Html {
  const groups = binGroups(rubric, points);
  const all = groups.flatMap(({ band, bins }) => bins.map((bin) => ({ band, bin })));
  const least = state.minScore ?? LIMITS.scoreMin;
  const greatest = state.maxScore ?? LIMITS.scoreMax;
  const isOfBand = (band: string | null) =>
    state.band.length === 0 || (band !== null && state.band.includes(band));
  const chosen = new Set(
    all
      .filter(({ band, bin }) => bin.to >= least && bin.from <= greatest && isOfBand(band))
      .map(({ bin }) => bin),
  );
  // One bar can be reached by Tab; the script moves from it by arrow keys.
  const stop = all.find(({ bin }) => chosen.has(bin)) ?? all[0];
  const link = (isChosen: boolean, next: Partial<SearchState>, attributes: Html, drawn: Html) =>
    stateLink(
      changed(state, next),
      to,
      html`${attributes}${flag('aria-current="true"', isChosen)}`,
      drawn,
    );
  const bar = (bin: ScoreBin, drawn: Html) => {
    const { from, to: last } = bin;
    const isChosen = state.minScore === from && state.maxScore === last && state.band.length === 0;
    return link(
      isChosen,
      isChosen ? { minScore: null, maxScore: null } : scoreRange(from, last),
      html` class="${chosen.has(bin) ? "bin" : "bin out"}" tabindex="${bin === stop?.bin ? 0 : -1}" data-from="${from}" data-to="${last}"`,
      drawn,
    );
  };
  const band = (id: string, attributes: Html, drawn: Html) => {
    const isChosen = state.band.includes(id);
    const rest = state.band.filter((one) => one !== id);
    return link(isChosen, { band: isChosen ? rest : [id] }, attributes, drawn);
  };
  const count = (id: string) => bands.find((one) => one.band === id)?.count;
  const left = [
    ...(unscored === 0 ? [] : [`${counted(unscored, "site")} without a score`]),
    ...(olderScoring === 0 ? [] : [`${numberOf(olderScoring)} scored by an older methodology`]),
  ];
  return histogram(groups, { bar, band, count }, left.join(", "));
}
