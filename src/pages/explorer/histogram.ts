import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import { binGroups, type HistogramParts, histogram, type ScoreBin } from "../kit/histogram.js";
import { flag, type Html, html } from "../kit/html.js";
import { counted, numberOf } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { changed, type SearchState, stateLink } from "./search-state.js";

/**
 * The scores of the sites that pass the other filters: bars in the colours of the bands, and the bands with their
 * numbers. Each is a link that filters by its scores, or removes that filter if it is in use.
 */
export function histogramView(
  state: SearchState,
  { rubric, to }: Pick<Directory, "rubric" | "to">,
  { points, unscored, olderScoring }: FacetScores,
): Html {
  const groups = binGroups(rubric, points);
  const bins = groups.flatMap((group) => group.bins);
  const [least, greatest] = [state.minScore ?? LIMITS.scoreMin, state.maxScore ?? LIMITS.scoreMax];
  const isIn = (bin: ScoreBin) => bin.to >= least && bin.from <= greatest;
  // One bar can be reached by Tab; the script moves from it by arrow keys.
  const stop = bins.find(isIn) ?? bins[0];
  const link: HistogramParts["band"] = (range, attributes, drawn) => {
    const isChosen = state.minScore === range.from && state.maxScore === range.to;
    const next = isChosen
      ? { minScore: null, maxScore: null }
      : { minScore: range.from, maxScore: range.to };
    const all = html`${attributes}${flag('aria-current="true"', isChosen)}`;
    return stateLink(changed(state, next), to, all, drawn);
  };
  const bar = (bin: ScoreBin, drawn: Html) =>
    link(
      bin,
      html` class="${isIn(bin) ? "bin" : "bin out"}" tabindex="${bin === stop ? 0 : -1}" data-from="${bin.from}" data-to="${bin.to}"`,
      drawn,
    );
  const left = [
    ...(unscored === 0 ? [] : [`${counted(unscored, "site")} without a score`]),
    ...(olderScoring === 0 ? [] : [`${numberOf(olderScoring)} scored by an older methodology`]),
  ];
  return histogram(groups, { bar, band: link }, left.join(", "));
}
