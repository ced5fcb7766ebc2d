import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import { binGroups, histogram, type ScoreBin } from "../kit/histogram.js";
import { el, type TreeElement } from "../kit/tree.js";
import { counted, numberOf } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { changed, type SearchState, stateLink } from "./search-state.js";

/** A link that limits the search to a range of scores, or lifts the limit if it is this range already. */
function rangeLink(
  state: SearchState,
  { from, to }: Pick<ScoreBin, "from" | "to">,
  attributes: TreeElement["attributes"],
  ...children: Parameters<typeof el>[2][]
): TreeElement {
  const isChosen = state.minScore === from && state.maxScore === to;
  const range = isChosen ? { minScore: null, maxScore: null } : { minScore: from, maxScore: to };
  const current = isChosen ? { "aria-current": "true" } : {};
  return stateLink(changed(state, range), { ...attributes, ...current }, ...children);
}

/**
 * How many of the sites that pass the other filters have which score: bars in the colours of the bands, and the bands
 * with their numbers. Each is a link that filters by its scores.
 */
export function histogramView(
  state: SearchState,
  { rubric }: Pick<Directory, "rubric">,
  { points, unscored, olderScoring }: FacetScores,
): TreeElement {
  const groups = binGroups(rubric, points);
  const bins = groups.flatMap((group) => group.bins);
  const [least, greatest] = [state.minScore ?? LIMITS.scoreMin, state.maxScore ?? LIMITS.scoreMax];
  const isIn = ({ from, to }: ScoreBin) => to >= least && from <= greatest;
  // One bar can be reached by Tab; the script moves from it by arrow keys.
  const stop = bins.find(isIn) ?? bins[0];
  const bar = (bin: ScoreBin, ...drawn: readonly TreeElement[]) =>
    rangeLink(
      state,
      bin,
      {
        class: isIn(bin) ? "bin" : "bin out",
        tabindex: bin === stop ? 0 : -1,
        "data-from": bin.from,
        "data-to": bin.to,
      },
      ...drawn,
    );
  const band: Parameters<typeof histogram>[1]["band"] = (range, attributes, ...drawn) =>
    rangeLink(state, range, attributes, ...drawn);
  return histogram(groups, { bar, band }, restView(unscored, olderScoring));
}

/** The sites that no bar counts. */
function restView(unscored: number, olderScoring: number): TreeElement {
  const parts = [
    ...(unscored === 0 ? [] : [`${counted(unscored, "site")} without a score`]),
    ...(olderScoring === 0 ? [] : [`${numberOf(olderScoring)} scored by an older methodology`]),
  ];
  return el(
    "p",
    { class: "quiet rest" },
    parts.length === 0 ? "" : `Not in the chart: ${parts.join(", ")}.`,
  );
}
